/* SPDX-License-Identifier: MIT */
/*
 * emit.c - prints random early positions of 5D chess, one JSON object per line: the game as 5DPGN and
 * the number of distinct turns we find. Arguments: how many positions, and a seed.
 */
#include "core/text/json_write.h"
#include "games/fived/fived.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mostly sets without pawns, and short games: 5d-chess-js misses some en-passant captures. */
static const struct {
    const char *id;
    int turns;
} sets[] = {
    {"focused-just-knights", 5},
    {"focused-just-rooks", 5},
    {"focused-just-bishops", 5},
    {"focused-just-queens", 5},
    {"focused-just-unicorns", 5},
    {"focused-just-dragons", 5},
    {"focused-just-kings", 8},
    {"misc-king-of-kings", 5},
    {"misc-royal-queen-showdown", 5},
    {"checkmate-practice-knight", 6},
    {"checkmate-practice-rook", 6},
    {"very-small-open", 3},
    {"small", 3},
    {"focused-just-brawns", 2},
    {"standard", 3},
};

enum { MOST = 300 };

static void emit(const ply_record *record, uint64_t distinct)
{
    ply_text pgn = ply_text_growing(), out = ply_text_growing();
    if (ply_format_find(record->rules.game, "5dpgn")->write(record, &pgn, NULL) == PLY_OK) {
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "pgn", ply_text_cstr(&pgn));
        ply_json_member_unsigned(&out, "distinct", distinct);
        ply_json_close(&out, '}');
        puts(ply_text_cstr(&out));
    }
    ply_text_free(&pgn);
    ply_text_free(&out);
}

int main(int argc, char **argv)
{
    const ply_game *game = ply_game_find("5dchess");
    int remaining = argc > 1 ? atoi(argv[1]) : 50;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t n = 0; remaining > 0; n++) {
        ply_rng rng = ply_rng_make(seed, n);
        ply_rules rules, any;
        ply_state state;
        ply_record record;
        size_t k = n % (sizeof sets / sizeof sets[0]);
        char name[96];
        snprintf(name, sizeof name, "%s:promotion=0", sets[k].id);
        if (ply_rules_make(&rules, game, name, NULL) != PLY_OK ||
            ply_state_init(&state, &rules) != PLY_OK || ply_record_init(&record, &rules) != PLY_OK)
            return 1;
        /* 5d-chess-js needs the boards themselves. */
        const char *boards = rules.variant->data;
        any = rules;
        ply_record_set_start(&record, boards, strlen(boards));
        uint32_t node = 0;
        int turns = (int)ply_rng_below(&rng, (uint32_t)sets[k].turns);
        for (int t = 0; t < turns;) {
            size_t count = game->count(&any, state.position);
            if (count == 0)
                break;
            ply_move move = game->nth(&any, state.position, ply_rng_below(&rng, (uint32_t)count));
            ply_state_play(&state, move);
            ply_record_add(&record, node, move, &node);
            t += move == FIVED_SUBMIT;
        }
        bool complete = node == 0 || record.nodes[node].move == FIVED_SUBMIT;
        uint64_t distinct = rules.counting->perft(&rules, state.position, 1, 1);
        if (complete && distinct <= MOST) {
            emit(&record, distinct);
            remaining--;
        }
        ply_record_free(&record);
        ply_state_free(&state);
    }
    return 0;
}
