/* SPDX-License-Identifier: MIT */
/*
 * check.c - checks a proof using only the rules and the goal's definition.
 *
 * The checker shares no code with the solver or the proof writer. It reads the format described in
 * docs/solve.md, reaches every position by playing legal moves from the first, and takes every list
 * of moves from the game. The proof is traversed once, depth first, without recursion. Memory holds
 * one frame and one list of moves per ply of the current variation, whatever the size of the file.
 * A reference is checked by reading the label's text again from the file.
 *
 *     frames   [root]   [    ]   [      ]   [current]     the kind of each node, and its label
 *     moves    [m m m]  [m m]    [m m m m]  [m m m]       the moves not yet covered, one stack
 */
#include "check/check_internal.h"
#include <stdlib.h>
#include <string.h>

/* --- the rules ------------------------------------------------------------------------------ */
static ply_goal_value value_now(checker *c)
{
    return c->goal->value ? c->goal->value(&c->rules, c->position, c->attacker) : PLY_GOAL_OPEN;
}

static bool attacker_moves(checker *c)
{
    return c->rules.game->side(&c->rules, c->position) == c->attacker;
}

static bool reserve(checker *c)
{
    size_t need = c->move_count + 3 * c->rules.max_moves; /* see check_omitted_defences */
    if (need > c->move_capacity) {
        ply_move *grown = realloc(c->moves, 2 * need * sizeof *grown);
        if (!grown)
            return ply_check_reject(c, PLY_NO_MEMORY, c->at, "out of memory");
        c->moves = grown;
        c->move_capacity = 2 * need;
    }
    if (c->depth + 3 > c->frame_capacity) {
        size_t capacity = 2 * c->frame_capacity + 64;
        frame *frames = realloc(c->frames, capacity * sizeof *frames);
        if (frames)
            c->frames = frames;
        unsigned char *undo_stack = realloc(c->undo_stack, capacity * (c->rules.undo_bytes + 1));
        if (undo_stack)
            c->undo_stack = undo_stack;
        if (!frames || !undo_stack)
            return ply_check_reject(c, PLY_NO_MEMORY, c->at, "out of memory");
        c->frame_capacity = capacity;
    }
    return true;
}

/* Whether the goal allows the attacker a move. A test without an answer rejects the proof. */
static bool goal_allows(checker *c, ply_move move)
{
    ply_goal_effort effort = {.nodes = MAX_TEST_NODES, .stop = c->stop};
    bool allowed = c->goal->allows(&c->rules, c->position, move, &effort);
    if (!effort.exceeded)
        return allowed;
    if (!ply_check_should_stop(c))
        ply_check_reject(c, PLY_LIMIT, c->at, "cannot tell whether the goal allows a move");
    return false;
}

/* Whether a legal move may be played: the goal restricts the attacker's moves. */
static bool is_allowed(checker *c, ply_move move)
{
    return !c->goal->allows || !attacker_moves(c) || goal_allows(c, move);
}

static void *undo_at(checker *c, size_t depth)
{
    return c->undo_stack + depth * c->rules.undo_bytes;
}

/* Whether a move reaches the goal. */
static bool reaches_goal(checker *c, ply_move move)
{
    void *undo = undo_at(c, c->depth + 1);
    if (c->rules.game->play(&c->rules, c->position, move, undo) != PLY_OK)
        return false;
    bool reached = value_now(c) == PLY_GOAL_REACHED;
    c->rules.game->undo(&c->rules, c->position, move, undo);
    return reached;
}

/*
 * Lists the legal moves. A game that cannot list them because memory ran out lists none although
 * the game is not over; that must not pass for mate.
 */
static size_t legal_moves(checker *c, ply_move *out)
{
    size_t count = c->rules.game->moves(&c->rules, c->position, out);
    if (count == 0 && c->rules.game->outcome(&c->rules, c->position, NULL, 0).result == PLY_ONGOING)
        ply_check_reject(c, PLY_NO_MEMORY, c->at, "no move in a game that is not over");
    return count;
}

/*
 * Whether a defence loses immediately: it reaches the goal itself or lets the attacker reach it
 * with the next move. *answer is the last such move found and is tried first; replies is scratch
 * space.
 */
