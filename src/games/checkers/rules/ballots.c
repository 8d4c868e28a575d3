/* SPDX-License-Identifier: MIT */
/*
 * ballots.c - English openings drawn by lot: three-move ballots and eleven-man ballots.
 *
 * The three-move deck is that of the American Checker Federation, in its order: 144 ballots for
 * cross-board play, 12 more for play by mail, and 18 that are barred because one side loses. An
 * eleven-man ballot removes one man from each side and plays a move by each, none of them from a
 * king row: 2500 positions, of which 100 lose a man and are barred.
 */
#include "games/checkers/rules/ballots.h"
#include <string.h>

const checkers_ballot checkers_ballots[CHECKERS_BALLOTS] = {
    {"9-13 21-17 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 21-17 6-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 21-17 10-14", NULL, CHECKERS_BALLOT_BARRED},
    {"9-13 22-17 13x22", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 22-18 6-9", "Dreaded Edinburgh", CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 22-18 10-14", "Inferno", CHECKERS_BALLOT_MAIL},
    {"9-13 22-18 10-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 22-18 11-15", "Edinburgh Single", CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 22-18 11-16", "Wilderness I", CHECKERS_BALLOT_MAIL},
    {"9-13 22-18 12-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-18 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-18 6-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-18 10-14", NULL, CHECKERS_BALLOT_BARRED},
    {"9-13 23-18 10-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-18 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-18 11-16", "Wilderness II", CHECKERS_BALLOT_MAIL},
    {"9-13 23-18 12-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-19 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-19 6-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-19 10-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 23-19 10-15", NULL, CHECKERS_BALLOT_MAIL},
    {"9-13 23-19 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-19 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-19 6-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-19 10-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-19 10-15", NULL, CHECKERS_BALLOT_BARRED},
    {"9-13 24-19 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-19 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-20 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-20 6-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-20 10-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-20 10-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-20 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-13 24-20 11-16", "Twilight Zone", CHECKERS_BALLOT_MAIL},
    {"9-13 24-20 12-16", "Dundee Barred", CHECKERS_BALLOT_BARRED},
    {"9-14 22-17 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-17 6-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-17 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-17 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-18 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-18 10-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-18 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-18 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 22-18 12-16", NULL, CHECKERS_BALLOT_BARRED},
    {"9-14 22-18 14-17", NULL, CHECKERS_BALLOT_BARRED},
    {"9-14 23-18 14x23", "Double Cross", CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 23-19 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 23-19 10-15", "Rattlesnake", CHECKERS_BALLOT_BARRED},
    {"9-14 23-19 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 23-19 14-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-19 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-19 10-15", NULL, CHECKERS_BALLOT_BARRED},
    {"9-14 24-19 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-19 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-20 5-9", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-20 10-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-20 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"9-14 24-20 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-17 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-17 9-13", "Black Hole", CHECKERS_BALLOT_MAIL},
    {"10-14 22-17 11-15", NULL, CHECKERS_BALLOT_MAIL},
    {"10-14 22-17 11-16", "Gemini I", CHECKERS_BALLOT_MAIL},
    {"10-14 22-17 14-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-18 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-18 7-10", "Fraser's Inferno", CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-18 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-18 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 22-18 12-16", "White Doctor", CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 23-18 14x23", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 23-19 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 23-19 7-10", "Diabolical Denny", CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 23-19 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 23-19 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 23-19 14-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-19 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-19 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-19 11-15", NULL, CHECKERS_BALLOT_BARRED},
    {"10-14 24-19 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-19 14-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-20 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-20 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-20 11-15", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-20 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-14 24-20 14-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 21-17 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 21-17 7-10", "Octopus", CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 21-17 9-13", "Tyne", CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 21-17 9-14", NULL, CHECKERS_BALLOT_BARRED},
    {"10-15 21-17 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 21-17 15-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 22-17 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 22-17 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 22-17 9-13", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 22-17 9-14", "Nutcracker", CHECKERS_BALLOT_BARRED},
    {"10-15 22-17 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 22-17 15-19", "Skull-Cracker", CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 22-18 15x22", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-18 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-18 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-18 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-18 11-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-18 12-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-19 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-19 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 23-19 11-16", "Gemini II", CHECKERS_BALLOT_MAIL},
    {"10-15 24-19 15x24", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 24-20 6-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 24-20 7-10", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"10-15 24-20 11-16", NULL, CHECKERS_BALLOT_BARRED},
    {"10-15 24-20 15-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 21-17 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 21-17 9-13", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 21-17 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 21-17 10-14", NULL, CHECKERS_BALLOT_BARRED},
    {"11-15 21-17 15-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 22-17 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 22-17 9-13", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 22-17 15-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 22-17 15-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 22-18 15x22", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-18 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-18 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-18 10-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-18 12-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-18 15-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-19 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-19 9-13", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 23-19 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 24-19 15x24", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 24-20 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 24-20 12-16", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-15 24-20 15-18", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 21-17 7-11", "Octopus", CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 21-17 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 21-17 9-13", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 21-17 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 21-17 10-14", "Shark", CHECKERS_BALLOT_BARRED},
    {"11-16 21-17 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-17 7-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-17 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-17 9-13", NULL, CHECKERS_BALLOT_MAIL},
    {"11-16 22-17 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-18 7-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-18 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-18 10-15", "Cheetah", CHECKERS_BALLOT_BARRED},
    {"11-16 22-18 16-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 22-18 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 23-18 7-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 23-18 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 23-18 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 23-18 10-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 23-18 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 23-19 16x23", "Black Widow", CHECKERS_BALLOT_MAIL},
    {"11-16 24-19 7-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 24-19 8-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 24-19 10-15", NULL, CHECKERS_BALLOT_BARRED},
    {"11-16 24-19 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 24-20 7-11", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"11-16 24-20 16-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 21-17 9-13", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 21-17 9-14", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 21-17 16-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 21-17 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 22-17 16-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 22-17 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 22-18 16-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 22-18 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 23-18 9-14", NULL, CHECKERS_BALLOT_BARRED},
    {"12-16 23-18 16-19", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 23-18 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 23-19 16x23", NULL, CHECKERS_BALLOT_BARRED},
    {"12-16 24-19 16-20", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 24-20 8-12", NULL, CHECKERS_BALLOT_CROSS_BOARD},
    {"12-16 24-20 10-15", "Skunk", CHECKERS_BALLOT_MAIL},
};

/* --- eleven-man ballots --------------------------------------------------------------------- */
/* The men removed and the two moves; squares are English numbers. */
typedef struct eleven {
    int black_removed, white_removed, black_from, black_to, white_from, white_to;
} eleven;

/* Ballots that lose a man and are not covered by the rule in is_barred. */
static const eleven barred[] = {
    {12, 26, 9, 13, 21, 17},  {5, 27, 9, 14, 23, 18},  {8, 27, 9, 14, 23, 18},
    {5, 28, 11, 15, 21, 17},  {7, 28, 11, 15, 21, 17}, {8, 28, 11, 15, 21, 17},
    {12, 28, 11, 15, 21, 17}, {8, 24, 11, 15, 28, 24}, {12, 24, 11, 15, 28, 24},
};

/* A white man that moves to 17 next to a black man on 14, with 21 empty, is lost. */
static bool is_barred(const eleven *e)
{
    bool empty = e->white_from == 21 || e->white_removed == 21;
    if (e->black_to == 14 && e->white_to == 17 && empty)
        return true;
    for (size_t i = 0; i < sizeof barred / sizeof barred[0]; i++) {
        const eleven *b = &barred[i];
        if (b->black_removed == e->black_removed && b->white_removed == e->white_removed &&
            b->black_from == e->black_from && b->black_to == e->black_to &&
            b->white_from == e->white_from && b->white_to == e->white_to)
            return true;
    }
    return false;
}

static uint64_t number_square(int number)
{
    return checkers_square(number - 1);
}

static bool is_listed(const checkers_eleven *out, size_t count, const checkers_position *p)
{
    for (size_t i = 0; i < count; i++)
        if (out[i].position.black_men == p->black_men && out[i].position.white_men == p->white_men)
            return true;
    return false;
}

/* Adds a ballot for each legal pair of moves; a position that arises twice is listed once. */
static size_t play_pairs(const ply_rules *rules, eleven e, checkers_eleven *out, size_t count)
{
    checkers_position p;
    ply_move first[CHECKERS_MAX_MOVES], second[CHECKERS_MAX_MOVES];
    checkers_start(rules, &p);
    p.turn = CHECKERS_BLACK;
    p.black_men &= ~number_square(e.black_removed);
    p.white_men &= ~number_square(e.white_removed);
    checkers_finish(&p);
    size_t first_count = checkers_moves(rules, &p, first);
    for (size_t i = 0; i < first_count; i++) {
        e.black_from = checkers_move_from(first[i]) + 1;
        e.black_to = checkers_move_to(first[i]) + 1;
        if (e.black_from <= 4)
            continue;
        checkers_position after_black = p;
        checkers_apply(&after_black, first[i]);
        size_t second_count = checkers_moves(rules, &after_black, second);
        for (size_t k = 0; k < second_count; k++) {
            e.white_from = checkers_move_from(second[k]) + 1;
            e.white_to = checkers_move_to(second[k]) + 1;
            if (e.white_from >= 29)
                continue;
            checkers_position after_white = after_black;
            checkers_apply(&after_white, second[k]);
            if (is_listed(out, count, &after_white))
                continue;
            out[count++] = (checkers_eleven){.position = after_white, .is_barred = is_barred(&e)};
        }
    }
    return count;
}

size_t checkers_eleven_man(const ply_rules *rules, checkers_eleven *out)
{
    size_t count = 0;
    for (int black = 5; black <= 12; black++)
        for (int white = 21; white <= 28; white++)
            count = play_pairs(rules, (eleven){.black_removed = black, .white_removed = white}, out,
                               count);
    return count;
}

/* --- the game interface --------------------------------------------------------------------- */
/* The decks need English rules, start position and notation. */
static bool has_decks(const ply_rules *rules)
{
    return checkers_is_english(rules) && rules->option[CHECKERS_OPTION_ROWS] == 3 &&
           rules->option[CHECKERS_OPTION_STARTS] == CHECKERS_BLACK &&
           rules->option[CHECKERS_OPTION_NOTATION] == 1 &&
           rules->option[CHECKERS_OPTION_MIRROR] == 0;
}

size_t checkers_opening_count(const ply_rules *rules)
{
    return has_decks(rules) ? CHECKERS_BALLOTS + CHECKERS_ELEVENS : 0;
}

ply_status checkers_opening(const ply_rules *rules, size_t i, ply_text *name, ply_text *position,
                            ply_text *moves)
{
    if (i >= checkers_opening_count(rules))
        return PLY_LIMIT;
    if (i < CHECKERS_BALLOTS) {
        static const char *const classes[] = {"", " (by mail)", " (barred)"};
        const checkers_ballot *b = &checkers_ballots[i];
        ply_text_format(name, "three-move %zu%s%s%s", i + 1, b->name ? ", " : "",
                        b->name ? b->name : "", classes[b->class_id]);
        ply_text_string(moves, b->moves);
        return PLY_OK;
    }
    checkers_eleven deck[CHECKERS_ELEVENS];
    i -= CHECKERS_BALLOTS;
    if (i >= checkers_eleven_man(rules, deck))
        return PLY_LIMIT;
    ply_text_format(name, "eleven-man %zu%s", i + 1, deck[i].is_barred ? " (barred)" : "");
    checkers_format(rules, &deck[i].position, position);
    return PLY_OK;
}

size_t checkers_ballot_at(const ply_rules *rules, const checkers_position *p)
{
    if (!has_decks(rules) || p->turn != CHECKERS_WHITE)
        return 0;
    for (size_t i = 0; i < CHECKERS_BALLOTS; i++) {
        checkers_position q;
        ply_cursor cursor =
            ply_cursor_make(checkers_ballots[i].moves, strlen(checkers_ballots[i].moves), NULL);
        checkers_start(rules, &q);
        ply_move move;
        for (int ply = 0; ply < 3; ply++) {
            ply_cursor_skip_space(&cursor);
            if (checkers_parse_move(rules, &q, &cursor, &move) == PLY_OK)
                checkers_apply(&q, move);
        }
        if (q.hash == p->hash)
            return i + 1;
    }
    return 0;
}
