/* SPDX-License-Identifier: MIT */
/*
 * check.c - checks a proof with the rules and the goal's definition alone.
 *
 * Nothing here comes from the solver or from the writer: the format is read as docs/solve.md draws
 * it, every position is made by playing legal moves from the first, every list of moves is the
 * game's own. The proof is walked once, depth first, without recursion; what is kept is one frame
 * and one list of moves for each ply of the line being walked, whatever the size of the file.
 * References are checked by reading the label's text where the file has it.
 *
 *     frames   [root][   ][   ][now]     a frame: how its node is answered, moves not yet covered
 *     moves    [---][--][-----][--]      one stack; a frame's list is its last part
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
    size_t need = c->move_count + 3 * c->rules.max_moves; /* see check_left_out */
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

/* Whether the attacker may play the move, a legal one. */
static bool is_allowed(checker *c, ply_move move)
{
    return !c->goal->allows || !attacker_moves(c) || c->goal->allows(&c->rules, c->position, move);
}

static void *undo_at(checker *c, size_t depth)
{
    return c->undo_stack + depth * c->rules.undo_bytes;
}

/* Plays a move on trial, asks for the value, and takes it back. */
static bool reaches(checker *c, ply_move move)
{
    void *undo = undo_at(c, c->depth + 1);
    if (c->rules.game->play(&c->rules, c->position, move, undo) != PLY_OK)
        return false;
    bool reached = value_now(c) == PLY_GOAL_REACHED;
    c->rules.game->undo(&c->rules, c->position, move, undo);
    return reached;
}

/*
 * Whether a defence that the goal leaves out loses at once: the goal is reached by it, or by the
 * attacker's next move. *answer is what was found last and is tried first; replies is scratch.
 */
static bool loses_at_once(checker *c, ply_move defence, ply_move *answer, ply_move *replies)
{
    void *undo = undo_at(c, c->depth);
    if (c->rules.game->play(&c->rules, c->position, defence, undo) != PLY_OK)
        return false;
    ply_goal_value value = value_now(c);
    bool lost = value == PLY_GOAL_REACHED;
    if (value == PLY_GOAL_OPEN && attacker_moves(c)) {
        size_t count = c->rules.game->moves(&c->rules, c->position, replies), first = 0;
        while (first < count && replies[first] != *answer)
            first++;
        for (size_t i = 0; i < count && !lost; i++) {
            ply_move reply = replies[(first + i) % count];
            lost = reaches(c, reply) && is_allowed(c, reply);
            if (lost)
                *answer = reply;
        }
    }
    c->rules.game->undo(&c->rules, c->position, defence, undo);
    return lost;
}

/*
 * A goal may leave out defences that lose at once. That is not believed: each legal move that is
 * not among the `kept` ones in `list` is tried here.
 */
static bool check_left_out(checker *c, const ply_move *list, size_t kept)
{
    ply_move *all = c->moves + c->move_count + c->rules.max_moves, answer = PLY_MOVE_NONE;
    size_t count = c->rules.game->moves(&c->rules, c->position, all), found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && list[k] != all[i])
            k++;
        if (k < kept)
            found++;
        else if (!loses_at_once(c, all[i], &answer, all + c->rules.max_moves))
            return ply_check_bad(c, "a defence is left out that does not lose at once");
    }
    return found == kept || ply_check_bad(c, "a defence that is not legal");
}

/* Puts the moves that may be played here on the stack; those of a chooser are not asked about. */
static bool list_moves(checker *c, bool chooser)
{
    if (!reserve(c))
        return false;
    ply_move *out = c->moves + c->move_count;
    bool attacks = attacker_moves(c);
    size_t kept = 0, count = !attacks && c->goal->defences
                                 ? c->goal->defences(&c->rules, c->position, out)
                                 : c->rules.game->moves(&c->rules, c->position, out);
    bool ask = c->goal->allows && attacks && !chooser;
    for (size_t i = 0; i < count; i++)
        if (!ask || c->goal->allows(&c->rules, c->position, out[i]))
            out[kept++] = out[i];
    if (!attacks && c->goal->defences && c->win && !check_left_out(c, out, kept))
        return false;
    c->move_count += kept;
    return true;
}

