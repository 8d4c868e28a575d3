/* SPDX-License-Identifier: MIT */
/* verdict_replay.c - see verdict_replay.h. */
#include "games/gomoku/solve/verdict_replay.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_BYTES = 1 << 20, FIRST_ENTRIES = 1024, COUNTER_NODES = 1 << 16, FEW_PLIES = 7 };
#define ALL_NODES ((uint64_t)1 << 62)

ply_status gomoku_replay_init(gomoku_replay *r, const ply_rules *rules, int goal, gomoku_vct *vct,
                              size_t bytes)
{
    size_t cells = (size_t)gomoku_cell_count(rules);
    *r = (gomoku_replay){
        .rules = rules, .goal = goal, .bytes = bytes, .board = vct->board, .vct = vct};
    r->position = calloc(1, rules->position_bytes);
    r->root = calloc(1, rules->position_bytes);
    /* Two more for passes. */
    r->undo_stack = calloc(2 * cells + 2, sizeof *r->undo_stack);
    r->played = calloc(2 * cells + 2, sizeof *r->played);
    return r->position && r->root && r->undo_stack && r->played ? PLY_OK : PLY_NO_MEMORY;
}

void gomoku_replay_free(gomoku_replay *r)
{
    free(r->position);
    free(r->root);
    free(r->undo_stack);
    free(r->played);
    free(r->entries);
}

void gomoku_replay_begin(gomoku_replay *r, const gomoku_position *p)
{
    memcpy(r->root, p, r->rules->position_bytes);
    r->attacker = p->side;
}

static int plies_after(int plies, int by)
{
    return plies == GOMOKU_ANY_LENGTH ? plies : plies - by;
}

static void play(gomoku_replay *r, ply_move move)
{
    if (move != GOMOKU_PASS)
        gomoku_threat_board_play(r->board, gomoku_move_cell(move), r->position->side);
    r->played[r->depth] = move;
    gomoku_play(r->rules, r->position, move, &r->undo_stack[r->depth]);
    r->depth++;
}

static void undo(gomoku_replay *r)
{
    r->depth--;
    gomoku_undo(r->rules, r->position, r->played[r->depth], &r->undo_stack[r->depth]);
    if (r->played[r->depth] != GOMOKU_PASS)
        gomoku_threat_board_undo(r->board);
}

/* --- entries --------------------------------------------------------------------------------- */
static gomoku_replay_entry *find_entry(const gomoku_replay *r, uint64_t key)
{
    size_t i = key & (r->entry_capacity - 1);
    while (r->entries[i].plies && r->entries[i].key != key)
        i = (i + 1) & (r->entry_capacity - 1);
    return &r->entries[i];
}

/* The key of the position together with the plies left. */
static uint64_t entry_key(const gomoku_replay *r, int within)
{
    uint64_t salt = within == GOMOKU_ANY_LENGTH ? 0 : (uint64_t)within * 0x9E3779B97F4A7C15u;
    return r->rules->game->hash(r->rules, r->position) ^ salt;
}

static bool add_entry(gomoku_replay *r, uint64_t key, uint64_t label, uint32_t plies)
{
    if (2 * r->entry_count >= r->entry_capacity) {
        size_t old_capacity = r->entry_capacity, capacity = 2 * old_capacity;
        gomoku_replay_entry *old = r->entries, *grown = calloc(capacity, sizeof *grown);
        if (!grown || capacity * sizeof *grown > r->bytes + MIN_BYTES) {
            free(grown);
            r->status = PLY_LIMIT;
            return false;
        }
        r->entries = grown;
        r->entry_capacity = capacity;
        for (size_t i = 0; i < old_capacity; i++)
            if (old[i].plies)
                *find_entry(r, old[i].key) = old[i];
        free(old);
    }
    *find_entry(r, key) = (gomoku_replay_entry){key, label, plies};
    r->entry_count++;
    return true;
}

