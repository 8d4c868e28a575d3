/* SPDX-License-Identifier: MIT */
/*
 * test_design_note.c - the design note as <plyverse/shogi.h> offers it: its numbers, the attack
 * analysis, the three modes and the 80-byte save, through the public header alone.
 *
 * The referee works with coordinates and the distance between two squares, and knows neither steps
 * nor flows: a piece attacks a square if the distance suits it and nothing stands between.
 */
#include "support/support.h"
#include <plyverse/shogi.h>
#include <stdlib.h>
#include <string.h>

/* --- the referee ---------------------------------------------------------------------------- */
static int sign_of(int n)
{
    return (n > 0) - (n < 0);
}

/* Whether a piece of a type moves by (right, ahead) squares, as seen by its owner; *slides: along a
 * line of any length. */
static bool reaches(int type, int right, int ahead, bool *slides)
{
    bool near = abs(right) <= 1 && abs(ahead) <= 1;
    bool straight = right == 0 || ahead == 0, diagonal = abs(right) == abs(ahead);
    *slides = false;
    switch (type) {
    case SHOGI_PAWN:
        return right == 0 && ahead == 1;
    case SHOGI_KNIGHT:
        return abs(right) == 1 && ahead == 2;
    case SHOGI_SILVER:
        return near && (diagonal || (right == 0 && ahead == 1));
    case SHOGI_GOLD:
        return near && (straight || ahead == 1);
    case SHOGI_KING:
        return near;
    case SHOGI_LANCE:
        return *slides = right == 0 && ahead > 0;
    case SHOGI_BISHOP:
        return *slides = diagonal;
    case SHOGI_ROOK:
        return *slides = straight;
    case SHOGI_HORSE:
        *slides = diagonal;
        return diagonal || near;
    default:
        *slides = straight;
        return straight || near;
    }
}

typedef enum attack_kind { NO_ATTACK, DIRECT, FLOW } attack_kind;

/* How piece `number` attacks a square other than its own. `removed` is a square to be treated as
 * empty and `added` one to be treated as occupied; -1: none. */
static attack_kind attack_of(const shogi_piece_list *list, int number, int square, int removed,
                             int added)
{
    int from = list->goma_pos[number], code = list->goma_cde[number];
    int right = square % 11 - from % 11, down = square / 11 - from / 11;
    int turn = code & 16 ? -1 : 1;
    bool slides;
    if (!reaches(shogi_code_type(code), right * turn, -down * turn, &slides))
        return NO_ATTACK;
    if (!slides)
        return DIRECT;
    int step_right = sign_of(right), step_down = sign_of(down);
    int column = from % 11 + step_right, rank = from / 11 + step_down;
    for (; rank * 11 + column != square; column += step_right, rank += step_down) {
        int at = rank * 11 + column;
        if (at == added || (at != removed && list->board[at]))
            return NO_ATTACK;
    }
    return FLOW;
}

static bool is_enemy_on_board(const shogi_piece_list *list, int number, int side)
{
    return list->goma_pos[number] < 97 && ((list->goma_cde[number] >> 4) & 1) != side;
}

/* The number of pieces that attack the king of `side`, with changes as in attack_of. A piece of the
 * enemy on `added` has been captured. */
static int count_checkers(const shogi_piece_list *list, int side, int removed, int added)
{
    int king = list->goma_pos[1 + side], count = 0;
    for (int n = 1; king < 97 && n <= 40; n++)
        if (is_enemy_on_board(list, n, side) && list->goma_pos[n] != added)
            count += attack_of(list, n, king, removed, added) != NO_ATTACK;
    return count;
}

/* --- many positions ------------------------------------------------------------------------- */
static const char *const starts[] = {
    NULL,
    "9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "ppplkl1pp/b2p1p3/9/9/9/B8/9/5P1P1/PPPP1LKLP b R2G2S2N2Pr2g2s2n2p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
    "9/9/9/9/4K4/9/9/9/9 w rbgsnlp 1",
    "4k4/9/9/9/9/9/4r4/2b6/4KG1r1 b 9P9p 1",
    "lr5nl/3g1kg2/2n1pp1pp/p1pps1p2/1p7/P1PP1SP2/1PSGPP2P/1KG2+b3/LN3R1NL b BPs 1",
};

