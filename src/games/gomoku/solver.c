/*
 * solver.c - the solvers of gomoku's goals behind the general interface, and their proofs.
 *
 * Every win is walked through once before it is told: each answer of the defender's that the zones
 * leave is played and its refutation found again. The same walk writes the proof. In it, a position
 * where the defender answers a threat lists the answers of the zone, and one `else` for all others:
 * the fours he was threatened with.
 */
#include "games/gomoku/goals.h"
#include "games/gomoku/hold.h"
#include "games/gomoku/vct.h"
#include <stdlib.h>
#include <string.h>

enum {
    MIN_BYTES = 1 << 20,
    LINE_LIMIT = 2 * GOMOKU_MAX_CELLS,
    /* Small boards: the table for showing that the defender holds, and how long each tries. */
    HOLD_BYTES = 64 << 20,
    FIRST_ATTACK = 10000,
    FIRST_HOLD = 1 << 20,
    LONGER = 4,
};
#define ALL_NODES ((uint64_t)1 << 62)

/* A position of the strategy already walked through. */
typedef struct walked {
    uint64_t key, label;
    uint32_t plies; /* 0: no entry */
} walked;

typedef struct solver {
    const ply_rules *rules;
    int goal;
    size_t bytes;
    gomoku_field field;
    gomoku_field_undo *undo;
    gomoku_vct vct;
    gomoku_hold *hold; /* goal `win` on small boards, else NULL */
    ply_solve_control *control;
    int attacker;
    gomoku_verdict verdict;
    /* the walk */
    gomoku_position *position; /* in step with the field */
    gomoku_position *root;
    gomoku_record *records;
    ply_move *played;
    int depth;
    ply_proof_writer *writer; /* or NULL */
    walked *places;
    size_t place_count, place_room;
    ply_status status;
    ply_move line[LINE_LIMIT];
} solver;

static bool go_on(void *context, uint64_t nodes)
{
    solver *s = context;
    return !s->control || ply_solve_go_on(s->control, nodes, NULL);
}

static bool go_on_holding(void *context, uint64_t nodes)
{
    solver *s = context;
    return go_on(s, nodes + s->vct.nodes + s->vct.vcf.nodes);
}

static void solver_close(void *self)
{
    solver *s = self;
    gomoku_vct_free(&s->vct);
    if (s->hold)
        gomoku_hold_free(s->hold);
    free(s->hold);
    free(s->undo);
    free(s->position);
    free(s->root);
    free(s->records);
    free(s->played);
    free(s->places);
    free(s);
}

static void *solver_open(const ply_rules *rules, const ply_goal *goal,
                         const ply_solve_options *options)
{
    solver *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    size_t cells = (size_t)gomoku_cell_count(rules);
    s->rules = rules;
    s->goal = (int)(goal - gomoku_goals);
    s->bytes = options->memory_mb << 20;
    s->position = calloc(1, rules->position_bytes);
    s->root = calloc(1, rules->position_bytes);
    s->undo = calloc(cells + 1, sizeof *s->undo);
    s->records = calloc(cells + 1, sizeof *s->records);
    s->played = calloc(cells + 1, sizeof *s->played);
    /* What is left is for the tables; the walk of a win may want an eighth. */
    size_t held = sizeof *s + (cells + 1) * (sizeof *s->records + sizeof *s->undo);
    size_t tables = s->bytes > held + MIN_BYTES ? (s->bytes - held) / 8 * 7 : MIN_BYTES;
    bool ready = s->undo && s->position && s->root && s->records && s->played;
    if (ready && s->goal == GOMOKU_GOAL_WIN && cells <= GOMOKU_HOLD_CELLS) {
        size_t part = tables / 4 < HOLD_BYTES ? tables / 4 : HOLD_BYTES;
        s->hold = calloc(1, sizeof *s->hold);
        ready = s->hold && gomoku_hold_init(s->hold, part) == PLY_OK;
        tables -= part;
    }
    if (!ready || gomoku_vct_init(&s->vct, &s->field, tables) != PLY_OK) {
        solver_close(s);
        return NULL;
    }
    if (s->hold) {
        s->hold->go_on = go_on_holding;
        s->hold->context = s;
    }
    s->vct.go_on = s->vct.vcf.go_on = go_on;
    s->vct.context = s->vct.vcf.context = s;
    return s;
}

