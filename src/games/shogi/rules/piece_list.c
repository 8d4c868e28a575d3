/* SPDX-License-Identifier: MIT */
/*
 * piece_list.c - the note's own form of a position: numbered pieces, and 80 bytes to save them in.
 *
 *     board[97]      square -> number of the piece, 0 for none
 *     goma_pos[41]   number -> square 0-96, 97 Black's hand, 98 White's, 99 not in the game
 *     goma_cde[41]   number -> attribute code (shogi.h)
 *
 * Numbers 1 and 2 are the kings of Black and White. Made from a position, the others are 3-4 rooks,
 * 5-6 bishops, 7-10 golds, 11-14 silvers, 15-18 knights, 19-22 lances, 23-40 pawns, in the order of
 * their squares, then Black's hand, White's hand and the box; so equal positions give equal arrays.
 * Arrays that come from elsewhere may number the others as they like, as the note allows.
 */
#include "games/shogi/shogi.h"
#include <string.h>

static const uint8_t number_order[] = {SHOGI_ROOK,   SHOGI_BISHOP, SHOGI_GOLD, SHOGI_SILVER,
                                       SHOGI_KNIGHT, SHOGI_LANCE,  SHOGI_PAWN};

void shogi_note_numbers(int kind, int *first, int *end)
{
    *first = 1;
    *end = 3;
    for (size_t i = 0; kind != SHOGI_KING; i++) {
        *first = *end;
        *end += shogi_kind_total[number_order[i]];
        if (number_order[i] == kind)
            return;
    }
}

static void place(shogi_note *note, int number, int pos, int code)
{
    note->goma_pos[number] = (int16_t)pos;
    note->goma_cde[number] = (uint8_t)code;
    if (pos < SHOGI_SQUARES)
        note->board[pos] = (uint8_t)number;
}

void shogi_note_from_position(const shogi_position *p, shogi_note *note)
{
    memset(note, 0, sizeof *note);
    for (int colour = 0; colour < 2; colour++) {
        int king = shogi_king(p, colour);
        place(note, 1 + colour, king == SHOGI_NOWHERE ? SHOGI_NOTE_BOX : king,
              SHOGI_KING | colour << 4);
    }
    for (int kind = 0; kind < SHOGI_KING; kind++) {
        int number, end;
        shogi_note_numbers(kind, &number, &end);
        for (int s = 0; s < SHOGI_SQUARES; s++)
            if (p->board[s] != SHOGI_CODE_EMPTY && (p->board[s] & SHOGI_CODE_KIND) == kind)
                place(note, number++, s, p->board[s]);
        for (int colour = 0; colour < 2; colour++)
            for (unsigned n = shogi_hand_count(p->hand[colour], kind); n > 0; n--)
                place(note, number++, SHOGI_NOTE_HAND + colour,
                      kind | colour << 4 | SHOGI_CODE_HAND);
        while (number < end)
            place(note, number++, SHOGI_NOTE_BOX, kind);
    }
}

static ply_status take_piece(const shogi_note *note, int n, shogi_position *p, ply_error *error)
{
    int pos = note->goma_pos[n], code = note->goma_cde[n];
    int kind = code & SHOGI_CODE_KIND, owner = shogi_code_owner(code);
    bool in_hand = (code & SHOGI_CODE_HAND) != 0, promoted = (code & SHOGI_CODE_PROMOTED) != 0;
    if (code > 0x3F || (promoted && (kind == SHOGI_GOLD || kind == SHOGI_KING || in_hand)))
        return ply_error_set(error, PLY_BAD_POSITION, "piece %d has the impossible code 0x%02x", n,
                             (unsigned)code);
    if ((n <= 2) != (kind == SHOGI_KING) || (n <= 2 && owner != n - 1))
        return ply_error_set(error, PLY_BAD_POSITION,
                             "pieces 1 and 2 are the kings of Black and White, and no others are");
    if (pos == SHOGI_NOTE_BOX && !in_hand)
        return PLY_OK;
    if (in_hand) {
        if (pos != SHOGI_NOTE_HAND + owner || kind == SHOGI_KING)
            return ply_error_set(error, PLY_BAD_POSITION,
                                 "piece %d is marked as in hand but is at %d", n, pos);
        p->hand[owner] += shogi_hand_one(kind);
        return PLY_OK;
    }
    if (pos < 0 || !shogi_is_square((unsigned)pos))
        return ply_error_set(error, PLY_BAD_POSITION, "piece %d is at %d, which is no square", n,
                             pos);
    if (p->board[pos] != SHOGI_CODE_EMPTY)
        return ply_error_set(error, PLY_BAD_POSITION, "two pieces are on square %d", pos);
    shogi_put(p, code, pos);
    return PLY_OK;
}