/* Calls visit on random positions; the state is at the position, the list describes it. */
static void visit_positions(void (*visit)(ply_state *, const shogi_piece_list *), int games,
                            int plies, uint64_t seed)
{
    ply_rules rules;
    test_make_rules(&rules, "shogi", ":impasse=none");
    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++)
        for (int g = 0; g < games; g++) {
            ply_rng rng = ply_rng_make(seed + s, (uint64_t)g);
            ply_state state;
            test_make_state(&state, &rules, starts[s]);
            shogi_piece_list list;
            shogi_piece_list_from_position(shogi_position_of(&state), &list);
            for (int ply = 0; ply < plies; ply++) {
                ply_move moves[SHOGI_MAX_MOVES];
                visit(&state, &list);
                size_t count =
                    shogi_moves_of_mode(shogi_position_of(&state), SHOGI_STANDARD, moves);
                if (count == 0)
                    break;
                ply_move move = moves[ply_rng_below(&rng, (uint32_t)count)];
                shogi_piece_list_play(&list, rules.game->side(&rules, state.position), move);
                assert_int_equal(ply_state_play(&state, move), PLY_OK);
            }
            ply_state_free(&state);
        }
}

static int side_of(const ply_state *state)
{
    return state->rules->game->side(state->rules, state->position);
}

/* --- the note's numbers --------------------------------------------------------------------- */
static void test_numbers(void **state)
{
    (void)state;
    /* The table of squares: the first and the last number of each rank, and the columns beside. */
    static const int first[9] = {0, 11, 22, 33, 44, 55, 66, 77, 88};
    for (int rank = 0; rank < 9; rank++) {
        assert_int_equal(shogi_square(0, rank), first[rank]);
        assert_int_equal(shogi_square(8, rank), first[rank] + 8);
        assert_false(shogi_is_square(shogi_step(first[rank], -1)));
        assert_false(shogi_is_square(shogi_step(first[rank] + 8, 1)));
    }
    assert_int_equal(shogi_step(0, -1), 255); /* -1 wraps around */
    assert_false(shogi_is_square(97));        /* Black's hand */
    assert_false(shogi_is_square(98));
    /* Black's knight jumps -23 and -21, White's 21 and 23. */
    const shogi_movement *black = shogi_movement_of(SHOGI_KNIGHT);
    const shogi_movement *white = shogi_movement_of(SHOGI_KNIGHT | SHOGI_CODE_WHITE);
    assert_int_equal(black->steps[0] * black->steps[1], -23 * -21);
    assert_int_equal(black->steps[0] + black->steps[1], -44);
    assert_int_equal(white->steps[0] + white->steps[1], 44);
    assert_int_equal(shogi_movement_of(SHOGI_PAWN)->steps[0], -11);
    /* 0 1 2 3 4 5 6 7 are 步兵 香車 桂馬 銀將 角行 飛車 金將 王將. */
    assert_int_equal(SHOGI_PAWN | SHOGI_LANCE << 4 | SHOGI_KNIGHT << 8 | SHOGI_SILVER << 12,
                     0x3210);
    assert_int_equal(SHOGI_BISHOP | SHOGI_ROOK << 4 | SHOGI_GOLD << 8 | SHOGI_KING << 12, 0x7654);
    assert_int_equal(SHOGI_CODE_PROMOTED | SHOGI_CODE_WHITE << 8 | SHOGI_CODE_HAND << 16, 0x201008);
    assert_int_equal(SHOGI_MOVE_PROMOTE, 16384);
    assert_int_equal(SHOGI_MOVE_DROP, 32768);
    assert_int_equal(SHOGI_SIMPLE + 10 * SHOGI_STANDARD + 100 * SHOGI_TSUME, 210);
    assert_int_equal(sizeof((shogi_piece_list *)0)->board, 97);
    assert_int_equal(sizeof((shogi_piece_list *)0)->goma_pos, 41 * sizeof(short));
    assert_int_equal(sizeof((shogi_piece_list *)0)->goma_cde, 41);
    assert_int_equal(SHOGI_SAVED_BYTES, 80);
    assert_int_equal(sizeof(shogi_pin[SHOGI_DIRECTIONS]), 16); /* indirect threats: 16 bytes */
}

