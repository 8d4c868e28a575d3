/* SPDX-License-Identifier: MIT */
/*
 * score_comment.c - scores in comments, as programs leave them in game records.
 *
 *     [%eval 0.35]  [%eval #-5]        PGN: units and moves, for the first player
 *     #評価値=35                       ShogiHome: hundredths, for the first player
 *     *評価値=35                       the same, by the engine that played
 *     #詰み=先手勝ち:5手               forced win of the first player (後手: the second) in 5 plies
 *     *解析 0 ... 深さ 9/15 ... 評価値 35↑ 読み筋 ...      ShogiGUI; also 対局 and 検討
 *     *解析 0 ... 評価値 +詰 5         the same, forced win
 *     * 35 7g7f ...                    floodgate
 *     #形勢[35]  #指し手[35]           K-Shogi
 *
 * The first score of a comment counts, except that a forced win counts more than a number.
 */
#include <limits.h>
#include <plyverse/record.h>
#include <plyverse/search.h>
#include <stdlib.h>
#include <string.h>

enum { SCORE_LIMIT = 900000, PLY_LIMIT_OF_WIN = 9999, DEPTH_LIMIT = 1000 };

/* A part of the comment: a line, or what is left of it. */
typedef struct part {
    const char *at, *end;
} part;

static bool accept(part *p, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0)
        return false;
    p->at += length;
    return true;
}

static void skip_spaces(part *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '='))
        p->at++;
}

/* Moves behind the first occurrence of a word; false if there is none. */
static bool skip_past(part *p, const char *word)
{
    for (part rest = *p; rest.at < rest.end; rest.at++) {
        part here = rest;
        if (accept(&here, word)) {
            *p = here;
            return true;
        }
    }
    return false;
}

/* Reads [+-]digits[.digits] as `unit` times its value, rounded; false if there is no digit. */
static bool read_number(part *p, int unit, int32_t limit, int32_t *value)
{
    part rest = *p;
    bool negative = accept(&rest, "-") || accept(&rest, "−");
    if (!negative)
        accept(&rest, "+");
    double number = 0, place = 1;
    const char *first = rest.at;
    for (; rest.at < rest.end && *rest.at >= '0' && *rest.at <= '9'; rest.at++)
        number = number * 10 + (*rest.at - '0');
    if (rest.at == first)
        return false;
    if (rest.at + 1 < rest.end && *rest.at == '.' && rest.at[1] >= '0' && rest.at[1] <= '9')
        for (rest.at++; rest.at < rest.end && *rest.at >= '0' && *rest.at <= '9'; rest.at++)
            number += (*rest.at - '0') * (place /= 10);
    number = number * unit + 0.5;
    int32_t size = number > limit ? limit : (int32_t)number;
    *value = negative ? -size : size;
    *p = rest;
    return true;
}

static int32_t forced(bool first_wins, int32_t plies)
{
    int32_t score = plies > 0 ? PLY_SCORE_WIN - plies : PLY_SCORE_FORCED;
    return first_wins ? score : -score;
}

/* "先手勝ち:5手" */
static bool read_kifu_win(part p, int32_t *score)
{
    bool first = accept(&p, "先手勝ち");
    if (!first && !accept(&p, "後手勝ち"))
        return false;
    int32_t plies = 0;
    if (accept(&p, ":") && (!read_number(&p, 1, PLY_LIMIT_OF_WIN, &plies) || plies < 0))
        plies = 0;
    *score = forced(first, plies);
    return true;
}

/* "35", "+詰 5", "-詰" */
static bool read_kifu_value(part p, int32_t *score)
{
    skip_spaces(&p);
    part win = p;
    bool second = accept(&win, "-") || accept(&win, "−");
    if (!second)
        accept(&win, "+");
    if (accept(&win, "詰")) {
        int32_t plies = 0;
        skip_spaces(&win);
        if (!read_number(&win, 1, PLY_LIMIT_OF_WIN, &plies) || plies < 0)
            plies = 0;
        *score = forced(!second, plies);
        return true;
    }
    return read_number(&p, 1, SCORE_LIMIT, score);
}

static void read_depth(part p, int *depth)
{
    int32_t value;
    if (!skip_past(&p, "深さ"))
        return;
    skip_spaces(&p);
    if (read_number(&p, 1, DEPTH_LIMIT, &value) && value > 0)
        *depth = value;
}

/* A line of a comment in a shogi record. */
static bool read_kifu_line(part line, int32_t *score)
{
    part p = line;
    bool marked = accept(&p, "#") || accept(&p, "*");
    if (!marked)
        return accept(&p, "評価値") && read_kifu_value(p, score);
    if (accept(&p, "評価値") || accept(&p, "形勢[") || accept(&p, "指し手["))
        return read_kifu_value(p, score);
    if (accept(&p, "詰み="))
        return read_kifu_win(p, score);
    if (accept(&p, "解析 ") || accept(&p, "対局 ") || accept(&p, "検討 "))
        return skip_past(&p, "評価値 ") && read_kifu_value(p, score);
    if (*line.at != '*' || p.at == p.end || *p.at != ' ')
        return false;
    skip_spaces(&p);
    part value = p;
    return skip_past(&value, "評価値 ") ? read_kifu_value(value, score)
                                        : read_number(&p, 1, SCORE_LIMIT, score);
}

/* "0.35]", "#-5]"; a win is counted in moves of the winner */
static bool read_eval(part p, int32_t *score)
{
    int32_t value;
    skip_spaces(&p);
    if (!accept(&p, "#"))
        return read_number(&p, 100, SCORE_LIMIT, score);
    bool second = p.at < p.end && *p.at == '-';
    if (!read_number(&p, 1, PLY_LIMIT_OF_WIN / 2, &value))
        return false;
    *score = forced(!second, value == 0 ? 0 : 2 * abs(value) - 1);
    return true;
}

bool ply_comment_read_score(const char *comment, int32_t *score, int *depth)
{
    bool found = false;
    int deep = 0;
    while (comment && *comment) {
        size_t length = strcspn(comment, "\n");
        part line = {comment, comment + length}, eval = line;
        int32_t value;
        bool here =
            skip_past(&eval, "[%eval") ? read_eval(eval, &value) : read_kifu_line(line, &value);
        if (here && (!found || (abs(value) >= PLY_SCORE_FORCED && abs(*score) < PLY_SCORE_FORCED)))
            *score = value;
        found |= here;
        if (found && deep == 0)
            read_depth(line, &deep);
        comment += length + (comment[length] != '\0');
    }
    if (found)
        *depth = deep;
    return found;
}

void ply_comment_write_score(ply_score_style style, int32_t score, int depth, ply_text *out)
{
    int size = abs(score);
    bool win = size >= PLY_SCORE_FORCED;
    if (style == PLY_SCORES_EVAL) {
        const char *sign = score < 0 ? "-" : "";
        if (win)
            ply_text_format(out, "[%%eval #%s%d]", sign, (PLY_SCORE_WIN - size + 1) / 2);
        else
            ply_text_format(out, "[%%eval %s%d.%02d]", sign, size / 100, size % 100);
    } else if (style == PLY_SCORES_KIFU) {
        if (win)
            ply_text_format(out, "#詰み=%s", score > 0 ? "先手勝ち" : "後手勝ち");
        else
            ply_text_format(out, "#評価値=%d", score);
        if (win && size > PLY_SCORE_FORCED)
            ply_text_format(out, ":%d手", PLY_SCORE_WIN - size);
        if (depth > 0)
            ply_text_format(out, "\n#深さ=%d", depth);
    }
}
