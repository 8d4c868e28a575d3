/* SPDX-License-Identifier: MIT */
/* verdict_replay.c - see verdict_replay.h. */
#include "games/gomoku/solve/verdict_replay.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_BYTES = 1 << 20, FIRST_PLACES = 1024, COUNTER_NODES = 1 << 16, FEW_PLIES = 7 };
#define ALL_NODES ((uint64_t)1 << 62)

ply_status gomoku_walk_init(gomoku_walk *w, const ply_rules *rules, int goal, gomoku_vct *vct,
                            size_t bytes)
{
    size_t cells = (size_t)gomoku_cell_count(rules);
    *w = (gomoku_walk){
        .rules = rules, .goal = goal, .bytes = bytes, .field = vct->field, .vct = vct};
    w->position = calloc(1, rules->position_bytes);
    w->root = calloc(1, rules->position_bytes);
    /* Two more: passes. */
    w->undo_stack = calloc(2 * cells + 2, sizeof *w->undo_stack);
    w->played = calloc(2 * cells + 2, sizeof *w->played);
    return w->position && w->root && w->undo_stack && w->played ? PLY_OK : PLY_NO_MEMORY;
}

void gomoku_walk_free(gomoku_walk *w)
{
    free(w->position);
    free(w->root);
    free(w->undo_stack);
    free(w->played);
    free(w->places);
}

void gomoku_walk_begin(gomoku_walk *w, const gomoku_position *p)
{
    memcpy(w->root, p, w->rules->position_bytes);
    w->attacker = p->side;
}

static int less(int plies, int by)
{
    return plies == GOMOKU_ENDLESS ? plies : plies - by;
}

static void play(gomoku_walk *w, ply_move move)
{
    if (move != GOMOKU_PASS)
        gomoku_field_play(w->field, gomoku_move_cell(move), w->position->side);
    w->played[w->depth] = move;
    gomoku_play(w->rules, w->position, move, &w->undo_stack[w->depth]);
    w->depth++;
}

static void undo(gomoku_walk *w)
{
    w->depth--;
    gomoku_undo(w->rules, w->position, w->played[w->depth], &w->undo_stack[w->depth]);
    if (w->played[w->depth] != GOMOKU_PASS)
        gomoku_field_undo_last(w->field);
}

/* --- places ---------------------------------------------------------------------------------- */
static gomoku_walked *find_place(const gomoku_walk *w, uint64_t key)
{
    size_t i = key & (w->place_room - 1);
    while (w->places[i].plies && w->places[i].key != key)
        i = (i + 1) & (w->place_room - 1);
    return &w->places[i];
}

/* The position, and how long a win may take there. */
static uint64_t place_key(const gomoku_walk *w, int within)
{
    uint64_t salt = within == GOMOKU_ENDLESS ? 0 : (uint64_t)within * 0x9E3779B97F4A7C15u;
    return w->rules->game->hash(w->rules, w->position) ^ salt;
}

static bool add_place(gomoku_walk *w, uint64_t key, uint64_t label, uint32_t plies)
{
    if (2 * w->place_count >= w->place_room) {
        size_t old_room = w->place_room, room = 2 * old_room;
        gomoku_walked *old = w->places, *grown = calloc(room, sizeof *grown);
        if (!grown || room * sizeof *grown > w->bytes + MIN_BYTES) {
            free(grown);
            w->status = PLY_LIMIT;
            return false;
        }
        w->places = grown;
        w->place_room = room;
        for (size_t i = 0; i < old_room; i++)
            if (old[i].plies)
                *find_place(w, old[i].key) = old[i];
        free(old);
    }
    *find_place(w, key) = (gomoku_walked){key, label, plies};
    w->place_count++;
    return true;
}