/* Takes a move off the list of the last frame; false if it is not there. */
static bool strike(checker *c, ply_move move)
{
    for (size_t i = c->frames[c->depth].first; i < c->move_count; i++)
        if (c->moves[i] == move) {
            c->moves[i] = c->moves[--c->move_count];
            return true;
        }
    return false;
}

/* Plays a move of the last frame's list and opens a frame for the position behind it. */
static bool enter(checker *c, ply_move move)
{
    if (c->depth >= MAX_DEPTH)
        return ply_check_reject(c, PLY_LIMIT, c->at, "the proof is too deep");
    if (!reserve(c))
        return false;
    ply_status status = c->rules.game->play(&c->rules, c->position, move, undo_at(c, c->depth));
    if (status != PLY_OK)
        return ply_check_reject(c, status, c->at, "a move cannot be played");
    c->frames[++c->depth] =
        (frame){.move = move, .label = NO_LABEL, .first = c->move_count, .kind = FRAME_NEW};
    c->nodes++;
    if (c->depth > c->deepest)
        c->deepest = c->depth;
    return true;
}

/* Leaves the last frame for the one before it. */
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

/* Whether the text now in c->text is that of the position. */
static bool is_here(checker *c, size_t length)
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
        return ply_check_bad(c, "a label below else");
    if (f->label != NO_LABEL)
        return ply_check_bad(c, "two labels for one node");
    if (c->labels_begun >= c->label_total)
        return ply_check_bad(c, "more labels than the table has");
    if (!ply_check_read_row(c, c->labels_begun, &offset, &plies))
        return false;
    if (offset != begin)
        return ply_check_bad(c, "a label is not where the table says");
    f->label = c->labels_begun++;
    if (!ply_check_take_text(c, &length))
        return false;
    return is_here(c, length) || ply_check_bad(c, "a label's position is not the one reached");
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
        return ply_check_bad(c, "a reference to a label not yet met");
    if (c->win && is_open_label(c, label))
        return ply_check_bad(c, "a win that rests on itself");
    if (!ply_check_read_row(c, label, &offset, &length_there))
        return false;
    /* The label was met there and found good; read its text again. */
    uint64_t back = c->at;
    c->at = offset + 1;
    bool good = ply_check_take_text(c, &length);
    c->at = back;
    if (!good)
        return false;
    if (!is_here(c, length))
        return ply_check_bad(c, "a reference to another position");
    *plies = (uint32_t)length_there;
    return true;
}

static bool check_leaf(checker *c)
{
    ply_goal_value value = value_now(c);
    if (value != PLY_GOAL_OPEN)
        return value == (c->win ? PLY_GOAL_REACHED : PLY_GOAL_MISSED) ||
               ply_check_bad(c, "a leaf where the other side has won");
    if (attacker_moves(c) == c->win)
        return ply_check_bad(c, "a leaf where play goes on");
    size_t before = c->move_count;
    if (!list_moves(c, false))
        return false;
    bool stuck = c->move_count == before;
    c->move_count = before;
    return stuck || ply_check_bad(c, "a leaf where there is a move");
}

static bool check_rows(checker *c)
{
    if (c->win || !c->goal->rows)
        return ply_check_bad(c, "rows have nothing to say here");
    if (value_now(c) != PLY_GOAL_OPEN || !attacker_moves(c))
        return ply_check_bad(c, "rows where the attacker is not to move");
    return ply_check_take_rows(c);
}

static bool begin_inner(checker *c, unsigned op)
{
    frame *f = &c->frames[c->depth];
    if (value_now(c) != PLY_GOAL_OPEN)
        return ply_check_bad(c, "play goes on where it is decided");
    bool choosers = c->rules.game->side(&c->rules, c->position) == c->chooser;
    if (choosers != (op == OP_CHOOSE))
        return ply_check_bad(c, choosers ? "all moves where one is to be chosen"
                                         : "one move where all are to be answered");
    f->kind = op == OP_CHOOSE ? FRAME_CHOOSE : FRAME_ALL;
    if (!list_moves(c, choosers))
        return false;
    if (op == OP_ALL)
        return c->move_count > c->frames[c->depth].first ||
               ply_check_bad(c, "there is no move to answer");
    ply_move move;
    if (!ply_check_take_varint(c, &move))
        return false;
    if (!strike(c, move) || !is_allowed(c, move))
        return ply_check_bad(c, "the chosen move may not be played");
    c->move_count = c->frames[c->depth].first;
    return enter(c, move);
}

