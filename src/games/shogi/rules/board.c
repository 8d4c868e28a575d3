/* SPDX-License-Identifier: MIT */
/* board.c - the rules hooks for moves, play and undo, setting up a position, and attack queries. */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/rules/make_move.h"
#include "games/shogi/shogi.h"
#include <string.h>

const uint8_t shogi_kind_total[SHOGI_KINDS] = {18, 4, 4, 4, 2, 2, 4, 2};
const uint8_t shogi_hand_order[SHOGI_KING] = {SHOGI_ROOK,   SHOGI_BISHOP, SHOGI_GOLD, SHOGI_SILVER,
                                              SHOGI_KNIGHT, SHOGI_LANCE,  SHOGI_PAWN};

/* --- setting up ----------------------------------------------------------------------------- */
void shogi_clear_board(shogi_position *p)
{
    memset(p, 0, sizeof *p);
    for (int s = 0; s < SHOGI_SQUARES; s++)
        p->board[s] = SHOGI_CODE_EMPTY;
    p->ply = 1;
}

void shogi_put_piece(shogi_position *p, int code, int square)
{
    p->board[square] = (uint8_t)code;
    p->by_type[shogi_code_type(code)] |= set_of(square);
    p->colour[shogi_code_owner(code)] |= set_of(square);
}

unsigned shogi_count_kind(const shogi_position *p, int kind)
{
    unsigned count = 0;
    for (int s = 0; s < SHOGI_SQUARES; s++)
        count += p->board[s] != SHOGI_CODE_EMPTY && (p->board[s] & SHOGI_CODE_KIND) == kind;
    if (kind != SHOGI_KING)
        count += shogi_hand_count(p->hand[0], kind) + shogi_hand_count(p->hand[1], kind);
    return count;
}

static uint64_t compute_board_key(const shogi_position *p)
{
    uint64_t key = p->side == SHOGI_WHITE ? shogi_side_key : 0;
    for (int s = 0; s < SHOGI_SQUARES; s++)
        if (p->board[s] != SHOGI_CODE_EMPTY)
            key ^= shogi_piece_keys[p->board[s]][s];
    return key;
}

static uint64_t compute_hand_key(const shogi_position *p)
{
    uint64_t key = 0;
    for (int colour = 0; colour < 2; colour++)
        for (int kind = 0; kind < SHOGI_KING; kind++)
            key += shogi_hand_count(p->hand[colour], kind) * shogi_hand_keys[colour][kind];
    return key;
}

uint64_t shogi_compute_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    return compute_board_key(position) + compute_hand_key(position);
}

void shogi_compute_keys(shogi_position *p)
{
    p->board_key = compute_board_key(p);
    p->hand_key = compute_hand_key(p);
}

ply_status shogi_start(const ply_rules *rules, void *position)
{
    const char *text = rules->variant->data;
    ply_cursor cursor = ply_cursor_make(text, strlen(text), NULL);
    return shogi_parse(rules, position, &cursor);
}

/* --- moves ---------------------------------------------------------------------------------- */
size_t shogi_moves_of_mode(const shogi_position *p, int mode, ply_move *out)
{
    return PLY_ISA_PICK(shogi_kernels_of)->moves(p, mode, out);
}

size_t shogi_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return shogi_moves_of_mode(position, SHOGI_STANDARD, out);
}

size_t shogi_count(const ply_rules *rules, const void *position)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->count(position);
}

ply_move shogi_nth(const ply_rules *rules, const void *position, size_t k)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->nth(position, k);
}

bool shogi_is_legal(const shogi_position *p, ply_move move)
{
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(p, SHOGI_STANDARD, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

ply_status shogi_play(const ply_rules *rules, void *position, ply_move move, void *undo)
{
    (void)rules;
    shogi_apply(position, (unsigned)move, undo);
    return PLY_OK;
}

void shogi_undo(const ply_rules *rules, void *position, ply_move move, const void *undo)
{
    (void)rules;
    shogi_take_back(position, (unsigned)move, undo);
}

void shogi_null_move(const ply_rules *rules, void *position, void *undo)
{
    (void)rules;
    shogi_position *p = position;
    *(shogi_undo_info *)undo = (shogi_undo_info){
        .board_key = p->board_key, .hand_key = p->hand_key, .captured = SHOGI_CODE_EMPTY};
    p->board_key ^= shogi_side_key;
    p->side = !p->side;
    p->ply++;
}

int shogi_side(const ply_rules *rules, const void *position)
{
    (void)rules;
    return ((const shogi_position *)position)->side;
}

uint64_t shogi_hash(const ply_rules *rules, const void *position)
{
    (void)rules;
    const shogi_position *p = position;
    return p->board_key + p->hand_key;
}

uint64_t shogi_perft(const ply_rules *rules, void *position, int depth, int mode)
{
    (void)rules;
    const shogi_kernels *k = PLY_ISA_PICK(shogi_kernels_of);
    return mode == 0 ? k->perft(position, depth) : k->perft_visit(position, depth);
}

size_t shogi_playout(const ply_rules *rules, void *position, ply_rng *rng, size_t max_plies,
                     ply_outcome *outcome)
{
    return PLY_ISA_PICK(shogi_kernels_of)->playout(rules, position, rng, max_plies, outcome);
}

/* --- mirror image --------------------------------------------------------------------------- */
void shogi_image(const ply_rules *rules, const void *position, uint32_t i, void *out)
{
    (void)rules;
    const shogi_position *p = position;
    shogi_position copy = *p, *image = out;
    if (i == 0) {
        *image = copy;
        return;
    }
    shogi_clear_board(image);
    for (int s = 0; s < SHOGI_SQUARES; s++)
        if (copy.board[s] != SHOGI_CODE_EMPTY)
            shogi_put_piece(image, copy.board[s], shogi_square(8 - shogi_column(s), shogi_rank(s)));
    memcpy(image->hand, copy.hand, sizeof copy.hand);
    image->side = copy.side;
    image->ply = copy.ply;
    shogi_compute_keys(image);
}

/* --- attacks and checks --------------------------------------------------------------------- */
shogi_set shogi_attacks(const shogi_position *p, int colour)
{
    return attacks_on(p, colour, SHOGI_BOARD_SET, p->colour[0] | p->colour[1]) & SHOGI_BOARD_SET;
}

shogi_set shogi_attackers(const shogi_position *p, int colour, int square, shogi_set occupied)
{
    return attackers_of(p, colour, square, occupied);
}

shogi_set shogi_piece_attacks(int code, int square, shogi_set occupied)
{
    return type_attacks(shogi_code_owner(code), shogi_code_type(code), square, occupied);
}

bool shogi_in_check(const shogi_position *p, int colour)
{
    return is_in_check(p, colour);
}

bool shogi_is_pawn_drop_mate(const shogi_position *p, int square)
{
    int king = shogi_king(p, !p->side);
    return king != SHOGI_NO_SQUARE && king - forward_of(p->side) == square &&
           pawn_drop_mates(p, p->side, square);
}