/* A step in byte arithmetic stays on the board exactly if its coordinates do, for every piece. */
static void test_edge(void **state)
{
    (void)state;
    int steps = 0;
    for (int s = 0; s <= 96; s++)
        for (int code = 0; code < 32 && s % 11 <= 8; code++) {
            const shogi_movement *m = shogi_movement_of(code);
            for (int i = 0; i < 12; i++) {
                int step = i < 8 ? m->steps[i] : m->flows[i - 8];
                if (step == 0)
                    continue;
                int down = step < -14 ? -2 : step < -1 ? -1 : step < 2 ? 0 : step < 14 ? 1 : 2;
                int column = s % 11 + step - 11 * down, rank = s / 11 + down;
                bool inside = column >= 0 && column < 9 && rank >= 0 && rank < 9;
                assert_int_equal(shogi_is_square(shogi_step(s, step)), inside);
                steps++;
            }
        }
    /* 8 + 4 + 5 + ... steps and flows per colour: 1 P 1 L 2 N 5 S 4 B 4 R 6 G 8 K, promoted 6 6 6 6
     * 8 8, and two unused codes that count as P. */
    assert_true(steps > 81 * 2 * (1 + 1 + 2 + 5 + 4 + 4 + 6 + 8 + 6 * 4 + 8 + 8));
}

/* --- attack analysis ------------------------------------------------------------------------ */
static unsigned positions_seen, checks_seen, double_checks_seen, pins_seen, no_drops_seen;

static void compare_graphs(const shogi_piece_list *list, int side, const shogi_analysis *a)
{
    for (int s = 0; s <= 96; s++) {
        int direct = 0, flow = 0;
        for (int n = 1; s % 11 <= 8 && n <= 40; n++) {
            if (!is_enemy_on_board(list, n, side) || list->goma_pos[n] == s)
                continue;
            attack_kind kind = attack_of(list, n, s, -1, -1);
            if (kind == DIRECT)
                direct = n;
            if (kind == FLOW) {
                int step = 11 * sign_of(s / 11 - list->goma_pos[n] / 11) +
                           sign_of(s % 11 - list->goma_pos[n] % 11);
                for (int d = 0; d < 8; d++)
                    flow |= (shogi_direction_step(d) == step) << d;
            }
        }
        assert_int_equal(a->direct[s], direct);
        assert_int_equal(a->flow[s], flow);
    }
}

/* A piece is pinned if its removal adds a check. */
static void compare_pins(const shogi_piece_list *list, int side, const shogi_analysis *a)
{
    int king = list->goma_pos[1 + side], pins = 0;
    for (int n = 1; n <= 40; n++) {
        bool own = list->goma_pos[n] < 97 && ((list->goma_cde[n] >> 4) & 1) == side;
        int attacker = 0;
        for (int e = 1; own && n != 1 + side && king < 97 && e <= 40; e++)
            if (is_enemy_on_board(list, e, side) &&
                attack_of(list, e, king, list->goma_pos[n], -1) != NO_ATTACK &&
                attack_of(list, e, king, -1, -1) == NO_ATTACK)
                attacker = e;
        assert_int_equal(a->pinned[n] != 0, attacker != 0);
        if (!attacker)
            continue;
        int direction = a->pinned[n] - 1, at = king;
        assert_int_equal(a->pins[direction].blocker, n);
        assert_int_equal(a->pins[direction].attacker, attacker);
        do
            at += shogi_direction_step(direction);
        while (list->board[at] == 0);
        assert_int_equal(at, list->goma_pos[n]);
        pins++;
    }
    for (int d = 0; d < 8; d++)
        pins -= a->pins[d].blocker != 0;
    assert_int_equal(pins, 0);
}

/* A single check is answered where one more piece leaves the king unattacked. */
static void compare_defence(const shogi_piece_list *list, int side, const shogi_analysis *a)
{
    bool direct = false;
    for (int n = 1, i = 0; n <= 40; n++)
        if (is_enemy_on_board(list, n, side) && a->king < 97) {
            attack_kind kind = attack_of(list, n, a->king, -1, -1);
            if (kind != NO_ATTACK)
                assert_int_equal(a->checkers[i++], n);
            direct |= kind == DIRECT;
        }
    for (int s = 0; s <= 96; s++) {
        int there = list->board[s];
        bool own = there && ((list->goma_cde[there] >> 4) & 1) == side;
        bool answers =
            a->checker_count == 1 && s % 11 <= 8 && !own && count_checkers(list, side, -1, s) == 0;
        assert_int_equal(a->defence[s], answers);
    }
    assert_int_equal(a->no_drops, a->checker_count == 1 && direct);
}