static bool loses_immediately(checker *c, ply_move defence, ply_move *answer, ply_move *replies)
{
    void *undo = undo_at(c, c->depth);
    if (c->rules.game->play(&c->rules, c->position, defence, undo) != PLY_OK)
        return false;
    ply_goal_value value = value_now(c);
    bool lost = value == PLY_GOAL_REACHED;
    if (value == PLY_GOAL_OPEN && attacker_moves(c)) {
        size_t count = legal_moves(c, replies), first = 0;
        while (first < count && replies[first] != *answer)
            first++;
        for (size_t i = 0; i < count && !lost; i++) {
            ply_move reply = replies[(first + i) % count];
            lost = reaches_goal(c, reply) && is_allowed(c, reply);
            if (lost)
                *answer = reply;
        }
    }
    c->rules.game->undo(&c->rules, c->position, defence, undo);
    return lost;
}

/*
 * A goal may omit defences that lose immediately. The checker does not take its word for it, but
 * tries every legal move that is not among the `kept` moves of `list`.
 */
static bool check_omitted_defences(checker *c, const ply_move *list, size_t kept)
{
    ply_move *all = c->moves + c->move_count + c->rules.max_moves, answer = PLY_MOVE_NONE;
    size_t count = legal_moves(c, all), found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && list[k] != all[i])
            k++;
        if (k < kept)
            found++;
        else if (!loses_immediately(c, all[i], &answer, all + c->rules.max_moves))
            return ply_check_bad(c, "an omitted defence does not lose immediately");
    }
    return found == kept || ply_check_bad(c, "illegal defence");
}

/* Pushes the moves that may be played here on the stack. For the chooser, all legal moves: only the
 * chosen one is checked against the goal. */
static bool list_moves(checker *c, bool chooser)
{
    if (!reserve(c))
        return false;
    ply_move *out = c->moves + c->move_count;
    bool attacks = attacker_moves(c), omit = c->win && !attacks && c->goal->defences;
    size_t kept = 0,
           count = omit ? c->goal->defences(&c->rules, c->position, out) : legal_moves(c, out);
    bool filter = c->goal->allows && attacks && !chooser;
    for (size_t i = 0; i < count; i++)
        if (!filter || goal_allows(c, out[i]))
            out[kept++] = out[i];
    if (omit)
        check_omitted_defences(c, out, kept);
    if (c->status != PLY_OK)
        return false;
    c->move_count += kept;
    return true;
}

/* Removes a move from the current frame's list. Returns false if it is not there. */
static bool remove_move(checker *c, ply_move move)
{
    for (size_t i = c->frames[c->depth].first; i < c->move_count; i++)
        if (c->moves[i] == move) {
            c->moves[i] = c->moves[--c->move_count];
            return true;
        }
    return false;
}

/* Plays a move of the current frame and pushes a frame for the position after it. */
static bool enter(checker *c, ply_move move)
{
    if (c->depth >= MAX_DEPTH)
        return ply_check_reject(c, PLY_LIMIT, c->at, "proof too deep");
    if (!reserve(c))
        return false;
    ply_status status = c->rules.game->play(&c->rules, c->position, move, undo_at(c, c->depth));
    if (status != PLY_OK)
        return ply_check_reject(c, status, c->at, "cannot play a move");
    c->frames[++c->depth] =
        (frame){.move = move, .label = NO_LABEL, .first = c->move_count, .kind = FRAME_NEW};
    c->nodes++;
    if (c->depth > c->deepest)
        c->deepest = c->depth;
    return true;
}

/* Pops the current frame and takes its move back. */
static void leave(checker *c)
{
    frame *f = &c->frames[c->depth--];
    c->move_count = f->first;
    c->rules.game->undo(&c->rules, c->position, f->move, undo_at(c, c->depth));
}

static void write_identity(checker *c)
{
    ply_text_clear(&c->identity);
    if (c->goal->identity)
        c->goal->identity(&c->rules, c->position, &c->identity);
    else
        c->rules.game->format(&c->rules, c->position, &c->identity);
}

/* Whether c->text identifies the position. */
static bool text_matches_position(checker *c, size_t length)
{
    write_identity(c);
    return ply_text_complete(&c->identity) && c->identity.length == length &&
           memcmp(ply_text_cstr(&c->identity), c->text, length) == 0;
}

/* --- nodes ---------------------------------------------------------------------------------- */
static bool check_label(checker *c, uint64_t begin)
{
    frame *f = &c->frames[c->depth];
    uint64_t offset, plies;
    size_t length;
    if (c->else_depth)
        return ply_check_bad(c, "label inside else");
    if (f->label != NO_LABEL)
        return ply_check_bad(c, "two labels on one node");
    if (c->labels_begun >= c->label_total)
        return ply_check_bad(c, "more labels than in the label table");
    if (!ply_check_read_label(c, c->labels_begun, &offset, &plies))
        return false;
    if (offset != begin)
        return ply_check_bad(c, "label is not at the offset in the label table");
    f->label = c->labels_begun++;
    if (!ply_check_take_text(c, &length))
        return false;
    return text_matches_position(c, length) ||
           ply_check_bad(c, "label does not match the position");
}

