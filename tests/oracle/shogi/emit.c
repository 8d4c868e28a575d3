/* SPDX-License-Identifier: MIT */
/*
 * emit.c - generates the positions and games that the oracles check.
 *
 *     emit positions N SEED    N lines: SFEN, '|', the legal moves in USI notation; from random games,
 *                              including late positions with full hands
 *     emit games N SEED        N lines of JSON: one game as usi, csa, kif, ki2 and jkf
 */
#include "core/text/json_write.h"
#include "games/shogi/notation/record_reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const starts[] = {
    NULL,
    NULL,
    NULL,
    "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "ppplkl1pp/b2p1p3/9/9/9/B8/9/5P1P1/PPPP1LKLP b R2G2S2N2Pr2g2s2n2p 1",
    "7lk/9/8S/9/9/9/9/7L1/8K b P 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 9P9p 1",
};

enum { STARTS = sizeof starts / sizeof starts[0] };

static void open_state(ply_state *state, const ply_rules *rules, const char *start)
{
    if (ply_state_init(state, rules) != PLY_OK ||
        (start && ply_state_parse(state, start, strlen(start), NULL) != PLY_OK))
        abort();
}

static bool play_random(ply_state *state, ply_rng *rng)
{
    uint32_t count = (uint32_t)shogi_count(state->rules, state->position);
    return count > 0 && ply_state_play(state, shogi_nth(state->rules, state->position,
                                                        ply_rng_below(rng, count))) == PLY_OK;
}

static void emit_position(const ply_state *state)
{
    ply_text line = ply_text_growing();
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves(state->rules, state->position, moves);
    shogi_format(NULL, state->position, &line);
    ply_text_char(&line, '|');
    for (size_t i = 0; i < count; i++) {
        ply_text_char(&line, i ? ' ' : '|');
        shogi_format_move(NULL, NULL, moves[i], &line);
    }
    puts(ply_text_cstr(&line));
    ply_text_free(&line);
}

static void emit_positions(const ply_rules *rules, long wanted, uint64_t seed)
{
    for (uint64_t g = 0; wanted > 0; g++) {
        ply_rng rng = ply_rng_make(seed, g);
        ply_state state;
        open_state(&state, rules, starts[g % STARTS]);
        for (int ply = 0; ply < 500 && wanted > 0; ply++) {
            if (ply_rng_below(&rng, 5) == 0 || ply == 0) {
                emit_position(&state);
                wanted--;
            }
            if (!play_random(&state, &rng))
                break;
        }
        ply_state_free(&state);
    }
}

static void emit_game(const ply_rules *rules, uint64_t seed, uint64_t g)
{
    static const struct {
        const char *name;
        ply_status (*write)(const ply_record *, ply_text *, ply_error *);
    } formats[] = {{"usi", shogi_kifu_write_usi},
                   {"csa", shogi_kifu_write_csa},
                   {"kif", shogi_kifu_write_kif},
                   {"ki2", shogi_kifu_write_ki2},
                   {"jkf", shogi_kifu_write_jkf}};
    ply_rng rng = ply_rng_make(seed, g);
    ply_record record;
    ply_state state;
    const char *start = starts[g % STARTS];
    if (ply_record_init(&record, rules) != PLY_OK ||
        (start && ply_record_set_start(&record, start, strlen(start)) != PLY_OK))
        abort();
    open_state(&state, rules, start);
    uint32_t node = 0, length = 20 + ply_rng_below(&rng, 180);
    while (state.plies < length && play_random(&state, &rng)) {
        if (ply_record_add(&record, node, state.moves[state.plies - 1], &node) != PLY_OK)
            abort();
        record.nodes[node].millis = (int32_t)ply_rng_below(&rng, 100) * 1000;
    }
    ply_text line = ply_text_growing();
    ply_json_open(&line, '{');
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        ply_text text = ply_text_growing();
        if (formats[i].write(&record, &text, NULL) != PLY_OK)
            abort();
        ply_json_member_string(&line, formats[i].name, ply_text_cstr(&text));
        ply_text_free(&text);
    }
    ply_json_close(&line, '}');
    puts(ply_text_cstr(&line));
    ply_text_free(&line);
    ply_state_free(&state);
    ply_record_free(&record);
}

int main(int argc, char **argv)
{
    ply_rules rules;
    if (argc != 4 || ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL) != PLY_OK)
        return 2;
    long count = atol(argv[2]);
    uint64_t seed = (uint64_t)atoll(argv[3]);
    if (strcmp(argv[1], "positions") == 0)
        emit_positions(&rules, count, seed);
    else
        for (long g = 0; g < count; g++)
            emit_game(&rules, seed, (uint64_t)g);
    return 0;
}