static void check_analysis(ply_state *state, const shogi_piece_list *list)
{
    for (int side = 0; side < 2; side++) {
        shogi_analysis a;
        shogi_analyse(list, side, &a);
        int checkers = count_checkers(list, side, -1, -1);
        assert_int_equal(a.king, list->goma_pos[1 + side] < 97 ? list->goma_pos[1 + side] : 127);
        assert_int_equal(a.checker_count, checkers);
        assert_int_equal(a.in_check, checkers > 0);
        assert_int_equal(a.double_check, checkers > 1);
        assert_int_equal(shogi_in_check(shogi_position_of(state), side), checkers > 0);
        compare_graphs(list, side, &a);
        compare_pins(list, side, &a);
        compare_defence(list, side, &a);
        positions_seen++;
        checks_seen += a.in_check;
        double_checks_seen += a.double_check;
        no_drops_seen += a.no_drops;
        for (int n = 1; n <= 40; n++)
            pins_seen += a.pinned[n] != 0;
    }
}

static void test_analysis(void **state)
{
    (void)state;
    visit_positions(check_analysis, test_is_long() ? 200 : 20, 150, 100);
    assert_true(positions_seen > 20000);
    assert_true(checks_seen > 800);
    assert_true(double_checks_seen > 3);
    assert_true(pins_seen > 2000);
    assert_true(no_drops_seen > 300);
}

/* A king attacked from all eight directions and by two knights: only the king may move. */
static void test_ten_checkers(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state position;
    shogi_piece_list list;
    shogi_analysis a;
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&position, &rules, "8k/9/3n1n3/3+p+p+p3/3+pK+p3/3s+ps3/9/9/9 b 2R2B4G2L 1");
    shogi_piece_list_from_position(shogi_position_of(&position), &list);
    check_analysis(&position, &list);
    shogi_analyse(&list, SHOGI_BLACK, &a);
    assert_int_equal(a.checker_count, SHOGI_MAX_CHECKERS);
    assert_true(a.double_check);
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(shogi_position_of(&position), SHOGI_SIMPLE, moves);
    for (size_t i = 0; i < count; i++)
        assert_true(moves[i] < SHOGI_MOVE_DROP && shogi_move_from(moves[i]) == a.king);
    ply_state_free(&position);
}

/* --- modes ---------------------------------------------------------------------------------- */
static bool is_pawn_drop(ply_move move)
{
    return move >= 32768 && (move & 127) == 0;
}

/* Every move that the pieces could make if no king mattered: steps, promotions and drops. */
static size_t pseudo_legal(const shogi_piece_list *list, int side, ply_move *out)
{
    size_t count = 0;
    unsigned pawns = 0, held = 0;
    for (int n = 1; n <= 40; n++) {
        int from = list->goma_pos[n], code = list->goma_cde[n];
        held |= (unsigned)(from == 97 + side) << (code & 7);
        if (from > 96 || ((code >> 4) & 1) != side)
            continue;
        pawns |= (unsigned)((code & 15) == 0) << (from % 11);
        for (int to = 0; to <= 96; to++) {
            int there = list->board[to], left = side ? 8 - to / 11 : to / 11;
            if (to % 11 > 8 || to == from || attack_of(list, n, to, -1, -1) == NO_ATTACK ||
                (there && ((list->goma_cde[there] >> 4) & 1) == side))
                continue;
            bool zone = side ? from > 65 || to > 65 : from < 31 || to < 31;
            bool stuck =
                !(code & 8) && (((code & 7) <= 1 && left < 1) || ((code & 7) == 2 && left < 2));
            if (!stuck)
                out[count++] = (ply_move)(from | to << 7);
            if (zone && (code & 15) < 6)
                out[count++] = (ply_move)(from | to << 7 | 16384);
        }
    }
    for (int kind = 0; kind < 7; kind++)
        for (int to = 0; (held >> kind & 1) && to <= 96; to++) {
            int left = side ? 8 - to / 11 : to / 11;
            bool stuck = (kind <= 1 && left < 1) || (kind == 2 && left < 2);
            if (to % 11 <= 8 && !list->board[to] && !stuck &&
                !(kind == 0 && (pawns >> (to % 11) & 1)))
                out[count++] = (ply_move)(kind | to << 7 | 32768);
        }
    return count;
}

/* The pseudo-legal moves that leave the own king unattacked: mode simple. */
static size_t simple_moves(const shogi_piece_list *list, int side, ply_move *out)
{
    ply_move all[2048];
    size_t count = pseudo_legal(list, side, all), kept = 0;
    for (size_t i = 0; i < count; i++) {
        shogi_piece_list after = *list;
        shogi_piece_list_play(&after, side, all[i]);
        if (count_checkers(&after, side, -1, -1) == 0)
            out[kept++] = all[i];
    }
    return kept;
}