static bool is_open_label(const checker *c, uint64_t label)
{
    for (size_t i = 0; i <= c->depth; i++)
        if (c->frames[i].label == label)
            return true;
    return false;
}

static bool check_ref(checker *c, uint32_t *plies)
{
    uint64_t label, offset, length_there;
    size_t length;
    if (!ply_check_take_varint(c, &label))
        return false;
    if (label >= c->labels_begun)
        return ply_check_bad(c, "reference to an unknown label");
    if (c->win && is_open_label(c, label))
        return ply_check_bad(c, "circular reference in a win");
    if (!ply_check_read_label(c, label, &offset, &length_there))
        return false;
    /* The label has been checked before; read its text again. */
    uint64_t return_to = c->at;
    c->at = offset + 1;
    bool ok = ply_check_take_text(c, &length);
    c->at = return_to;
    if (!ok)
        return false;
    if (!text_matches_position(c, length))
        return ply_check_bad(c, "reference to a different position");
    *plies = (uint32_t)length_there;
    return true;
}

static bool check_leaf(checker *c)
{
    ply_goal_value value = value_now(c);
    if (value != PLY_GOAL_OPEN)
        return value == (c->win ? PLY_GOAL_REACHED : PLY_GOAL_MISSED) ||
               ply_check_bad(c, "leaf where the other side has won");
    if (attacker_moves(c) == c->win)
        return ply_check_bad(c, "leaf in an open position");
    size_t before = c->move_count;
    if (!list_moves(c, false))
        return false;
    bool stuck = c->move_count == before;
    c->move_count = before;
    return stuck || ply_check_bad(c, "leaf where a move is possible");
}

static bool check_winning_sets(checker *c)
{
    if (c->win || !c->goal->winning_sets)
        return ply_check_bad(c, "winning sets do not apply here");
    if (value_now(c) != PLY_GOAL_OPEN || !attacker_moves(c))
        return ply_check_bad(c, "winning sets where the attacker is not to move");
    return ply_check_take_winning_sets(c);
}

/* Begins a `choose` or `all` node. */
static bool begin_inner_node(checker *c, unsigned op)
{
    frame *f = &c->frames[c->depth];
    if (value_now(c) != PLY_GOAL_OPEN)
        return ply_check_bad(c, "moves in a decided position");
    bool chooser_moves = c->rules.game->side(&c->rules, c->position) == c->chooser;
    if (chooser_moves != (op == OP_CHOOSE))
        return ply_check_bad(c, chooser_moves ? "all moves where one must be chosen"
                                              : "one move where all must be answered");
    f->kind = op == OP_CHOOSE ? FRAME_CHOOSE : FRAME_ALL;
    if (!list_moves(c, chooser_moves))
        return false;
    if (op == OP_ALL)
        return c->move_count > c->frames[c->depth].first || ply_check_bad(c, "no moves to answer");
    ply_move move;
    if (!ply_check_take_varint(c, &move))
        return false;
    if (!remove_move(c, move) || !is_allowed(c, move))
        return ply_check_bad(c, "chosen move is not allowed");
    c->move_count = c->frames[c->depth].first;
    return enter(c, move);
}

/* Enters the next branch of the current frame, an `all` node; *finished: there is none. */
static bool next_branch(checker *c, bool *finished)
{
    frame *f = &c->frames[c->depth];
    *finished = false;
    if (f->kind == FRAME_ELSE) {
        if (c->move_count > f->first) {
            c->at = f->else_offset;
            return enter(c, c->moves[--c->move_count]);
        }
        c->else_depth--;
        f->kind = FRAME_ALL;
        unsigned end;
        if (!ply_check_take_byte(c, &end))
            return false;
        *finished = end == ITEM_END;
        return *finished || ply_check_bad(c, "unexpected data after else");
    }
    unsigned item;
    if (!ply_check_take_byte(c, &item))
        return false;
    if (item == ITEM_END) {
        *finished = c->move_count == f->first;
        return *finished || ply_check_bad(c, "unanswered move");
    }
    if (item == ITEM_MOVE) {
        ply_move move;
        if (!ply_check_take_varint(c, &move))
            return false;
        if (!remove_move(c, move))
            return ply_check_bad(c, "illegal or repeated move");
        return enter(c, move);
    }
    if (item != ITEM_ELSE)
        return ply_check_bad(c, "invalid byte");
    if (c->move_count == f->first)
        return ply_check_bad(c, "else without remaining moves");
    f->kind = FRAME_ELSE;
    f->else_offset = c->at;
    c->else_depth++;
    return enter(c, c->moves[--c->move_count]);
}