/* --- wins ------------------------------------------------------------------------------------ */
static bool wins_by_fours(gomoku_walk *w, int within)
{
    int depth = within == GOMOKU_ENDLESS ? GOMOKU_NO_LIMIT : within + 2;
    /* Few fours are found soon, and touch less. */
    if (w->goal != GOMOKU_GOAL_VCF && depth > FEW_PLIES &&
        gomoku_vcf_solve(&w->vct->vcf, w->attacker, FEW_PLIES, ALL_NODES) == GOMOKU_WIN)
        return true;
    return gomoku_vcf_solve(&w->vct->vcf, w->attacker, depth, ALL_NODES) == GOMOKU_WIN;
}

static uint32_t walk_attack(gomoku_walk *w, int within);

/* One answer of the defender's and what follows. */
static uint32_t walk_answer(gomoku_walk *w, ply_move move, int within)
{
    if (w->writer)
        ply_proof_move(w->writer, move);
    play(w, move);
    if (w->position->ended)
        w->status = PLY_LIMIT; /* never: he would have saved himself */
    uint32_t plies = 1 + walk_attack(w, less(within, 1));
    undo(w);
    return plies;
}

/* The move is on the board; the defender's answers that do not lose at once, each walked. */
static uint32_t walk_answers(gomoku_walk *w, int within)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(w->rules, w->position, answers);
    uint32_t longest = 0;
    if (count == 0) {
        if (w->writer)
            ply_proof_leaf(w->writer);
        return 0;
    }
    if (w->writer)
        ply_proof_all(w->writer);
    for (size_t i = 0; i < count && w->status == PLY_OK; i++) {
        uint32_t plies = walk_answer(w, answers[i], within);
        longest = plies > longest ? plies : longest;
    }
    if (w->writer)
        ply_proof_end(w->writer);
    return longest;
}

/* One `else` for all answers that do not matter: the fours in a row, whatever stands elsewhere. */
static uint32_t walk_else(gomoku_walk *w, const uint16_t *line, int length)
{
    int fours = (length + 1) / 2;
    if (w->writer) {
        ply_proof_else(w->writer);
        for (int i = 0; i < length; i += 2) {
            ply_proof_choose(w->writer, gomoku_move(line[i]));
            if (i + 1 < length) {
                ply_proof_all(w->writer);
                ply_proof_else(w->writer);
            }
        }
        ply_proof_leaf(w->writer);
        for (int i = 1; i < fours; i++)
            ply_proof_end(w->writer);
    }
    return (uint32_t)length + 1;
}

/* White's fours: answers of Black's that another stone of his might close to him. */
static void add_closing(gomoku_walk *w, const uint16_t *line, int length, gomoku_cells *zone)
{
    gomoku_field *f = w->field;
    for (int i = 0; i < length; i++) {
        if (i & 1) {
            gomoku_trace trace = {.all = true};
            gomoku_judge(f->width, f->height, f->word, line[i], &trace);
            for (int y = 0; y < f->height; y++)
                zone->rows[y] |= trace.rows[y];
        }
        gomoku_field_play(f, line[i], i & 1 ? !w->attacker : w->attacker);
    }
    for (int i = 0; i < length; i++)
        gomoku_field_undo_last(f);
    for (int y = 0; y < f->height; y++)
        zone->rows[y] &= gomoku_field_empty_in_row(f, y);
}

/* A threat that is no four is on the board. */
static uint32_t walk_threat(gomoku_walk *w, int within)
{
    gomoku_vcf *fours = &w->vct->vcf;
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(w->rules, w->position, answers), others = 0;
    if (count == 0 || !wins_by_fours(w, less(within, 1)) || fours->length == 0 || w->field->caro)
        return walk_answers(w, within);
    gomoku_cells zone;
    gomoku_vcf_zone(fours, w->attacker, &zone);
    int length = fours->length;
    uint16_t line[GOMOKU_MAX_CELLS];
    memcpy(line, fours->line, (size_t)length * sizeof line[0]);
    if (w->field->rule == GOMOKU_RENJU && w->attacker == GOMOKU_WHITE)
        add_closing(w, line, length, &zone);
    uint32_t longest = 0;
    if (w->writer)
        ply_proof_all(w->writer);
    for (size_t i = 0; i < count && w->status == PLY_OK; i++) {
        if (answers[i] == GOMOKU_PASS || !gomoku_cells_has(&zone, gomoku_move_cell(answers[i]))) {
            others++;
            continue;
        }
        uint32_t plies = walk_answer(w, answers[i], within);
        longest = plies > longest ? plies : longest;
    }
    if (others) {
        uint32_t plies = walk_else(w, line, length);
        longest = plies > longest ? plies : longest;
    }
    if (w->writer)
        ply_proof_end(w->writer);
    return longest;
}