static int compare_moves(const void *a, const void *b)
{
    ply_move x = *(const ply_move *)a, y = *(const ply_move *)b;
    return (x > y) - (x < y);
}

static void compare_lists(const shogi_position *p, int mode, ply_move *expected, size_t count)
{
    ply_move ours[SHOGI_MAX_MOVES];
    assert_int_equal(shogi_moves_of_mode(p, mode, ours), count);
    qsort(ours, count, sizeof ours[0], compare_moves);
    qsort(expected, count, sizeof expected[0], compare_moves);
    assert_memory_equal(ours, expected, count * sizeof ours[0]);
}

static unsigned pawn_drops_seen, pawn_drop_mates_seen, tsume_moves_seen;

static void check_modes(ply_state *state, const shogi_piece_list *list)
{
    const shogi_position *p = shogi_position_of(state);
    int side = side_of(state);
    ply_move simple[2048], standard[2048], tsume[2048];
    size_t simple_count = simple_moves(list, side, simple), standard_count = 0, tsume_count = 0;
    for (size_t i = 0; i < simple_count; i++) {
        shogi_piece_list after = *list;
        ply_move replies[2048];
        shogi_piece_list_play(&after, side, simple[i]);
        bool checks = count_checkers(&after, !side, -1, -1) > 0;
        bool mates = is_pawn_drop(simple[i]) && checks && simple_moves(&after, !side, replies) == 0;
        if (is_pawn_drop(simple[i])) {
            assert_int_equal(shogi_is_pawn_drop_mate(p, shogi_move_to(simple[i])), mates);
            pawn_drops_seen++;
            pawn_drop_mates_seen += mates;
        }
        if (mates)
            continue;
        standard[standard_count++] = simple[i];
        if (checks)
            tsume[tsume_count++] = simple[i];
    }
    tsume_moves_seen += (unsigned)tsume_count;
    compare_lists(p, SHOGI_SIMPLE, simple, simple_count);
    compare_lists(p, SHOGI_STANDARD, standard, standard_count);
    compare_lists(p, SHOGI_TSUME, tsume, tsume_count);
}

/* Pawn drops that give mate are rare in random games, so some are set up. */
static void test_modes(void **state)
{
    (void)state;
    static const struct {
        const char *position;
        unsigned mates;
    } drops[] = {
        {"7lk/9/8S/9/9/9/9/9/8K b P 1", 1},      /* the lance cannot capture on 1b */
        {"k8/9/9/9/9/9/s8/9/KL7 w p 1", 1},      /* the same for White, on 9h */
        {"7gk/9/8S/9/9/9/9/9/8K b P 1", 0},      /* the gold can */
        {"4kg2R/9/4G4/9/9/9/9/9/3L4K b P 1", 1}, /* the gold could capture, but it is pinned */
        {"4k4/9/4g4/9/9/9/9/9/4R3K b P 1", 0},   /* pinned, but along the file it captures on */
        {"7lk/8p/9/8S/9/9/9/9/8K b P 1", 0},     /* the square is not empty */
        {"7lk/9/8S/9/8P/9/9/9/8K b P 1", 0},     /* two pawns on a file */
    };
    visit_positions(check_modes, test_is_long() ? 40 : 3, 70, 200);
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    for (size_t i = 0; i < sizeof drops / sizeof drops[0]; i++) {
        ply_state position;
        shogi_piece_list list;
        unsigned before = pawn_drop_mates_seen;
        test_make_state(&position, &rules, drops[i].position);
        shogi_piece_list_from_position(shogi_position_of(&position), &list);
        check_modes(&position, &list);
        assert_int_equal(pawn_drop_mates_seen - before, drops[i].mates);
        ply_state_free(&position);
    }
    assert_true(pawn_drops_seen > 2000);
    assert_true(tsume_moves_seen > 500);
}

/* --- the 80-byte save ------------------------------------------------------------------------ */
static void text_of_save(const uint8_t *bytes, char *text)
{
    memcpy(text, "80:", 3);
    for (int i = 0; i < 80; i++)
        snprintf(text + 3 + 2 * i, 3, "%02X", bytes[i]);
}