/* --- the walk -------------------------------------------------------------------------------- */
static void walk_play(solver *s, int cell)
{
    gomoku_field_play(&s->field, cell, s->position->side);
    s->played[s->depth] = gomoku_move(cell);
    gomoku_play(s->rules, s->position, gomoku_move(cell), &s->records[s->depth]);
    s->depth++;
}

static void walk_undo(solver *s)
{
    s->depth--;
    gomoku_undo(s->rules, s->position, s->played[s->depth], &s->records[s->depth]);
    gomoku_field_undo_last(&s->field);
}

static walked *find_place(const solver *s, uint64_t key)
{
    size_t i = key & (s->place_room - 1);
    while (s->places[i].plies && s->places[i].key != key)
        i = (i + 1) & (s->place_room - 1);
    return &s->places[i];
}

static bool add_place(solver *s, uint64_t key, uint64_t label, uint32_t plies)
{
    if (2 * s->place_count >= s->place_room) {
        size_t old_room = s->place_room, room = 2 * old_room;
        walked *old = s->places, *grown = calloc(room, sizeof *grown);
        if (!grown || room * sizeof *grown > s->bytes / 8 + MIN_BYTES) {
            free(grown);
            s->status = PLY_LIMIT;
            return false;
        }
        s->places = grown;
        s->place_room = room;
        for (size_t i = 0; i < old_room; i++)
            if (old[i].plies)
                *find_place(s, old[i].key) = old[i];
        free(old);
    }
    *find_place(s, key) = (walked){key, label, plies};
    s->place_count++;
    return true;
}

static uint32_t walk_attack(solver *s);

/* The move is on the board; the defender's answers that do not lose at once, each walked. */
static uint32_t walk_answers(solver *s)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(s->rules, s->position, answers);
    uint32_t longest = 0;
    if (count == 0) {
        if (s->writer)
            ply_proof_leaf(s->writer);
        return 0;
    }
    if (s->writer)
        ply_proof_all(s->writer);
    for (size_t i = 0; i < count && s->status == PLY_OK; i++) {
        if (answers[i] == GOMOKU_PASS) { /* only where nothing threatens: not in these walks */
            s->status = PLY_LIMIT;
            return 0;
        }
        if (s->writer)
            ply_proof_move(s->writer, answers[i]);
        walk_play(s, gomoku_move_cell(answers[i]));
        uint32_t plies = 1 + walk_attack(s);
        walk_undo(s);
        longest = plies > longest ? plies : longest;
    }
    if (s->writer)
        ply_proof_end(s->writer);
    return longest;
}

/* One `else` for all answers that do not matter: the fours in a row, whatever stands elsewhere. */
static uint32_t walk_else(solver *s, const uint16_t *line, int length)
{
    int fours = (length + 1) / 2;
    if (s->writer) {
        ply_proof_else(s->writer);
        for (int i = 0; i < length; i += 2) {
            ply_proof_choose(s->writer, gomoku_move(line[i]));
            if (i + 1 < length) {
                ply_proof_all(s->writer);
                ply_proof_else(s->writer);
            }
        }
        ply_proof_leaf(s->writer);
        for (int i = 1; i < fours; i++)
            ply_proof_end(s->writer);
    }
    return (uint32_t)length + 1;
}

/* White's fours: answers of Black's that another stone of his might close to him. */
static void add_closing(solver *s, const uint16_t *line, int length, gomoku_cells *zone)
{
    gomoku_field *f = &s->field;
    for (int i = 0; i < length; i++) {
        if (i & 1) {
            gomoku_trace trace = {.all = true};
            gomoku_judge(f->width, f->height, f->word, line[i], &trace);
            for (int y = 0; y < f->height; y++)
                zone->rows[y] |= trace.rows[y];
        }
        gomoku_field_play(f, line[i], i & 1 ? !s->attacker : s->attacker);
    }
    for (int i = 0; i < length; i++)
        gomoku_field_undo_last(f);
    for (int y = 0; y < f->height; y++)
        zone->rows[y] &= gomoku_field_empty_in_row(f, y);
}