/*
 * Goes on with the last frame, an `all`: opens the next branch, or finds it finished (*finished).
 */
static bool next_branch(checker *c, bool *finished)
{
    frame *f = &c->frames[c->depth];
    *finished = false;
    if (f->kind == FRAME_ELSE) {
        if (c->move_count > f->first) {
            c->at = f->else_from;
            return enter(c, c->moves[--c->move_count]);
        }
        c->else_depth--;
        f->kind = FRAME_ALL;
        unsigned end;
        if (!ply_check_take_byte(c, &end))
            return false;
        *finished = end == ITEM_END;
        return *finished || ply_check_bad(c, "something behind else");
    }
    unsigned item;
    if (!ply_check_take_byte(c, &item))
        return false;
    if (item == ITEM_END) {
        *finished = c->move_count == f->first;
        return *finished || ply_check_bad(c, "a move is not answered");
    }
    if (item == ITEM_MOVE) {
        ply_move move;
        if (!ply_check_take_varint(c, &move))
            return false;
        if (!strike(c, move))
            return ply_check_bad(c, "a move that cannot be played or is answered twice");
        return enter(c, move);
    }
    if (item != ITEM_ELSE)
        return ply_check_bad(c, "a letter that the format does not have");
    if (c->move_count == f->first)
        return ply_check_bad(c, "else, and no move is left");
    f->kind = FRAME_ELSE;
    f->else_from = c->at;
    c->else_depth++;
    return enter(c, c->moves[--c->move_count]);
}

/* The last frame's node holds, with a win in `plies`: goes up until another branch is opened. */
static bool finish_node(checker *c, uint32_t plies, bool *done)
{
    for (*done = false;;) {
        frame *f = &c->frames[c->depth];
        uint64_t offset, claimed;
        if (f->label != NO_LABEL) {
            if (!ply_check_read_row(c, f->label, &offset, &claimed))
                return false;
            if (claimed != (c->win ? plies : 0))
                return ply_check_bad(c, "a label's length is not what the table says");
        }
        if (c->depth == 0) {
            *done = true;
            return c->claimed_plies == (c->win ? plies : 0) ||
                   ply_check_bad(c, "the length of the win is not the one claimed");
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

static bool walk_tree(checker *c)
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
                return ply_check_bad(c, "a label on a reference");
            if (!check_ref(c, &plies) || !finish_node(c, plies, &done))
                return false;
            break;
        case OP_ROWS:
            if (!check_rows(c) || !finish_node(c, 0, &done))
                return false;
            break;
        case OP_CHOOSE:
        case OP_ALL:
            if (!begin_inner(c, op))
                return false;
            if (op == OP_ALL && !next_branch(c, &finished))
                return false;
            break;
        default:
            return ply_check_bad(c, "a letter that the format does not have");
        }
    }
    if (c->at != c->table)
        return ply_check_bad(c, "something behind the proof");
    return c->labels_begun == c->label_total ||
           ply_check_bad(c, "the table has labels that were not met");
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
    else if (ply_check_read_tail(&c) && ply_check_read_head(&c, game, summary, text) &&
             reserve(&c)) {
        c.frames[0] = (frame){.label = NO_LABEL, .kind = FRAME_NEW};
        c.nodes = 1;
        walk_tree(&c);
    }
    summary->plies = (uint32_t)c.claimed_plies;
    summary->nodes = c.nodes;
    summary->labels = c.label_total;
    summary->depth = c.deepest;
    /* A failed check leaves the position in the middle of the line; going back frees nothing. */
    checker_free(&c);
    return c.status;
}
