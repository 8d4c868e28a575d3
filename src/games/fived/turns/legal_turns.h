/* SPDX-License-Identifier: MIT */
/*
 * legal_turns.h - all legal turns of a position, or whether there is one.
 *
 * The turn of a player is a set of moves within boards and hops between line ends, which commute,
 * and a sequence of branches, which make new lines in their order. It is searched as a problem of
 * constraints. The variables ("axes") are the player's end boards and the new lines; the value of
 * an axis is the board that would be appended there:
 *
 *     end board    pass | a move within it | leave by a jump | arrival of a hop from another
 *     new line     arrival of a branch
 *
 * For a fixed number of new lines it is known which lines will be active, hence which end boards
 * must be played. Every value that would let the enemy capture a royal piece is thrown out by the
 * masks of its slot (multiverse_view.h), first against the boards there are, then again after each choice:
 * so each choice sees all the threats it makes together with the choices before it. The axis with
 * the fewest values left, weighted by how often it has failed, is tried first. The last axis is
 * counted, not tried.
 *
 * When only existence is asked, axes that need not be played pass, and new lines are filled last:
 * first what the turn needs (the branch that moves the present back, the branches by which boards
 * are left), on any free line where it is safe, then whatever fills the lines before them.
 *
 * The search is quick where turns are plenty or threats few, which is nearly always; where it has
 * worked in vain for some time, turn_sat.h answers instead.
 *
 * A search object keeps its memory from one position to the next.
 */
#ifndef PLY_GAMES_FIVED_TURNS_LEGAL_TURNS_H
#define PLY_GAMES_FIVED_TURNS_LEGAL_TURNS_H

#include "core/array.h"
#include "games/fived/turns/multiverse_view.h"

/* A move within a board, as the squares it changes. */
typedef struct fived_inner {
    uint64_t from, to, taken, royal_to;
    uint32_t axis;
    uint8_t from_square, to_square, becomes;
} fived_inner;

/* A jump to another board; a hop or a branch by the time it is played. */
typedef struct fived_jump {
    const fived_board *target;
    int32_t l, v;        /* of the target */
    int32_t source;      /* axis */
    int32_t destination; /* axis if the target is the player's end board, else -1 */
    uint8_t from_square, to_square, becomes;
    bool royal;
} fived_jump;

typedef struct fived_axis {
    const fived_board *board;
    int32_t l, v;
    uint32_t inner, inner_count; /* moves within the board */
    uint32_t jump, jump_count;   /* jumps from it, by square */
    uint32_t hop, hop_count;     /* hops onto it: a range of hop_index */
    uint64_t leave;              /* squares from which a jump is possible */
    uint64_t royals, empty;
    uint64_t weight; /* how often it had no value left */
} fived_axis;

/* What is left of an axis after some choices. */
typedef struct fived_domain {
    uint64_t attackers, y, through; /* of the slot: see multiverse_view.h */
    uint64_t leave;
    uint32_t ids, count; /* moves within the board: a range of the stack of ids */
} fived_domain;

typedef struct fived_choice {
    uint8_t type; /* enum fived_move_type */
    uint32_t id;  /* of an inner move or a jump */
} fived_choice;

typedef bool fived_visit(void *context, const ply_move *moves, size_t count);

struct fived_tangle;

/* The search until it gets lost, then clauses; the search alone; clauses at every step. */
enum fived_method { FIVED_MIXED, FIVED_PLAIN, FIVED_TANGLED };

