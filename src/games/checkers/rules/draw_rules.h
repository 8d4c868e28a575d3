/* SPDX-License-Identifier: MIT */
/* draw_rules.h - the option `endings`: endings that are drawn unless won in time. */
#ifndef PLY_GAMES_CHECKERS_RULES_DRAW_RULES_H
#define PLY_GAMES_CHECKERS_RULES_DRAW_RULES_H

#include "games/checkers/checkers.h"

/* Whether the position is drawn under the option. undo_stack has `plies` entries, oldest first. */
bool checkers_ending_is_drawn(const ply_rules *rules, const checkers_position *p,
                              const checkers_undo_info *undo_stack, size_t plies);

#endif