/* --- wins ------------------------------------------------------------------------------------ */
static bool wins_by_fours(gomoku_replay *r, int within)
{
    int depth = within == GOMOKU_ANY_LENGTH ? GOMOKU_ANY_DEPTH : within + 2;
    /* A short win is found sooner and has a smaller zone. */
    if (r->goal != GOMOKU_GOAL_VCF && depth > FEW_PLIES &&
        gomoku_vcf_solve(&r->vct->vcf, r->attacker, FEW_PLIES, ALL_NODES) == GOMOKU_WIN)
        return true;
    return gomoku_vcf_solve(&r->vct->vcf, r->attacker, depth, ALL_NODES) == GOMOKU_WIN;
}

static uint32_t replay_attack(gomoku_replay *r, int within);

/* One answer of the defender and what follows. */
static uint32_t replay_one_answer(gomoku_replay *r, ply_move move, int within)
{
    if (r->writer)
        ply_proof_move(r->writer, move);
    play(r, move);
    if (r->position->ended)
        r->status = PLY_LIMIT; /* never: the defender would have been saved */
    uint32_t plies = 1 + replay_attack(r, plies_after(within, 1));
    undo(r);
    return plies;
}

/* Replays each answer that does not lose at once. Returns the length of the longest win. */
static uint32_t replay_all_answers(gomoku_replay *r, int within)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(r->rules, r->position, answers);
    uint32_t longest = 0;
    if (count == 0) {
        if (r->writer)
            ply_proof_leaf(r->writer);
        return 0;
    }
    if (r->writer)
        ply_proof_all(r->writer);
    for (size_t i = 0; i < count && r->status == PLY_OK; i++) {
        uint32_t plies = replay_one_answer(r, answers[i], within);
        longest = plies > longest ? plies : longest;
    }
    if (r->writer)
        ply_proof_end(r->writer);
    return longest;
}

/* One `else` for all answers outside the zone: the same fours, whatever is played elsewhere. */
static uint32_t replay_else(gomoku_replay *r, const uint16_t *variation, int length)
{
    int fours = (length + 1) / 2;
    if (r->writer) {
        ply_proof_else(r->writer);
        for (int i = 0; i < length; i += 2) {
            ply_proof_choose(r->writer, gomoku_move(variation[i]));
            if (i + 1 < length) {
                ply_proof_all(r->writer);
                ply_proof_else(r->writer);
            }
        }
        ply_proof_leaf(r->writer);
        for (int i = 1; i < fours; i++)
            ply_proof_end(r->writer);
    }
    return (uint32_t)length + 1;
}

/* For White's fours: adds the cells on which a black stone could make one of Black's answers
 * forbidden. */
static void add_forbidding_cells(gomoku_replay *r, const uint16_t *variation, int length,
                                 gomoku_cells *zone)
{
    gomoku_threat_board *f = r->board;
    for (int i = 0; i < length; i++) {
        if (i & 1) {
            gomoku_trace trace = {.both_colours = true};
            gomoku_classify(f->width, f->height, f->word, variation[i], &trace);
            for (int y = 0; y < f->height; y++)
                zone->rows[y] |= trace.rows[y];
        }
        gomoku_threat_board_play(f, variation[i], i & 1 ? !r->attacker : r->attacker);
    }
    for (int i = 0; i < length; i++)
        gomoku_threat_board_undo(f);
    for (int y = 0; y < f->height; y++)
        zone->rows[y] &= gomoku_threat_board_empty_in_row(f, y);
}

/* A threat that is not a four has been played. */
static uint32_t replay_threat(gomoku_replay *r, int within)
{
    gomoku_vcf *fours = &r->vct->vcf;
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(r->rules, r->position, answers), others = 0;
    if (count == 0 || !wins_by_fours(r, plies_after(within, 1)) || fours->variation_length == 0 ||
        r->board->caro)
        return replay_all_answers(r, within);
    gomoku_cells zone;
    gomoku_vcf_zone(fours, r->attacker, &zone);
    int length = fours->variation_length;
    uint16_t variation[GOMOKU_MAX_CELLS];
    memcpy(variation, fours->variation, (size_t)length * sizeof variation[0]);
    if (r->board->rule == GOMOKU_RENJU && r->attacker == GOMOKU_WHITE)
        add_forbidding_cells(r, variation, length, &zone);
    uint32_t longest = 0;
    if (r->writer)
        ply_proof_all(r->writer);
    for (size_t i = 0; i < count && r->status == PLY_OK; i++) {
        if (answers[i] == GOMOKU_PASS || !gomoku_cells_has(&zone, gomoku_move_cell(answers[i]))) {
            others++;
            continue;
        }
        uint32_t plies = replay_one_answer(r, answers[i], within);
        longest = plies > longest ? plies : longest;
    }
    if (others) {
        uint32_t plies = replay_else(r, variation, length);
        longest = plies > longest ? plies : longest;
    }
    if (r->writer)
        ply_proof_end(r->writer);
    return longest;
}

