/* SPDX-License-Identifier: MIT */
/*
 * gomocup_rules.h - rules and points as the Gomocup protocol writes them.
 *
 * INFO rule takes a sum of bits:
 *
 *     1  exactly five wins          4  renju
 *     2  see below                  8  caro; together with 1 overlines do not win
 *
 * According to the protocol, 2 means that the game continues after a five. Yixin-Board sends 2 for
 * renju, and that is what 2 alone means here.
 *
 * A point is x,y from 0,0 in the upper left corner. In the game's notation it is a column letter
 * and a row number from the bottom: 0,0 on 15x15 is a15. Columns beyond z continue aa, ab, ...
 */
#ifndef PLY_WIRE_GOMOCUP_RULES_H
#define PLY_WIRE_GOMOCUP_RULES_H

#include <plyverse/text.h>

#define GOMOCUP_RULE_LIMIT 16u

/* The rule number of a variant of gomoku, or -1 where the protocol has none. */
int ply_gomocup_rule_number(const char *variant_id);
/* The variant of a rule number, with room for more options, such as "renju:pass=no,". */
const char *ply_gomocup_rule_variant(unsigned rule);

/* Appends the game's name of a point on a board of that height. */
void ply_gomocup_point_format(int x, int y, int height, ply_text *out);
/*
 * Reads the game's name of a point and returns a pointer to what follows, or NULL if there is no
 * such name at the start of the text. The point may lie outside the board.
 */
const char *ply_gomocup_point_parse(const char *text, int height, int *x, int *y);

#endif
