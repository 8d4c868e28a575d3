/* SPDX-License-Identifier: MIT */
/* gomocup_rules.c - see gomocup_rules.h. */
#include "wire/gomocup_rules.h"
#include <string.h>

enum { EXACT_FIVE = 1, CONTINUE_AFTER_FIVE = 2, RENJU = 4, CARO = 8 };
enum { LETTERS = 26, NUMBER_LIMIT = 1000 };

static const struct {
    const char *variant_id;
    int number;
} rules[] = {
    {"freestyle", 0},        {"standard", EXACT_FIVE},    {"renju", RENJU},
    {"caro-overline", CARO}, {"caro", CARO | EXACT_FIVE},
};

int ply_gomocup_rule_number(const char *variant_id)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(rules[i].variant_id, variant_id) == 0)
            return rules[i].number;
    return -1;
}

const char *ply_gomocup_rule_variant(unsigned rule)
{
    if (rule & RENJU || rule == CONTINUE_AFTER_FIVE)
        return "renju:pass=no,";
    if (rule & CARO)
        return rule & EXACT_FIVE ? "caro:" : "caro-overline:";
    return rule & EXACT_FIVE ? "standard:" : "freestyle:";
}

void ply_gomocup_point_format(int x, int y, int height, ply_text *out)
{
    if (x >= LETTERS)
        ply_text_char(out, 'a');
    ply_text_format(out, "%c%d", 'a' + x % LETTERS, height - y);
}

const char *ply_gomocup_point_parse(const char *text, int height, int *x, int *y)
{
    int column = 0, row = 0;
    for (; *text >= 'a' && *text <= 'z' && column < NUMBER_LIMIT; text++)
        column = column * LETTERS + (*text - 'a' + 1);
    for (; *text >= '0' && *text <= '9' && row < NUMBER_LIMIT; text++)
        row = row * 10 + (*text - '0');
    *x = column - 1;
    *y = height - row;
    return column > 0 && row > 0 ? text : NULL;
}