/* Plays the attacker's move and replays what follows. */
static uint32_t replay_move(gomoku_replay *r, int cell, int within)
{
    if (r->writer)
        ply_proof_choose(r->writer, gomoku_move(cell));
    bool four = gomoku_threat_board_marked(r->board, r->board->four, cell, r->attacker);
    play(r, gomoku_move(cell));
    uint32_t plies = 1;
    if (!r->position->ended)
        plies += four ? replay_all_answers(r, plies_after(within, 1))
                      : replay_threat(r, plies_after(within, 1));
    else if (r->writer)
        ply_proof_leaf(r->writer);
    undo(r);
    return plies;
}

/* A sequence of fours whose answers are forced; returns its length. */
static uint32_t replay_fours(gomoku_replay *r, const uint16_t *variation, int length)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    int played = 0, lists = 0;
    while (played < length && r->status == PLY_OK) {
        if (r->writer)
            ply_proof_choose(r->writer, gomoku_move(variation[played]));
        play(r, gomoku_move(variation[played++]));
        size_t count = gomoku_defences(r->rules, r->position, answers);
        bool last = played == length;
        if (count != (last ? 0 : 1) || (!last && answers[0] != gomoku_move(variation[played]))) {
            r->status = PLY_LIMIT; /* never: the search for fours is exact */
        } else if (!last) {
            if (r->writer) {
                ply_proof_all(r->writer);
                ply_proof_move(r->writer, answers[0]);
            }
            lists++;
            play(r, gomoku_move(variation[played++]));
        }
    }
    if (r->writer && r->status == PLY_OK) {
        ply_proof_leaf(r->writer);
        for (; lists > 0; lists--)
            ply_proof_end(r->writer);
    }
    for (; played > 0; played--)
        undo(r);
    return (uint32_t)length;
}

/* The attacker to move, with a win of at most `within` plies; returns the length of the win. */
static uint32_t replay_attack(gomoku_replay *r, int within)
{
    gomoku_vcf *fours = &r->vct->vcf;
    int cells[1];
    if (r->status != PLY_OK)
        return 0;
    if (gomoku_threat_board_fives(r->board, r->attacker, cells, 1))
        return replay_move(r, cells[0], within);
    if (wins_by_fours(r, within)) {
        if (r->board->caro)
            return replay_move(r, fours->variation[0], within);
        uint16_t variation[GOMOKU_MAX_CELLS];
        memcpy(variation, fours->variation, (size_t)fours->variation_length * sizeof variation[0]);
        return replay_fours(r, variation, fours->variation_length);
    }
    uint64_t key = entry_key(r, within);
    const gomoku_replay_entry *entry = find_entry(r, key);
    if (entry->plies) {
        if (r->writer)
            ply_proof_ref(r->writer, entry->label);
        return entry->plies;
    }
    int cell = r->goal == GOMOKU_GOAL_VCF ? -1 : gomoku_vct_find_win(r->vct, within);
    if (cell < 0) {
        r->status = PLY_LIMIT;
        return 0;
    }
    uint64_t label = r->writer ? ply_proof_label(r->writer, r->position) : 0;
    uint32_t plies = replay_move(r, cell, within);
    if (r->status == PLY_OK && add_entry(r, key, label, plies) && r->writer)
        ply_proof_label_done(r->writer, label, plies);
    return plies;
}

ply_status gomoku_replay_win(gomoku_replay *r, int within, ply_proof_writer *writer,
                             uint32_t *plies)
{
    free(r->entries);
    r->entries = calloc(FIRST_ENTRIES, sizeof *r->entries);
    r->entry_capacity = FIRST_ENTRIES;
    r->entry_count = 0;
    r->depth = 0;
    r->status = r->entries ? PLY_OK : PLY_NO_MEMORY;
    r->writer = writer;
    memcpy(r->position, r->root, r->rules->position_bytes);
    *plies = replay_attack(r, within);
    return r->status;
}

