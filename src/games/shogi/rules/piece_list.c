/* SPDX-License-Identifier: MIT */
/*
 * piece_list.c - the numbered-piece form of a position from the design note, and its 80-byte save.
 *
 * <plyverse/shogi.h> describes the arrays and the save.
 *
 * The engine itself does not use this form. It exists for exchange with programs that follow the
 * note, and as an independent representation that the tests compare with the square sets.
 */
#include "games/shogi/shogi.h"
#include <string.h>

void shogi_piece_list_numbers(int kind, int *first, int *end)
{
    *first = 1;
    *end = 3;
    for (size_t i = 0; kind != SHOGI_KING; i++) {
        *first = *end;
        *end += shogi_kind_total[shogi_hand_order[i]];
        if (shogi_hand_order[i] == kind)
            return;
    }
}

static void put_numbered_piece(shogi_piece_list *list, int number, int pos, int code)
{
    list->goma_pos[number] = (int16_t)pos;
    list->goma_cde[number] = (uint8_t)code;
    if (pos < SHOGI_SQUARES)
        list->board[pos] = (uint8_t)number;
}

void shogi_piece_list_from_position(const shogi_position *p, shogi_piece_list *list)
{
    memset(list, 0, sizeof *list);
    for (int colour = 0; colour < 2; colour++) {
        int king = shogi_king(p, colour);
        put_numbered_piece(list, 1 + colour, king == SHOGI_NO_SQUARE ? SHOGI_LIST_BOX : king,
                           SHOGI_KING | colour << 4);
    }
    for (int kind = 0; kind < SHOGI_KING; kind++) {
        int number, end;
        shogi_piece_list_numbers(kind, &number, &end);
        for (int s = 0; s < SHOGI_SQUARES; s++)
            if (p->board[s] != SHOGI_CODE_EMPTY && (p->board[s] & SHOGI_CODE_KIND) == kind)
                put_numbered_piece(list, number++, s, p->board[s]);
        for (int colour = 0; colour < 2; colour++)
            for (unsigned n = shogi_hand_count(p->hand[colour], kind); n > 0; n--)
                put_numbered_piece(list, number++, SHOGI_LIST_HAND + colour,
                                   kind | colour << 4 | SHOGI_CODE_HAND);
        while (number < end)
            put_numbered_piece(list, number++, SHOGI_LIST_BOX, kind);
    }
}

/* Where an element of an array is in the save. */
static int pos_byte(int n)
{
    return n - 1;
}

static int code_byte(int n)
{
    return SHOGI_PIECES + n - 1;
}

enum { NO_BYTE = -1 };

/* Checks piece number n and adds it to the position. On failure *byte is the one at fault. */
static ply_status add_piece(const shogi_piece_list *list, int n, shogi_position *p,
                            ply_error *error, int *byte)
{
    int pos = list->goma_pos[n], code = list->goma_cde[n];
    int kind = code & SHOGI_CODE_KIND, owner = shogi_code_owner(code);
    bool in_hand = (code & SHOGI_CODE_HAND) != 0, promoted = (code & SHOGI_CODE_PROMOTED) != 0;
    *byte = code_byte(n);
    if (code > 0x3F || (promoted && (kind == SHOGI_GOLD || kind == SHOGI_KING || in_hand)))
        return ply_error_set(error, PLY_BAD_POSITION, "piece %d has the invalid code 0x%02x", n,
                             (unsigned)code);
    if ((n <= 2) != (kind == SHOGI_KING) || (n <= 2 && owner != n - 1))
        return ply_error_set(error, PLY_BAD_POSITION,
                             "pieces 1 and 2, and no others, must be the kings of Black and White");
    *byte = pos_byte(n);
    if (pos == SHOGI_LIST_BOX && !in_hand)
        return PLY_OK;
    if (in_hand) {
        if (pos != SHOGI_LIST_HAND + owner || kind == SHOGI_KING)
            return ply_error_set(error, PLY_BAD_POSITION,
                                 "piece %d is marked as in hand but is at %d", n, pos);
        p->hand[owner] += shogi_hand_one(kind);
        return PLY_OK;
    }
    if (pos < 0 || !shogi_is_square((unsigned)pos))
        return ply_error_set(error, PLY_BAD_POSITION, "piece %d is at %d, which is not a square", n,
                             pos);
    if (p->board[pos] != SHOGI_CODE_EMPTY)
        return ply_error_set(error, PLY_BAD_POSITION, "two pieces are on square %d", pos);
    shogi_put_piece(p, code, pos);
    return PLY_OK;
}