/* All but note->board, which the 80 bytes do not have. */
static ply_status from_arrays(const shogi_note *note, int side, shogi_position *p, ply_error *error)
{
    char reason[128];
    shogi_clear_board(p);
    p->side = (uint8_t)side;
    for (int n = 1; n <= SHOGI_PIECES; n++) {
        ply_status status = take_piece(note, n, p, error);
        if (status != PLY_OK)
            return status;
    }
    const char *fault = shogi_position_fault(p, reason, sizeof reason);
    if (fault)
        return ply_error_set(error, PLY_BAD_POSITION, "%s", fault);
    shogi_finish(p);
    return PLY_OK;
}

ply_status shogi_note_to_position(const shogi_note *note, int side, shogi_position *p,
                                  ply_error *error)
{
    ply_status status = from_arrays(note, side, p, error);
    for (int s = 0; status == PLY_OK && s < SHOGI_SQUARES; s++) {
        int n = note->board[s];
        bool agree =
            n == 0 ? p->board[s] == SHOGI_CODE_EMPTY : n <= SHOGI_PIECES && note->goma_pos[n] == s;
        if (!agree)
            status =
                ply_error_set(error, PLY_BAD_POSITION,
                              "board[%d] is %d, which the piece's own place does not say", s, n);
    }
    return status;
}

void shogi_note_play(shogi_note *note, int side, ply_move move)
{
    int to = shogi_move_to(move), number = 0;
    if (shogi_move_is_drop(move)) {
        int code = shogi_move_from(move) | side << 4 | SHOGI_CODE_HAND;
        while (note->goma_cde[++number] != code)
            continue;
        place(note, number, to, code & ~SHOGI_CODE_HAND);
        return;
    }
    int from = shogi_move_from(move), captured = note->board[to];
    number = note->board[from];
    if (captured)
        place(note, captured, SHOGI_NOTE_HAND + side,
              (note->goma_cde[captured] & SHOGI_CODE_KIND) | side << 4 | SHOGI_CODE_HAND);
    note->board[from] = 0;
    place(note, number, to,
          note->goma_cde[number] | (shogi_move_promotes(move) ? SHOGI_CODE_PROMOTED : 0));
}

enum { SAVED_WHITE_TO_MOVE = 0x40 };

void shogi_save(const shogi_position *p, uint8_t bytes[SHOGI_SAVED_BYTES])
{
    shogi_note note;
    shogi_note_from_position(p, &note);
    for (int n = 1; n <= SHOGI_PIECES; n++) {
        bytes[n - 1] = (uint8_t)note.goma_pos[n];
        bytes[SHOGI_PIECES + n - 1] = note.goma_cde[n];
    }
    if (p->side == SHOGI_WHITE)
        bytes[SHOGI_PIECES] |= SAVED_WHITE_TO_MOVE;
}

ply_status shogi_load(const uint8_t bytes[SHOGI_SAVED_BYTES], shogi_position *p, ply_error *error)
{
    shogi_note note = {0};
    for (int n = 1; n <= SHOGI_PIECES; n++) {
        note.goma_pos[n] = bytes[n - 1];
        note.goma_cde[n] = bytes[SHOGI_PIECES + n - 1];
    }
    int side = note.goma_cde[1] & SAVED_WHITE_TO_MOVE ? SHOGI_WHITE : SHOGI_BLACK;
    note.goma_cde[1] &= (uint8_t)~SAVED_WHITE_TO_MOVE;
    return from_arrays(&note, side, p, error);
}