typedef struct fived_search {
    const ply_rules *rules;
    const fived_position *position;
    fived_view view;
    int *line_axis; /* by l - view.base: the axis of a line, or -1 */
    fived_axis *axes;
    fived_inner *inner;
    fived_jump *jumps;
    uint32_t *hop_index;
    uint32_t *ids;
    uint8_t *safe;       /* by board: memory of "no check on the board itself" */
    uint32_t *safe_base; /* by line */
    fived_board *boards; /* what is tried, one for each axis and each new line */
    fived_domain **levels;
    uint8_t *status, *required, *must, *left_from;
    int32_t *left_by; /* the new line its branch made, -1 for none */
    int32_t *limit;   /* a branch may leave it only for a new line before this one */
    uint32_t *guide;  /* the move within the board in the turn found last, or UINT32_MAX */
    uint8_t *used;    /* by new line: whether it has its board */
    fived_choice *choices, *spare_choices, *kept; /* being tried; for clauses; of the turn kept */
    ply_move *turn;
    uint64_t *seen; /* keys of results, for counting distinct ones */
    size_t line_room, axis_room, inner_room, jump_room, hop_room, id_room, safe_room, level_room;
    size_t seen_room, seen_count;
    uint32_t axis_count, inner_count, jump_count, id_count, choice_count;
    int new_lines_max; /* no turn makes more new lines */

    /* the search under way */
    int new_lines;            /* how many there may be */
    int new_least;            /* how many there must be; the same where turns are listed */
    int new_next;             /* how many have their board */
    int new_active;           /* how many of them are active, counted from the first */
    int pending, open;        /* axes that wait for a new line; that are undecided */
    int shift_rule, earliest; /* see legal_turns.c */
    bool shifted, dead, distinct, exists, stop;
    uint64_t total, key;
    /* keep_turn: a turn that answers fived_search_exists or _viable is written to turn and kept. */
    bool keep_turn, keep_around;
    size_t turn_count;
    uint32_t kept_count;
    fived_domain *around; /* by axis: its slot with the rest of the turn kept in place */
    uint8_t *alone;       /* by axis: no jump of the turn kept leaves it or comes to it */
    /* May be NULL: asked now and then; true makes the search halt without an answer. */
    bool (*halt)(void *context);
    void *halt_context;
    bool halted;
    uint32_t steps;
    uint8_t *viable; /* by inner move, then by jump: set where a legal turn is known to begin so */
    size_t viable_room;
    uint8_t marking; /* see turns_internal.h */
    fived_visit *visit;
    void *context;
    ply_status status_code; /* PLY_NO_MEMORY when memory ran out on the way */

    /* Where the search gets lost, turn_sat.h takes over. */
    struct fived_tangle *tangle;
    bool tangle_ready;                /* it holds this position */
    bool lost;                        /* the search gave up */
    uint8_t method;                   /* enum fived_method; others than FIVED_MIXED are for tests */
    uint64_t work, work_limit;        /* slots looked at for this question; when to give up */
    uint64_t effort;                  /* the same for all questions, clauses included */
    uint64_t found, idle, idle_found; /* turns found; steps since, and then */
} fived_search;

void fived_search_init(fived_search *s);
void fived_search_free(fived_search *s);

/*
 * Lists the candidates of a position. The search reads the position from then on, so it must not
 * change until the next call.
 */
ply_status fived_search_prepare(fived_search *s, const ply_rules *rules, const fived_position *p);

/* How many legal turns there are; distinct: results that differ. */
uint64_t fived_search_count(fived_search *s, bool distinct);
/* Calls visit for each turn, its moves in playing order with the submit, until visit says false. */
void fived_search_each(fived_search *s, bool distinct, fived_visit *visit, void *context);
/* Whether there is a legal turn; no_shift: one that does not move the present back. */
bool fived_search_exists(fived_search *s, bool no_shift);
/*
 * Finds which candidates begin a legal turn: fills s->viable. False when there is no legal turn at
 * all (or memory is out).
 */
bool fived_search_mark(fived_search *s);
/* Whether a legal turn begins with this move, which is one of the candidates. */
bool fived_search_viable(fived_search *s, bool is_jump, uint32_t id);

/* After the position has been changed and put back: its rows may have moved. */
void fived_search_rebind(fived_search *s);

/* Whether the player could lose a royal piece at once by passing (legal.c); a prepared search. */
bool fived_in_check(fived_search *s, const ply_rules *rules, const fived_position *p);

/* candidate_moves.c: fills axes, moves within boards and jumps. */
ply_status fived_search_candidates(fived_search *s);

static inline ply_move fived_inner_move(const fived_search *s, uint32_t id)
{
    const fived_inner *m = &s->inner[id];
    const fived_axis *a = &s->axes[m->axis];
    fived_spot from = {a->l, a->v >> 1, m->from_square & 7, m->from_square >> 3};
    fived_spot to = {a->l, a->v >> 1, m->to_square & 7, m->to_square >> 3};
    return fived_move_make(from, to, m->becomes);
}

static inline ply_move fived_jump_move(const fived_search *s, uint32_t id)
{
    const fived_jump *j = &s->jumps[id];
    const fived_axis *a = &s->axes[j->source];
    fived_spot from = {a->l, a->v >> 1, j->from_square & 7, j->from_square >> 3};
    fived_spot to = {j->l, j->v >> 1, j->to_square & 7, j->to_square >> 3};
    return fived_move_make(from, to, j->becomes);
}

#endif
