/* SPDX-License-Identifier: MIT */
/*
 * emit.c - prints positions of English checkers with our moves, for oracle.mjs to compare.
 *
 *     emit COUNT SEED
 *
 * Half of the positions are from random games, half have pieces on random squares. A line is
 *
 *     TURN BLACKMEN BLACKKINGS WHITEMEN WHITEKINGS
 *
 * in hexadecimal by square index, then for each move
 *
 *     | FROM TO CAPTURED BLACKMEN BLACKKINGS WHITEMEN WHITEKINGS
 *
 * with the boards after it. A '!' before FROM marks a move whose piece returns to its first square
 * on the way or at the end.
 */
#include "games/checkers/checkers.h"
#include <inttypes.h>
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>

static void print_boards(const checkers_position *p)
{
    printf(" %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32, checkers_pack(p->black_men),
           checkers_pack(p->black_kings), checkers_pack(p->white_men),
           checkers_pack(p->white_kings));
}

typedef struct return_search {
    ply_move move;
    bool returns;
} return_search;

static void check_return(void *context, const checkers_path *path)
{
    return_search *s = context;
    for (int i = 1; path->move == s->move && i < path->count; i++)
        s->returns = s->returns || path->square[i] == path->square[0];
}

static void print_position(const ply_rules *rules, const checkers_position *p)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = rules->game->moves(rules, p, moves);
    printf("%d", p->turn);
    print_boards(p);
    for (size_t i = 0; i < count; i++) {
        checkers_position child = *p;
        checkers_undo_info undo;
        rules->game->play(rules, &child, moves[i], &undo);
        return_search s = {.move = moves[i]};
        checkers_visit_captures(rules, p, check_return, &s);
        printf(" | %s%d %d %" PRIx32, s.returns ? "!" : "", checkers_move_from(moves[i]),
               checkers_move_to(moves[i]), checkers_move_captured(moves[i]));
        print_boards(&child);
    }
    putchar('\n');
}

static void random_position(checkers_position *p, ply_rng *rng)
{
    *p = (checkers_position){.turn = (uint8_t)ply_rng_below(rng, 2)};
    for (int kind = 0; kind < 4; kind++)
        for (uint32_t left = ply_rng_below(rng, 7); left > 0; left--) {
            uint64_t square = checkers_square((int)ply_rng_below(rng, 32));
            bool crowned = (square & checkers_crown_row(kind / 2)) != 0;
            if (!(checkers_occupied(p) & square) && (kind % 2 || !crowned))
                p->board[kind / 2][kind % 2] |= square;
        }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    long wanted = strtol(argv[1], NULL, 10);
    uint64_t seed = strtoull(argv[2], NULL, 10);
    ply_rules rules;
    if (ply_rules_make(&rules, ply_game_find("checkers"), "english", NULL) != PLY_OK)
        return 1;
    for (uint64_t stream = 0; wanted > 0; stream++) {
        ply_rng rng = ply_rng_make(seed, stream);
        checkers_position p;
        if (stream % 40 != 0) {
            random_position(&p, &rng);
            print_position(&rules, &p);
            wanted--;
            continue;
        }
        rules.game->start(&rules, &p);
        ply_move moves[CHECKERS_MAX_MOVES];
        size_t count;
        for (int ply = 0; ply < 120 && wanted > 0; ply++) {
            print_position(&rules, &p);
            wanted--;
            if ((count = rules.game->moves(&rules, &p, moves)) == 0)
                break;
            checkers_undo_info undo;
            rules.game->play(&rules, &p, moves[ply_rng_below(&rng, (uint32_t)count)], &undo);
        }
    }
    return 0;
}
