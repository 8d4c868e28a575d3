/* SPDX-License-Identifier: MIT */
/* result.c - the names and scores of results; see state.h. */
#include <plyverse/state.h>
#include <string.h>

enum { RESULTS = PLY_DRAW + 1 };

static const char *const names[RESULTS] = {"ongoing", "first", "second", "draw"};
static const char *const scores[RESULTS] = {"*", "1-0", "0-1", "1/2-1/2"};

const char *ply_result_name(ply_result result)
{
    return (unsigned)result < RESULTS ? names[result] : "?";
}

const char *ply_result_score(ply_result result)
{
    return (unsigned)result < RESULTS ? scores[result] : "?";
}

static bool find(const char *const words[RESULTS], const char *text, size_t length,
                 ply_result *result)
{
    for (int i = 0; text && result && i < RESULTS; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) {
            *result = (ply_result)i;
            return true;
        }
    return false;
}

bool ply_result_from_name(const char *text, size_t length, ply_result *result)
{
    return find(names, text, length, result);
}

bool ply_result_from_score(const char *text, size_t length, ply_result *result)
{
    return find(scores, text, length, result);
}