/*
 * The current node holds, with a win in `plies`. Returns to its ancestors until one has another
 * branch to enter; *done when the root is complete.
 */
static bool finish_node(checker *c, uint32_t plies, bool *done)
{
    for (*done = false;;) {
        frame *f = &c->frames[c->depth];
        uint64_t offset, claimed;
        if (f->label != NO_LABEL) {
            if (!ply_check_read_label(c, f->label, &offset, &claimed))
                return false;
            if (claimed != (c->win ? plies : 0))
                return ply_check_bad(c, "label's length differs from the label table");
        }
        if (c->depth == 0) {
            *done = true;
            return c->claimed_plies == (c->win ? plies : 0) ||
                   ply_check_bad(c, "length of the win differs from the claim");
        }
        leave(c);
        f = &c->frames[c->depth];
        plies++;
        if (f->kind == FRAME_CHOOSE)
            continue;
        f->longest = plies > f->longest ? plies : f->longest;
        bool finished;
        if (!next_branch(c, &finished))
            return false;
        if (!finished)
            return true;
        plies = c->frames[c->depth].longest;
    }
}

static bool check_tree(checker *c)
{
    bool done = false;
    while (!done) {
        uint64_t begin = c->at;
        unsigned op;
        uint32_t plies = 0;
        bool finished;
        if (ply_check_should_stop(c) || !ply_check_take_byte(c, &op))
            return false;
        switch (op) {
        case OP_LABEL:
            if (!check_label(c, begin))
                return false;
            break;
        case OP_LEAF:
            if (!check_leaf(c) || !finish_node(c, 0, &done))
                return false;
            break;
        case OP_REF:
            if (c->frames[c->depth].label != NO_LABEL)
                return ply_check_bad(c, "label on a reference");
            if (!check_ref(c, &plies) || !finish_node(c, plies, &done))
                return false;
            break;
        case OP_WINNING_SETS:
            if (!check_winning_sets(c) || !finish_node(c, 0, &done))
                return false;
            break;
        case OP_CHOOSE:
        case OP_ALL:
            if (!begin_inner_node(c, op))
                return false;
            if (op == OP_ALL && !next_branch(c, &finished))
                return false;
            break;
        default:
            return ply_check_bad(c, "invalid byte");
        }
    }
    if (c->at != c->label_table)
        return ply_check_bad(c, "unexpected data after the proof");
    return c->labels_begun == c->label_total ||
           ply_check_bad(c, "unused entries in the label table");
}

static void checker_free(checker *c)
{
    if (c->has_position)
        ply_game_clear(&c->rules, c->position);
    free(c->position);
    free(c->window);
    free(c->frames);
    free(c->moves);
    free(c->undo_stack);
    free(c->text);
    ply_text_free(&c->identity);
}

ply_status ply_proof_check(const ply_game *game, const ply_proof_source *source, uint64_t max_nodes,
                           const volatile bool *stop, ply_proof_summary *summary, ply_text *text,
                           ply_error *error)
{
    if (!game || !source || !source->read || !summary)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no game, source or summary");
    checker c = {.source = source,
                 .stop = stop,
                 .max_nodes = max_nodes,
                 .identity = ply_text_growing(),
                 .error = error};
    *summary = (ply_proof_summary){0};
    c.window = malloc(WINDOW_BYTES);
    c.text = malloc(MAX_TEXT);
    if (!c.window || !c.text)
        ply_check_reject(&c, PLY_NO_MEMORY, 0, "out of memory");
    else if (ply_check_read_tail(&c) && ply_check_read_header(&c, game, summary, text) &&
             reserve(&c)) {
        c.frames[0] = (frame){.label = NO_LABEL, .kind = FRAME_NEW};
        c.nodes = 1;
        check_tree(&c);
    }
    summary->plies = (uint32_t)c.claimed_plies;
    summary->nodes = c.nodes;
    summary->labels = c.label_total;
    summary->depth = c.deepest;
    /* After a failure the position is deep in the tree. Undoing the moves would free nothing. */
    checker_free(&c);
    return c.status;
}