/*
 * Builds a position from goma_pos and goma_cde; a saved position has no board array. On failure
 * *byte is the one at fault, or NO_BYTE.
 */
static ply_status from_arrays(const shogi_piece_list *list, int side, shogi_position *p,
                              ply_error *error, int *byte)
{
    char reason[128];
    shogi_clear_board(p);
    p->side = (uint8_t)side;
    for (int n = 1; n <= SHOGI_PIECES; n++) {
        ply_status status = add_piece(list, n, p, error, byte);
        if (status != PLY_OK)
            return status;
    }
    *byte = NO_BYTE;
    const char *fault = shogi_position_fault(p, reason, sizeof reason);
    if (fault)
        return ply_error_set(error, PLY_BAD_POSITION, "%s", fault);
    shogi_compute_keys(p);
    return PLY_OK;
}

ply_status shogi_piece_list_to_position(const shogi_piece_list *list, int side, shogi_position *p,
                                        ply_error *error)
{
    int byte;
    ply_status status = from_arrays(list, side, p, error, &byte);
    for (int s = 0; status == PLY_OK && s < SHOGI_SQUARES; s++) {
        int n = list->board[s];
        bool agrees =
            n == 0 ? p->board[s] == SHOGI_CODE_EMPTY : n <= SHOGI_PIECES && list->goma_pos[n] == s;
        if (!agrees)
            status = ply_error_set(error, PLY_BAD_POSITION,
                                   "board[%d] is %d, but goma_pos and goma_cde disagree", s, n);
    }
    return status;
}

void shogi_piece_list_play(shogi_piece_list *list, int side, ply_move move)
{
    int to = shogi_move_to(move), number = 0;
    if (shogi_move_is_drop(move)) {
        int code = shogi_move_from(move) | side << 4 | SHOGI_CODE_HAND;
        while (list->goma_cde[++number] != code)
            continue;
        put_numbered_piece(list, number, to, code & ~SHOGI_CODE_HAND);
        return;
    }
    int from = shogi_move_from(move), captured = list->board[to];
    number = list->board[from];
    if (captured)
        put_numbered_piece(list, captured, SHOGI_LIST_HAND + side,
                           (list->goma_cde[captured] & SHOGI_CODE_KIND) | side << 4 |
                               SHOGI_CODE_HAND);
    list->board[from] = 0;
    put_numbered_piece(list, number, to,
                       list->goma_cde[number] |
                           (shogi_move_promotes(move) ? SHOGI_CODE_PROMOTED : 0));
}

enum { SAVED_WHITE_TO_MOVE = 0x40 };

void shogi_save(const shogi_position *p, uint8_t bytes[SHOGI_SAVED_BYTES])
{
    shogi_piece_list list;
    shogi_piece_list_from_position(p, &list);
    for (int n = 1; n <= SHOGI_PIECES; n++) {
        bytes[pos_byte(n)] = (uint8_t)list.goma_pos[n];
        bytes[code_byte(n)] = list.goma_cde[n];
    }
    if (p->side == SHOGI_WHITE)
        bytes[SHOGI_PIECES] |= SAVED_WHITE_TO_MOVE;
}

ply_status shogi_load(const uint8_t bytes[SHOGI_SAVED_BYTES], shogi_position *p, ply_error *error)
{
    shogi_piece_list list = {0};
    for (int n = 1; n <= SHOGI_PIECES; n++) {
        list.goma_pos[n] = bytes[pos_byte(n)];
        list.goma_cde[n] = bytes[code_byte(n)];
    }
    int side = list.goma_cde[1] & SAVED_WHITE_TO_MOVE ? SHOGI_WHITE : SHOGI_BLACK;
    list.goma_cde[1] &= (uint8_t)~SAVED_WHITE_TO_MOVE;
    int byte;
    ply_status status = from_arrays(&list, side, p, error, &byte);
    if (status != PLY_OK && error && byte != NO_BYTE) {
        error->line = 1;
        error->column = (uint32_t)byte + 1;
        error->offset = (size_t)byte;
    }
    return status;
}

ply_status shogi_state_load(ply_state *state, const uint8_t bytes[SHOGI_SAVED_BYTES],
                            ply_error *error)
{
    shogi_position p;
    if (state->rules->game != &shogi_game)
        return ply_error_set(error, PLY_UNSUPPORTED, "a state of %s, not of shogi",
                             state->rules->game->id);
    ply_status status = shogi_load(bytes, &p, error);
    if (status != PLY_OK)
        return status;
    state->plies = 0;
    memcpy(state->position, &p, sizeof p);
    return PLY_OK;
}
