/* SPDX-License-Identifier: MIT */
/* draw_rules.h - draws by material: endings that must be won within a number of moves. */
#ifndef PLY_GAMES_CHECKERS_RULES_DRAW_RULES_H
#define PLY_GAMES_CHECKERS_RULES_DRAW_RULES_H

#include "games/checkers/checkers.h"

/* Whether the option `endings` calls the position drawn. undo_stack: the trail, plies long. */
bool checkers_ending_is_drawn(const ply_rules *rules, const checkers_position *p,
                              const checkers_undo_info *undo_stack, size_t plies);

#endif