/* Chooses a move and walks what follows. */
static uint32_t walk_choice(gomoku_walk *w, int cell, int within)
{
    if (w->writer)
        ply_proof_choose(w->writer, gomoku_move(cell));
    bool four = gomoku_field_marked(w->field, w->field->four, cell, w->attacker);
    play(w, gomoku_move(cell));
    uint32_t plies = 1;
    if (!w->position->ended)
        plies += four ? walk_answers(w, less(within, 1)) : walk_threat(w, less(within, 1));
    else if (w->writer)
        ply_proof_leaf(w->writer);
    undo(w);
    return plies;
}

/* A row of fours whose answers are forced: returns its length. */
static uint32_t walk_fours(gomoku_walk *w, const uint16_t *line, int length)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    int played = 0, lists = 0;
    while (played < length && w->status == PLY_OK) {
        if (w->writer)
            ply_proof_choose(w->writer, gomoku_move(line[played]));
        play(w, gomoku_move(line[played++]));
        size_t count = gomoku_defences(w->rules, w->position, answers);
        bool last = played == length;
        if (count != (last ? 0 : 1) || (!last && answers[0] != gomoku_move(line[played]))) {
            w->status = PLY_LIMIT; /* never: the search for fours knows the rules */
        } else if (!last) {
            if (w->writer) {
                ply_proof_all(w->writer);
                ply_proof_move(w->writer, answers[0]);
            }
            lists++;
            play(w, gomoku_move(line[played++]));
        }
    }
    if (w->writer && w->status == PLY_OK) {
        ply_proof_leaf(w->writer);
        for (; lists > 0; lists--)
            ply_proof_end(w->writer);
    }
    for (; played > 0; played--)
        undo(w);
    return (uint32_t)length;
}

/* The attacker to move, and he wins in so many plies or fewer: returns in how many. */
static uint32_t walk_attack(gomoku_walk *w, int within)
{
    gomoku_vcf *fours = &w->vct->vcf;
    int cells[1];
    if (w->status != PLY_OK)
        return 0;
    if (gomoku_field_fives(w->field, w->attacker, cells, 1))
        return walk_choice(w, cells[0], within);
    if (wins_by_fours(w, within)) {
        if (w->field->caro)
            return walk_choice(w, fours->line[0], within);
        uint16_t line[GOMOKU_MAX_CELLS];
        memcpy(line, fours->line, (size_t)fours->length * sizeof line[0]);
        return walk_fours(w, line, fours->length);
    }
    uint64_t key = place_key(w, within);
    const gomoku_walked *place = find_place(w, key);
    if (place->plies) {
        if (w->writer)
            ply_proof_ref(w->writer, place->label);
        return place->plies;
    }
    int cell = w->goal == GOMOKU_GOAL_VCF ? -1 : gomoku_vct_winner(w->vct, within);
    if (cell < 0) {
        w->status = PLY_LIMIT;
        return 0;
    }
    uint64_t label = w->writer ? ply_proof_label(w->writer, w->position) : 0;
    uint32_t plies = walk_choice(w, cell, within);
    if (w->status == PLY_OK && add_place(w, key, label, plies) && w->writer)
        ply_proof_label_done(w->writer, label, plies);
    return plies;
}

ply_status gomoku_walk_win(gomoku_walk *w, int within, ply_proof_writer *writer, uint32_t *plies)
{
    free(w->places);
    w->places = calloc(FIRST_PLACES, sizeof *w->places);
    w->place_room = FIRST_PLACES;
    w->place_count = 0;
    w->depth = 0;
    w->status = w->places ? PLY_OK : PLY_NO_MEMORY;
    w->writer = writer;
    memcpy(w->position, w->root, w->rules->position_bytes);
    *plies = walk_attack(w, within);
    return w->status;
}