/* A threat that is no four is on the board. */
static uint32_t walk_threat(solver *s)
{
    gomoku_vcf *fours = &s->vct.vcf;
    if (gomoku_vcf_solve(fours, s->attacker, GOMOKU_NO_LIMIT, ALL_NODES) != GOMOKU_WIN ||
        fours->length == 0 || s->field.caro)
        return walk_answers(s);
    gomoku_cells zone;
    gomoku_vcf_zone(fours, s->attacker, &zone);
    int length = fours->length;
    uint16_t line[GOMOKU_MAX_CELLS];
    memcpy(line, fours->line, (size_t)length * sizeof line[0]);
    if (s->field.rule == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE)
        add_closing(s, line, length, &zone);
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(s->rules, s->position, answers), others = 0;
    uint32_t longest = 0;
    if (s->writer)
        ply_proof_all(s->writer);
    for (size_t i = 0; i < count && s->status == PLY_OK; i++) {
        if (answers[i] == GOMOKU_PASS || !gomoku_cells_has(&zone, gomoku_move_cell(answers[i]))) {
            others++;
            continue;
        }
        if (s->writer)
            ply_proof_move(s->writer, answers[i]);
        walk_play(s, gomoku_move_cell(answers[i]));
        uint32_t plies = 1 + walk_attack(s);
        walk_undo(s);
        longest = plies > longest ? plies : longest;
    }
    if (others) {
        uint32_t plies = walk_else(s, line, length);
        longest = plies > longest ? plies : longest;
    }
    if (s->writer)
        ply_proof_end(s->writer);
    return longest;
}

/* Chooses a move and walks what follows. */
static uint32_t walk_choice(solver *s, int cell)
{
    if (s->writer)
        ply_proof_choose(s->writer, gomoku_move(cell));
    bool four = gomoku_field_marked(&s->field, s->field.four, cell, s->attacker);
    walk_play(s, cell);
    uint32_t plies = 1;
    if (!s->position->ended)
        plies += four ? walk_answers(s) : walk_threat(s);
    else if (s->writer)
        ply_proof_leaf(s->writer);
    walk_undo(s);
    return plies;
}

/* A row of fours whose answers are forced: returns its length. */
static uint32_t walk_fours(solver *s, const uint16_t *line, int length)
{
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    int played = 0, lists = 0;
    while (played < length && s->status == PLY_OK) {
        if (s->writer)
            ply_proof_choose(s->writer, gomoku_move(line[played]));
        walk_play(s, line[played++]);
        size_t count = gomoku_defences(s->rules, s->position, answers);
        bool last = played == length;
        if (count != (last ? 0 : 1) || (!last && answers[0] != gomoku_move(line[played])))
            s->status = PLY_LIMIT; /* never: the search for fours knows the rules */
        else if (!last) {
            if (s->writer) {
                ply_proof_all(s->writer);
                ply_proof_move(s->writer, answers[0]);
            }
            lists++;
            walk_play(s, line[played++]);
        }
    }
    if (s->writer && s->status == PLY_OK) {
        ply_proof_leaf(s->writer);
        for (; lists > 0; lists--)
            ply_proof_end(s->writer);
    }
    for (; played > 0; played--)
        walk_undo(s);
    return (uint32_t)length;
}