static void check_save(ply_state *state, const shogi_piece_list *list)
{
    const shogi_position *p = shogi_position_of(state);
    uint8_t bytes[80], again[80], in_order[80];
    char text[164];
    ply_state loaded, parsed;
    ply_error error = {0};
    shogi_save(p, bytes);
    test_make_state(&loaded, state->rules, NULL);
    test_make_state(&parsed, state->rules, NULL);
    assert_int_equal(shogi_state_load(&loaded, bytes, &error), PLY_OK);
    text_of_save(bytes, text);
    assert_int_equal(ply_state_parse(&parsed, text, 163, &error), PLY_OK);
    const ply_game *game = state->rules->game;
    uint64_t key = game->hash(state->rules, state->position);
    assert_int_equal(game->hash(state->rules, loaded.position), key);
    assert_memory_equal(loaded.position, parsed.position, state->rules->position_bytes);
    assert_int_equal(side_of(&loaded), side_of(state));
    shogi_save(shogi_position_of(&loaded), again);
    assert_memory_equal(again, bytes, 80);
    /* The pieces in the order in which a game has numbered them load as the same position. */
    for (int n = 1; n <= 40; n++) {
        in_order[n - 1] = (uint8_t)list->goma_pos[n];
        in_order[39 + n] = list->goma_cde[n];
    }
    in_order[40] |= (uint8_t)(side_of(state) << 6);
    assert_int_equal(shogi_state_load(&loaded, in_order, &error), PLY_OK);
    assert_memory_equal(loaded.position, parsed.position, state->rules->position_bytes);
    ply_state_free(&loaded);
    ply_state_free(&parsed);
}

static void test_save(void **state)
{
    (void)state;
    visit_positions(check_save, test_is_long() ? 200 : 10, 150, 300);
}

/* Bytes that no position has are rejected where they stand; the state keeps its position. */
static void test_bad_bytes(void **state)
{
    (void)state;
    ply_rules rules, other;
    ply_state position, checkers;
    uint8_t bytes[80], before[80];
    char text[164];
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&position, &rules, NULL);
    shogi_save(shogi_position_of(&position), before);
    static const uint8_t off_board[] = {9, 10, 20, 21, 31, 86, 87, 97, 98, 100, 127, 128, 254, 255};
    for (int i = 0; i < 80; i++)
        for (size_t k = 0; k < sizeof off_board; k++) {
            ply_error error = {0};
            memcpy(bytes, before, 80);
            bytes[i] = i < 40 ? off_board[k] : (uint8_t)(0x80 | (before[i] + k));
            assert_int_equal(shogi_state_load(&position, bytes, &error), PLY_BAD_POSITION);
            assert_int_equal(error.offset, i);
            text_of_save(bytes, text);
            test_bad_position(&rules, text, (uint32_t)(4 + 2 * i), "piece");
            text_of_save(before, text);
            text[3 + 2 * i + (int)(k & 1)] = "gG/:@`xz .-+\n~"[k];
            test_bad_position(&rules, text, (uint32_t)(4 + 2 * i + (int)(k & 1)), "digit");
        }
    for (size_t length = 3; length < 163; length++) {
        text_of_save(before, text);
        text[length] = '\0';
        test_bad_position(&rules, text, (uint32_t)length + 1, "digit");
    }
    /* No byte is at fault when a king is in check out of turn. */
    ply_error error = {0};
    memcpy(bytes, before, 80);
    bytes[0] = 37; /* 5d, in front of a pawn */
    assert_int_equal(shogi_load(bytes, (shogi_position *)position.position, &error), PLY_OK);
    bytes[40] |= 0x40;
    assert_int_equal(shogi_state_load(&position, bytes, &error), PLY_BAD_POSITION);
    assert_int_equal(error.line, 0);
    assert_non_null(strstr(error.message, "Black is in check"));
    /* A state of another game. */
    test_make_rules(&other, "checkers", NULL);
    test_make_state(&checkers, &other, NULL);
    assert_int_equal(shogi_state_load(&checkers, before, &error), PLY_UNSUPPORTED);
    ply_state_free(&checkers);
    ply_state_free(&position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_edge),
        cmocka_unit_test(test_analysis),  cmocka_unit_test(test_ten_checkers),
        cmocka_unit_test(test_modes),     cmocka_unit_test(test_save),
        cmocka_unit_test(test_bad_bytes),
    };
    return cmocka_run_group_tests_name("shogi design note", tests, NULL, NULL);
}
