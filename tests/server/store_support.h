/* SPDX-License-Identifier: MIT */
/* store_support.h - a store in a folder of its own, and games to put into it. */
#ifndef TESTS_SERVER_STORE_SUPPORT_H
#define TESTS_SERVER_STORE_SUPPORT_H

#include "server/library/store.h"
#include "support/support.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/plyverse-store-XXXXXX";
static char path[64];
static ply_error problem; /* of the last call that failed */

static inline int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/plyverse-store-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/games.db", folder);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    char name[400];
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder)) != NULL;) {
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        unlink(name);
    }
    if (open_folder)
        closedir(open_folder);
    return rmdir(folder);
}

static inline store *must_open(void)
{
    store *s = store_open(path, &problem);
    if (!s)
        fail_msg("%s", problem.message);
    return s;
}

static inline void must(ply_status status)
{
    if (status != PLY_OK)
        fail_msg("%s", problem.message);
}

static inline store_header made_header(const char *title, int64_t modified)
{
    return (store_header){.game = (char *)"gomoku",
                          .variant = (char *)"renju:width=9",
                          .start = (char *)"start text",
                          .title = (char *)title,
                          .players = (char *)"[{\"name\":\"Ann\"}]",
                          .clock = (char *)"{\"base\":1}",
                          .tags = (char *)"{\"Site\":\"Oslo_100%\"}",
                          .ending = (char *)"resign",
                          .clock_state = (char *)"{\"left\":[5,6]}",
                          .origin = (char *)"link",
                          .mode = 1,
                          .tip = 6,
                          .result = PLY_SECOND_WINS,
                          .at = 2,
                          .created = 1111111111111,
                          .modified = modified,
                          .plies = 7,
                          .node_count = 2};
}

static const uint8_t glyphs[] = {1, 0, 255};
static const store_node first_nodes[] = {
    {.n = 0, .parent = 0, .rank = 5, .millis = 33, .comment = "root", .score = STORE_NO_SCORE},
    {.n = 1,
     .parent = 0,
     .rank = -4,
     .move = "h8",
     .millis = 1234,
     .comment = "good",
     .nag_count = 3,
     .nags = glyphs,
     .score = -57,
     .depth = 9},
};

typedef struct nodes_seen {
    size_t count, limit;
    store_node nodes[8];
    char texts[8][4][40];
    uint8_t nags[8][PLY_NAG_LIMIT];
} nodes_seen;

static inline const char *keep_text(char *room, const char *text)
{
    return text ? strcpy(room, text) : NULL;
}

static inline bool keep_node(void *context, const store_node *node)
{
    nodes_seen *seen = context;
    store_node *kept = &seen->nodes[seen->count];
    *kept = *node;
    kept->move = keep_text(seen->texts[seen->count][0], node->move);
    kept->setup = keep_text(seen->texts[seen->count][1], node->setup);
    kept->comment = keep_text(seen->texts[seen->count][2], node->comment);
    kept->best = keep_text(seen->texts[seen->count][3], node->best);
    if (node->nag_count)
        memcpy(seen->nags[seen->count], node->nags, node->nag_count);
    return ++seen->count < seen->limit;
}

static inline bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

static inline void assert_same_node(const nodes_seen *seen, size_t i, const store_node *wanted)
{
    const store_node *got = &seen->nodes[i];
    assert_int_equal(got->n, wanted->n);
    assert_int_equal(got->parent, wanted->parent);
    assert_int_equal(got->rank, wanted->rank);
    assert_int_equal(got->millis, wanted->millis);
    assert_int_equal(got->score, wanted->score);
    assert_true(same_text(got->best, wanted->best));
    assert_int_equal(got->depth, wanted->score == STORE_NO_SCORE ? 0 : wanted->depth);
    assert_int_equal(got->deleted, wanted->deleted);
    assert_int_equal(got->nag_count, wanted->nag_count);
    assert_memory_equal(seen->nags[i], wanted->nags ? wanted->nags : glyphs, wanted->nag_count);
    assert_true(same_text(got->move, wanted->move) && same_text(got->setup, wanted->setup) &&
                same_text(got->comment, wanted->comment));
}

static inline void assert_same_header(const store_header *got, const store_header *wanted)
{
    assert_string_equal(got->game, wanted->game);
    assert_string_equal(got->variant, wanted->variant);
    assert_string_equal(got->start, wanted->start);
    assert_string_equal(got->title, wanted->title);
    assert_string_equal(got->players, wanted->players);
    assert_string_equal(got->clock, wanted->clock);
    assert_string_equal(got->tags, wanted->tags);
    assert_string_equal(got->ending, wanted->ending ? wanted->ending : "");
    assert_int_equal(got->result, wanted->result);
    assert_int_equal(got->at, wanted->at);
    assert_int_equal(got->created, wanted->created);
    assert_int_equal(got->modified, wanted->modified);
    assert_int_equal(got->deleted, wanted->deleted);
    assert_string_equal(got->clock_state, wanted->clock_state ? wanted->clock_state : "");
    assert_string_equal(got->origin, wanted->origin ? wanted->origin : "");
    assert_int_equal(got->mode, wanted->mode);
    assert_int_equal(got->tip, wanted->tip);
    assert_int_equal(got->plies, wanted->plies);
    assert_int_equal(got->node_count, wanted->node_count);
}

static inline void assert_stored(store *s, const store_header *wanted, const store_node *nodes,
                                 size_t count)
{
    store_header header;
    static nodes_seen seen;
    seen = (nodes_seen){.limit = 8};
    must(store_read(s, wanted->id, &header, keep_node, &seen, &problem));
    assert_int_equal(header.id, wanted->id);
    assert_same_header(&header, wanted);
    store_header_free(&header);
    assert_true(!header.game && !header.ending && !header.origin && !header.clock_state);
    assert_int_equal(header.id, 0);
    assert_int_equal(seen.count, count);
    for (size_t i = 0; i < count; i++)
        assert_same_node(&seen, i, &nodes[i]);
}

#endif