/* The answer after which the win is longest, PLY_MOVE_NONE when there is none. */
static ply_move longest_answer(gomoku_walk *w, int within)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1], best = PLY_MOVE_NONE;
    size_t count = gomoku_defences(w->rules, w->position, answers);
    int longest = -1;
    for (size_t i = 0; i < count; i++) {
        if (answers[i] == GOMOKU_PASS)
            continue;
        play(w, answers[i]);
        int plies = (int)find_place(w, place_key(w, less(within, 1)))->plies;
        if (!plies && wins_by_fours(w, less(within, 1)))
            plies = gomoku_vcf_plies(&w->vct->vcf);
        undo(w);
        if (plies > longest) {
            best = answers[i];
            longest = plies;
        }
    }
    return best;
}

size_t gomoku_walk_line(gomoku_walk *w, int within, ply_move line[GOMOKU_LINE_LIMIT])
{
    gomoku_vcf *fours = &w->vct->vcf;
    size_t length = 0;
    memcpy(w->position, w->root, w->rules->position_bytes);
    w->depth = 0;
    w->writer = NULL;
    while (length + 2 < GOMOKU_LINE_LIMIT && !w->position->ended) {
        int cells[1], cell;
        if (gomoku_field_fives(w->field, w->attacker, cells, 1)) {
            cell = cells[0];
        } else if (wins_by_fours(w, within)) {
            if (!w->field->caro) {
                for (int i = 0; i < fours->length; i++)
                    line[length++] = gomoku_move(fours->line[i]);
                break;
            }
            cell = fours->line[0];
        } else {
            cell = gomoku_vct_winner(w->vct, within);
        }
        if (cell < 0)
            break;
        line[length++] = gomoku_move(cell);
        play(w, gomoku_move(cell));
        ply_move answer = w->position->ended ? PLY_MOVE_NONE : longest_answer(w, less(within, 1));
        if (answer == PLY_MOVE_NONE)
            break;
        line[length++] = answer;
        play(w, answer);
        within = less(within, 2);
    }
    while (w->depth > 0)
        undo(w);
    return length;
}

/* --- no win ---------------------------------------------------------------------------------- */
ply_move gomoku_walk_answer(void *context, const void *position)
{
    gomoku_walk *w = context;
    gomoku_vct *v = w->vct;
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(w->rules, position, answers);
    gomoku_field_init(w->field, w->rules, position, w->field->undo);
    /* His own row first. */
    for (size_t i = 0; i < count; i++) {
        gomoku_undo_info undo;
        memcpy(w->position, position, w->rules->position_bytes);
        gomoku_play(w->rules, w->position, answers[i], &undo);
        if (w->position->ended == GOMOKU_ROW_BLACK + !w->attacker)
            return answers[i];
    }
    if (count == 1 || (w->goal == GOMOKU_GOAL_VCF && count > 0 && !w->field->caro))
        return answers[0];
    if (w->goal == GOMOKU_GOAL_VCF) {
        /* Caro: the one after which there are no fours that win. */
        for (size_t i = 0; i < count; i++) {
            gomoku_field_play(w->field, gomoku_move_cell(answers[i]), !w->attacker);
            bool lost = wins_by_fours(w, GOMOKU_ENDLESS);
            gomoku_field_undo_last(w->field);
            if (!lost)
                return answers[i];
        }
        return PLY_MOVE_NONE;
    }
    if (gomoku_lines_any(&w->field->with_four[!w->attacker]) &&
        gomoku_vcf_solve(&v->vcf, !w->attacker, GOMOKU_NO_LIMIT, COUNTER_NODES) == GOMOKU_WIN)
        return gomoku_move(v->vcf.line[0]);
    int cell = gomoku_vct_saver(v);
    return cell < 0 ? PLY_MOVE_NONE : gomoku_move(cell);
}
