/*
 * vct.h - victory by continuous threats, and outright wins on small boards, by proof numbers.
 *
 * A threat is a four, or a stone after which its player, if the other passed, would win by fours
 * (vcf.h). Such a stone is looked for among those that leave three or more of the player's stones
 * in a window, and those that take a point where the other could make a four. The defender has
 * lost unless his answer stands in the zone of the win by fours that he is threatened with
 * (gomoku_vcf_zone), so the zone is the whole set of his answers; his own fours are in it.
 *
 * With `all`, the attacker may play anything, and the defender, where he is not threatened, too.
 *
 * Depth-first proof-number search, with two threats that are no fours allowed at first, then three,
 * then any number: short wins are not missed in the depths. A position is won whatever is left;
 * anything else in the table is for one number left. Stones are only added, so there are no cycles.
 * The table has a fixed size; entries are told apart by the whole 64-bit key, and those that took
 * the least work make room first. Nothing a verdict rests on is ever guessed: where the search for
 * fours is cut short, "no" becomes "unknown".
 */
#ifndef PLY_GAMES_GOMOKU_VCT_H
#define PLY_GAMES_GOMOKU_VCT_H

#include "games/gomoku/vcf.h"

typedef struct gomoku_vct_entry {
    uint64_t key;
    uint32_t proof, disproof;
    uint32_t work;  /* nodes below, at most */
    uint16_t plies; /* of the win, while proved */
    uint16_t cell;  /* that wins, where the attacker moves */
} gomoku_vct_entry;

typedef struct gomoku_vct_child {
    uint64_t key;             /* as if threats were not counted */
    uint32_t proof, disproof; /* to begin with */
    uint16_t cell;
    uint16_t reply; /* the only answer to a four, GOMOKU_MAX_CELLS when there is none */
    bool is_open;   /* the defender moves next */
} gomoku_vct_child;

typedef struct gomoku_vct {
    gomoku_field *field;
    gomoku_vcf vcf;
    gomoku_vct_entry *table;
    uint64_t mask, last, held;  /* as in vcf.h */
    gomoku_vct_child *children; /* of the current line, one list behind the other */
    size_t children_used, children_room;
    int attacker;
    bool all;
    uint64_t vcf_limit; /* nodes for one search for fours */
    uint64_t nodes, limit;
    bool (*go_on)(void *context, uint64_t nodes); /* may be NULL; asked now and then */
    void *context;
    int left;        /* threats that are no fours the attacker may still make */
    bool cut;        /* one more might have helped */
    bool stopped;    /* a limit was reached */
    bool incomplete; /* a search for fours was cut short */
} gomoku_vct;

/* The tables take at most so many bytes together. */
ply_status gomoku_vct_init(gomoku_vct *v, gomoku_field *field, size_t bytes);
void gomoku_vct_free(gomoku_vct *v);
/* Whether the attacker, who is to move, wins. The field comes back as it was. */
gomoku_verdict gomoku_vct_solve(gomoku_vct *v, int attacker, bool all, uint64_t nodes);

/* After a win, in a position of it where the attacker moves and does not win by fours: his move, or
 * -1 when it cannot be found again. Positions are those on the field. */
int gomoku_vct_winner(gomoku_vct *v);
/* Forgets everything. */
void gomoku_vct_clear(gomoku_vct *v);
/* Memory held. */
size_t gomoku_vct_bytes(const gomoku_vct *v);

#endif