/* The attacker to move, and he wins: returns in how many plies. */
static uint32_t walk_attack(solver *s)
{
    gomoku_vcf *fours = &s->vct.vcf;
    int cells[1];
    if (s->status != PLY_OK)
        return 0;
    if (gomoku_field_fives(&s->field, s->attacker, cells, 1))
        return walk_choice(s, cells[0]);
    if (gomoku_vcf_solve(fours, s->attacker, GOMOKU_NO_LIMIT, ALL_NODES) == GOMOKU_WIN) {
        if (s->field.caro)
            return walk_choice(s, fours->line[0]);
        uint16_t line[GOMOKU_MAX_CELLS];
        memcpy(line, fours->line, (size_t)fours->length * sizeof line[0]);
        return walk_fours(s, line, fours->length);
    }
    walked *place = find_place(s, s->field.hash);
    if (place->plies) {
        if (s->writer)
            ply_proof_ref(s->writer, place->label);
        return place->plies;
    }
    int cell = s->goal == GOMOKU_GOAL_VCF ? -1 : gomoku_vct_winner(&s->vct);
    if (cell < 0) {
        s->status = PLY_LIMIT;
        return 0;
    }
    uint64_t key = s->field.hash, label = s->writer ? ply_proof_label(s->writer, s->position) : 0;
    uint32_t plies = walk_choice(s, cell);
    if (s->status == PLY_OK && add_place(s, key, label, plies) && s->writer)
        ply_proof_label_done(s->writer, label, plies);
    return plies;
}

static ply_status walk_win(solver *s, ply_proof_writer *writer, uint32_t *plies)
{
    enum { ROOM = 1024 };
    free(s->places);
    s->places = calloc(ROOM, sizeof *s->places);
    s->place_room = ROOM;
    s->place_count = 0;
    s->depth = 0;
    s->status = s->places ? PLY_OK : PLY_NO_MEMORY;
    s->writer = writer;
    memcpy(s->position, s->root, s->rules->position_bytes);
    *plies = walk_attack(s);
    return s->status;
}

/* The longest defence as far as the walk has seen it. */
static size_t find_line(solver *s)
{
    size_t length = 0;
    memcpy(s->position, s->root, s->rules->position_bytes);
    s->depth = 0;
    s->writer = NULL;
    while (length + 2 < LINE_LIMIT && !s->position->ended) {
        gomoku_vcf *fours = &s->vct.vcf;
        int cells[1], cell;
        if (gomoku_field_fives(&s->field, s->attacker, cells, 1)) {
            cell = cells[0];
        } else if (gomoku_vcf_solve(fours, s->attacker, GOMOKU_NO_LIMIT, ALL_NODES) == GOMOKU_WIN) {
            if (!s->field.caro) {
                for (int i = 0; i < fours->length; i++)
                    s->line[length++] = gomoku_move(fours->line[i]);
                break;
            }
            cell = fours->line[0];
        } else {
            cell = gomoku_vct_winner(&s->vct);
        }
        if (cell < 0)
            break;
        s->line[length++] = gomoku_move(cell);
        walk_play(s, cell);
        if (s->position->ended)
            break;
        ply_move answers[GOMOKU_MAX_CELLS + 1];
        size_t count = gomoku_defences(s->rules, s->position, answers);
        int best = -1, best_plies = -1;
        for (size_t i = 0; i < count; i++) {
            if (answers[i] == GOMOKU_PASS)
                continue;
            int answer = gomoku_move_cell(answers[i]);
            walk_play(s, answer);
            const walked *place = find_place(s, s->field.hash);
            int plies = (int)place->plies;
            if (!plies &&
                gomoku_vcf_solve(fours, s->attacker, GOMOKU_NO_LIMIT, ALL_NODES) == GOMOKU_WIN)
                plies = fours->length;
            walk_undo(s);
            if (plies > best_plies) {
                best = answer;
                best_plies = plies;
            }
        }
        if (best < 0)
            break;
        s->line[length++] = gomoku_move(best);
        walk_play(s, best);
    }
    while (s->depth > 0)
        walk_undo(s);
    return length;
}