/* The answer after which the win is longest; PLY_MOVE_NONE when there is none. */
static ply_move longest_answer(gomoku_replay *r, int within)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1], best = PLY_MOVE_NONE;
    size_t count = gomoku_defences(r->rules, r->position, answers);
    int longest = -1;
    for (size_t i = 0; i < count; i++) {
        if (answers[i] == GOMOKU_PASS)
            continue;
        play(r, answers[i]);
        int plies = (int)find_entry(r, entry_key(r, plies_after(within, 1)))->plies;
        if (!plies && wins_by_fours(r, plies_after(within, 1)))
            plies = gomoku_vcf_plies(&r->vct->vcf);
        undo(r);
        if (plies > longest) {
            best = answers[i];
            longest = plies;
        }
    }
    return best;
}

size_t gomoku_replay_variation(gomoku_replay *r, int within,
                               ply_move variation[GOMOKU_VARIATION_LIMIT])
{
    gomoku_vcf *fours = &r->vct->vcf;
    size_t length = 0;
    memcpy(r->position, r->root, r->rules->position_bytes);
    r->depth = 0;
    r->writer = NULL;
    while (length + 2 < GOMOKU_VARIATION_LIMIT && !r->position->ended) {
        int cells[1], cell;
        if (gomoku_threat_board_fives(r->board, r->attacker, cells, 1)) {
            cell = cells[0];
        } else if (wins_by_fours(r, within)) {
            if (!r->board->caro) {
                for (int i = 0; i < fours->variation_length; i++)
                    variation[length++] = gomoku_move(fours->variation[i]);
                break;
            }
            cell = fours->variation[0];
        } else {
            cell = gomoku_vct_find_win(r->vct, within);
        }
        if (cell < 0)
            break;
        variation[length++] = gomoku_move(cell);
        play(r, gomoku_move(cell));
        ply_move answer =
            r->position->ended ? PLY_MOVE_NONE : longest_answer(r, plies_after(within, 1));
        if (answer == PLY_MOVE_NONE)
            break;
        variation[length++] = answer;
        play(r, answer);
        within = plies_after(within, 2);
    }
    while (r->depth > 0)
        undo(r);
    return length;
}

/* --- no win ---------------------------------------------------------------------------------- */
ply_move gomoku_replay_answer(void *context, const void *position)
{
    gomoku_replay *r = context;
    gomoku_vct *v = r->vct;
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(r->rules, position, answers);
    gomoku_threat_board_init(r->board, r->rules, position, r->board->undo);
    /* An answer that wins comes first. */
    for (size_t i = 0; i < count; i++) {
        gomoku_undo_info undo;
        memcpy(r->position, position, r->rules->position_bytes);
        gomoku_play(r->rules, r->position, answers[i], &undo);
        if (r->position->ended == GOMOKU_ROW_BLACK + !r->attacker)
            return answers[i];
    }
    if (count == 1 || (r->goal == GOMOKU_GOAL_VCF && count > 0 && !r->board->caro))
        return answers[0];
    if (r->goal == GOMOKU_GOAL_VCF) {
        /* Caro: an answer after which no fours win. */
        for (size_t i = 0; i < count; i++) {
            gomoku_threat_board_play(r->board, gomoku_move_cell(answers[i]), !r->attacker);
            bool lost = wins_by_fours(r, GOMOKU_ANY_LENGTH);
            gomoku_threat_board_undo(r->board);
            if (!lost)
                return answers[i];
        }
        return PLY_MOVE_NONE;
    }
    if (gomoku_lines_any(&r->board->with_four[!r->attacker]) &&
        gomoku_vcf_solve(&v->vcf, !r->attacker, GOMOKU_ANY_DEPTH, COUNTER_NODES) == GOMOKU_WIN)
        return gomoku_move(v->vcf.variation[0]);
    int cell = gomoku_vct_find_defence(v);
    return cell < 0 ? PLY_MOVE_NONE : gomoku_move(cell);
}
