/* SPDX-License-Identifier: MIT */
/* endings.c - see endings.h. */
#include "support/endings.h"
#include "model/retrograde.h"
#include <ftw.h>
#include <unistd.h>

static uint64_t position_number(const endings *e, const void *position)
{
    size_t class_index;
    uint64_t number;
    assert_int_equal(e->rules.indexing->rank(&e->rules, position, &class_index, &number), PLY_OK);
    if (e->first[class_index] != UINT64_MAX)
        return e->first[class_index] + number;
    /* The only positions outside the classes are those without pieces of the player to move. */
    unsigned own, enemy;
    e->rules.indexing->retrograde(&e->rules)->class_pieces(class_index, &own, &enemy);
    assert_int_equal(own, 0);
    return UINT64_MAX;
}

static void list_classes(endings *e, bool (*wanted)(unsigned own, unsigned enemy, unsigned limit),
                         unsigned limit)
{
    const ply_rules *rules = &e->rules;
    e->class_count = rules->indexing->class_count(&e->rules);
    e->first = malloc(e->class_count * sizeof *e->first);
    for (size_t i = 0; i < e->class_count; i++) {
        unsigned own, enemy;
        rules->indexing->retrograde(&e->rules)->class_pieces(i, &own, &enemy);
        bool in = own > 0 && enemy > 0 && wanted(own, enemy, limit);
        e->first[i] = in ? e->total : UINT64_MAX;
        e->total += in ? rules->indexing->class_size(&e->rules, i) : 0;
    }
    e->class_of = malloc(e->total * sizeof *e->class_of);
    for (size_t i = 0; i < e->class_count; i++)
        for (uint64_t k = 0;
             e->first[i] != UINT64_MAX && k < rules->indexing->class_size(&e->rules, i); k++)
            e->class_of[e->first[i] + k] = i;
}

void endings_position(const endings *e, uint64_t i, void *position)
{
    size_t class_index = e->class_of[i];
    assert_int_equal(
        e->rules.indexing->unrank(&e->rules, class_index, i - e->first[class_index], position),
        PLY_OK);
}

static void list_moves(endings *e)
{
    const ply_rules *rules = &e->rules;
    char position[256], undo[256];
    assert_true(rules->position_bytes <= sizeof position && rules->undo_bytes <= sizeof undo);
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    size_t room = 1 << 20;
    e->moves = malloc((e->total + 1) * sizeof *e->moves);
    e->to = malloc(room * sizeof *e->to);
    uint64_t used = 0;
    for (uint64_t i = 0; i < e->total; i++) {
        endings_position(e, i, position);
        size_t count = rules->game->moves(rules, position, moves);
        e->moves[i] = used;
        if (used + count > room)
            e->to = realloc(e->to, (room = 2 * room + count) * sizeof *e->to);
        for (size_t k = 0; k < count; k++) {
            rules->game->play(rules, position, moves[k], undo);
            e->to[used++] = position_number(e, position);
            rules->game->undo(rules, position, moves[k], undo);
        }
    }
    e->moves[e->total] = used;
    free(moves);
}

/* Whether the distance of the position is `plies`, given those of its successors. */
static bool is_at(const endings *e, uint64_t i, int plies)
{
    bool all_won = true;
    for (uint64_t k = e->moves[i]; k < e->moves[i + 1]; k++) {
        int after = e->to[k] == UINT64_MAX ? 0 : e->plies[e->to[k]];
        if (plies % 2 == 1 && after == plies - 1)
            return true;
        all_won = all_won && after > 0 && after % 2 == 1;
    }
    return plies % 2 == 0 && all_won;
}

void endings_solve(endings *e, const char *game, const char *variant,
                   bool (*wanted)(unsigned own, unsigned enemy, unsigned limit), unsigned limit)
{
    memset(e, 0, sizeof *e);
    test_make_rules(&e->rules, game, variant);
    list_classes(e, wanted, limit);
    list_moves(e);
    e->plies = malloc(e->total * sizeof *e->plies);
    memset(e->plies, 0xFF, e->total * sizeof *e->plies);
    /* A distance d > 0 needs a position at d - 1, so the distances have no gaps. */
    bool changed = true;
    for (int plies = 0; changed || plies < 2; plies++) {
        changed = false;
        for (uint64_t i = 0; i < e->total; i++)
            if (e->plies[i] < 0 && is_at(e, i, plies)) {
                e->plies[i] = (int16_t)plies;
                changed = true;
            }
    }
}

void endings_free(endings *e)
{
    free(e->first);
    free(e->plies);
    free(e->moves);
    free(e->to);
    free(e->class_of);
}

void test_folder_make(char *path, size_t room)
{
    const char *top = getenv("TMPDIR");
    snprintf(path, room, "%s/plyverse-XXXXXX", top && top[0] ? top : "/tmp");
    assert_non_null(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
    (void)info;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void test_folder_remove(const char *path)
{
    assert_int_equal(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

void test_build(const ply_rules *rules, const char *dir, const char *up_to, unsigned threads,
                size_t memory_mb)
{
    ply_tablebase_job job = {
        .dir = dir, .up_to = up_to, .threads = threads, .memory_mb = memory_mb};
    ply_error error = {0};
    if (ply_tablebase_build(rules, &job, &error) != PLY_OK)
        fail_msg("%s", error.message);
}