/* --- running --------------------------------------------------------------------------------- */
/* Gives the position to the search for holding; false where it may not speak. */
static bool set_hold(solver *s)
{
    const ply_rules *rules = s->rules;
    uint64_t stones[2] = {0, 0};
    int width = gomoku_width(rules), height = gomoku_height(rules);
    /* Black, defending, may find the cell he needs forbidden. */
    if (!s->hold || (gomoku_rule_of(rules) == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE))
        return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int colour = gomoku_at(s->root->lines, gomoku_cell(x, y));
            if (colour >= 0)
                stones[colour] |= (uint64_t)1 << (y * width + x);
        }
    s->hold->nodes = 0;
    return gomoku_hold_set(s->hold, width, height, gomoku_row(rules), stones[s->attacker],
                           stones[!s->attacker]);
}

static uint64_t nodes_of(const solver *s)
{
    return s->vct.nodes + s->vct.vcf.nodes + (s->hold ? s->hold->nodes : 0);
}

/*
 * Small boards, anything played. Wins are looked for, and ways to hold, in turns, each turn longer
 * than the last: first with the defender's rows counting for nothing, then in the game itself.
 */
static gomoku_verdict solve_small(solver *s, uint64_t nodes)
{
    bool is_game = gomoku_rule_of(s->rules) == GOMOKU_FREESTYLE;
    bool rows_win = false, game_wins = false;
    uint64_t attack = FIRST_ATTACK, hold = FIRST_HOLD;
    for (;; attack *= LONGER, hold *= LONGER) {
        uint64_t used = nodes_of(s), left = nodes > used ? nodes - used : 0;
        bool last = left <= attack || (rows_win && (game_wins || !is_game));
        gomoku_verdict verdict = gomoku_vct_solve(&s->vct, s->attacker, true, last ? left : attack);
        if (verdict != GOMOKU_UNKNOWN || last)
            return verdict;
        used = nodes_of(s);
        left = nodes > used ? nodes - used : 0;
        verdict = GOMOKU_WIN;
        if (!rows_win)
            verdict = gomoku_hold_rows(s->hold, hold < left ? hold : left);
        rows_win = verdict == GOMOKU_WIN;
        if (rows_win && is_game && !game_wins) {
            verdict = gomoku_hold_game(s->hold, hold < left ? hold : left);
            game_wins = verdict == GOMOKU_WIN;
        }
        if (verdict == GOMOKU_NO)
            return GOMOKU_NO;
        if (s->hold->halted)
            return GOMOKU_UNKNOWN;
    }
}

static gomoku_verdict solve(solver *s, const ply_solve_limits *limits, ply_solve_report *report)
{
    uint64_t nodes = limits->nodes ? limits->nodes : ALL_NODES;
    if (s->goal == GOMOKU_GOAL_VCF) {
        gomoku_vcf *fours = &s->vct.vcf;
        report->shortest = limits->shortest;
        return limits->shortest ? gomoku_vcf_shortest(fours, s->attacker, GOMOKU_NO_LIMIT, nodes)
                                : gomoku_vcf_solve(fours, s->attacker, GOMOKU_NO_LIMIT, nodes);
    }
    bool all = s->goal == GOMOKU_GOAL_WIN && !s->rules->option[GOMOKU_OPTION_PASS];
    bool small = s->goal == GOMOKU_GOAL_WIN && set_hold(s);
    if (small && all) {
        gomoku_verdict verdict = solve_small(s, nodes);
        if (verdict == GOMOKU_UNKNOWN && !s->vct.stopped && !s->hold->halted)
            report->why = "memory";
        return verdict;
    }
    gomoku_verdict verdict = gomoku_vct_solve(&s->vct, s->attacker, all, nodes);
    if (verdict == GOMOKU_NO && s->goal == GOMOKU_GOAL_WIN && !all) {
        /* Who passes lets the other do as much; so rows that can be stopped still are. */
        uint64_t used = nodes_of(s);
        if (small && gomoku_hold_rows(s->hold, nodes > used ? nodes - used : 0) == GOMOKU_NO)
            return GOMOKU_NO;
        report->why = small && s->hold->halted ? NULL : "passes: only threats are tried";
        return GOMOKU_UNKNOWN;
    }
    if (verdict == GOMOKU_NO && s->goal == GOMOKU_GOAL_WIN &&
        gomoku_rule_of(s->rules) == GOMOKU_RENJU && s->attacker == GOMOKU_WHITE) {
        /* Too few rows are no reason here: Black loses too when all that is left is forbidden. */
        report->why = "forbidden points: only rows are looked for";
        return GOMOKU_UNKNOWN;
    }
    if (verdict == GOMOKU_UNKNOWN && !s->vct.stopped)
        report->why = "memory";
    return verdict;
}

