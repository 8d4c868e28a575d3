/* SPDX-License-Identifier: MIT */
/*
 * opening_rules.h - the opening procedures of gomoku and renju, as hooks of ply_opening_hooks.
 *
 * Player 0 opens; player 1 is the opponent. Which of them plays Black is settled on the way.
 *
 *     swap          Player 0 places three stones; player 1 chooses a colour.
 *     swap2         Player 0 places three stones. Player 1 chooses a colour, or places two more
 *                   stones and leaves the choice to player 0.
 *     rif           Player 0 places one of the 26 openings; player 1 may swap. White places the
 *                   fourth stone. Black offers two fifth moves; White chooses one.
 *     soosorv-N     One of the 26 openings; swap. White places the fourth stone and declares the
 *                   number of fifth moves, 1 to N; swap. Black offers that many; White chooses.
 *     taraguchi-10  The first stone in the centre, the second within 3x3, the third within 5x5, the
 *                   fourth within 7x7, a swap after each. Then either the fifth within 9x9 and a
 *                   last swap, or, instead of the swap after the fourth, Black offers ten fifth
 *                   moves anywhere and White chooses.
 *
 * Stones alternate between black and white, as in the game. When the procedure is over, they are
 * the first moves of the game, which continues under its own rules. Nobody passes in an opening.
 * Two offers count as the same when a symmetry of the board that keeps the stones maps one to the
 * other.
 */
#ifndef PLY_GAMES_GOMOKU_OPENINGS_OPENING_RULES_H
#define PLY_GAMES_GOMOKU_OPENINGS_OPENING_RULES_H

#include "games/gomoku/gomoku.h"

/* The procedures offered to people; ends with {0}. soosorv-N exists for N from 1 to 12. */
extern const ply_opening_rule gomoku_opening_rules[];
enum { GOMOKU_OPENING_BYTES = 50 }; /* of a procedure's state */

/* Hooks; see ply_opening_hooks. An action's text is a cell, a number of fifth moves, "swap", "stay"
 * or "more". rif, soosorv and taraguchi-10 need a board with a centre, at least 9x9. */
const char *gomoku_opening_default_variant(const char *rule);
ply_status gomoku_opening_begin(const ply_rules *rules, const char *rule, void *procedure,
                                ply_error *error);
int gomoku_opening_to_act(const ply_rules *rules, const void *procedure);
void gomoku_opening_actions(const ply_rules *rules, const void *procedure,
                            bool (*visit)(void *context, const ply_opening_action *action),
                            void *context);
ply_status gomoku_opening_perform(const ply_rules *rules, void *procedure, ply_cursor *cursor);
size_t gomoku_opening_moves(const ply_rules *rules, const void *procedure, ply_move *out);
size_t gomoku_opening_offers(const ply_rules *rules, const void *procedure, ply_move *out);
int gomoku_opening_first_side(const ply_rules *rules, const void *procedure);
void gomoku_opening_describe(const ply_rules *rules, const void *procedure, ply_text *out);

#endif