static ply_status solver_run(void *self, const void *position, const ply_solve_limits *limits,
                             ply_solve_control *control, ply_solve_report *report)
{
    solver *s = self;
    const gomoku_position *p = position;
    memcpy(s->root, p, s->rules->position_bytes);
    s->control = control;
    s->attacker = p->side;
    s->verdict = GOMOKU_NO;
    report->line = s->line;
    if (!gomoku_is_over(s->rules, p)) {
        gomoku_field_init(&s->field, s->rules, p, s->undo);
        gomoku_vct_clear(&s->vct);
        s->verdict = solve(s, limits, report);
    }
    if (s->verdict == GOMOKU_WIN) {
        uint32_t plies;
        ply_status status = walk_win(s, NULL, &plies);
        if (status == PLY_NO_MEMORY)
            return status;
        if (status != PLY_OK) {
            s->verdict = GOMOKU_UNKNOWN;
            report->why = "memory";
        } else {
            report->plies = report->counted = plies;
            report->length = find_line(s);
        }
    }
    s->control = NULL;
    report->verdict = s->verdict == GOMOKU_WIN  ? PLY_VERDICT_WIN
                      : s->verdict == GOMOKU_NO ? PLY_VERDICT_NO
                                                : PLY_VERDICT_UNKNOWN;
    report->nodes = nodes_of(s);
    report->memory_bytes = gomoku_vct_bytes(&s->vct) + s->place_room * sizeof *s->places;
    if (s->hold)
        report->memory_bytes += (s->hold->mask + 1) * sizeof *s->hold->table;
    return PLY_OK;
}

/* --- proofs ---------------------------------------------------------------------------------- */
/* Why fours do not win: the defender's answer to each. */
static ply_move answer_four(void *context, const void *position)
{
    const solver *s = context;
    ply_move answers[GOMOKU_MAX_CELLS + 1];
    size_t count = gomoku_defences(s->rules, position, answers);
    if (s->field.caro && count > 1) {
        /* The one after which the search found nothing: try them on a field of its own. */
        solver *mine = context;
        for (size_t i = 0; i < count; i++) {
            gomoku_record record;
            memcpy(mine->position, position, s->rules->position_bytes);
            gomoku_play(s->rules, mine->position, answers[i], &record);
            if (mine->position->ended)
                return answers[i];
            gomoku_field_init(&mine->field, s->rules, mine->position, mine->undo);
            if (gomoku_vcf_solve(&mine->vct.vcf, s->attacker, GOMOKU_NO_LIMIT, ALL_NODES) ==
                GOMOKU_NO)
                return answers[i];
        }
    }
    /* His own row first. */
    for (size_t i = 0; i < count; i++) {
        gomoku_record record;
        memcpy(s->position, position, s->rules->position_bytes);
        gomoku_play(s->rules, s->position, answers[i], &record);
        if (s->position->ended)
            return answers[i];
    }
    return count ? answers[0] : PLY_MOVE_NONE;
}

static ply_status solver_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                               uint32_t *plies)
{
    solver *s = self;
    if (s->verdict == GOMOKU_WIN)
        return walk_win(s, writer, plies);
    if (s->goal != GOMOKU_GOAL_VCF)
        return PLY_UNSUPPORTED; /* that threats do not win is not written down */
    return ply_proof_walk(writer, claim, answer_four, s, s->bytes, plies);
}

const ply_solver_kind gomoku_solver = {
    .open = solver_open, .close = solver_close, .run = solver_run, .prove = solver_prove};
