/* SPDX-License-Identifier: MIT */
/*
 * talk.h - a session and what it said, for the transcript tests.
 *
 * ask() hands over a line and waits until the session has thought, so what was said since is the
 * whole answer; tell() does not wait. Searches in these tests are limited by nodes or depth, so the
 * same lines get the same answers.
 */
#ifndef TESTS_PROTO_TALK_H
#define TESTS_PROTO_TALK_H

#include "support/support.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct talk {
    ply_session *session;
    ply_text said; /* everything since the last line handed over, one line each */
    pthread_mutex_t lock;
    bool resume;
} talk;

static inline void talk_hear(void *context, const char *line, size_t length)
{
    talk *t = context;
    assert_null(memchr(line, '\n', length));
    pthread_mutex_lock(&t->lock);
    ply_text_bytes(&t->said, line, length);
    ply_text_char(&t->said, '\n');
    pthread_mutex_unlock(&t->lock);
}

static inline ply_session_options talk_options(talk *t, const char *protocol)
{
    return (ply_session_options){.protocol = protocol,
                                 .search = {.memory_mb = 4, .seed = 1},
                                 .memory_limit_mb = 64,
                                 .thread_limit = 4,
                                 .writer = talk_hear,
                                 .context = t};
}

static inline void talk_open_with(talk *t, const ply_session_options *options)
{
    ply_error error = {0};
    t->session = ply_session_new(options, &error);
    if (!t->session)
        fail_msg("%s", error.message);
    t->resume = true;
}

static inline void talk_init(talk *t)
{
    memset(t, 0, sizeof *t);
    t->said = ply_text_growing();
    pthread_mutex_init(&t->lock, NULL);
}

static inline void talk_open(talk *t, const char *protocol, const char *game, const char *variant)
{
    talk_init(t);
    ply_session_options options = talk_options(t, protocol);
    options.game = game;
    options.variant = variant;
    talk_open_with(t, &options);
}

static inline void talk_close(talk *t)
{
    ply_session_free(t->session);
    ply_text_free(&t->said);
    pthread_mutex_destroy(&t->lock);
}

static inline void tell(talk *t, const char *line)
{
    pthread_mutex_lock(&t->lock);
    ply_text_clear(&t->said);
    pthread_mutex_unlock(&t->lock);
    t->resume = ply_session_line(t->session, line, strlen(line));
}

static inline const char *ask(talk *t, const char *line)
{
    tell(t, line);
    ply_session_wait(t->session);
    return ply_text_cstr(&t->said);
}

/* The last line said, without its end. Valid until the next line is handed over. */
static inline const char *last_line(talk *t)
{
    char *said = t->said.data;
    size_t length = t->said.length;
    assert_true(length > 0);
    said[length - 1] = '\0'; /* was the end of the line */
    const char *line = strrchr(said, '\n');
    return line ? line + 1 : said;
}

/* Hands over a line and checks the whole answer, to the letter. */
static inline void talk_expect(talk *t, const char *line, const char *answer)
{
    assert_string_equal(ask(t, line), answer);
}

/* Hands over a line and checks how the last line of the answer begins. */
static inline void talk_expect_last(talk *t, const char *line, const char *begins)
{
    ask(t, line);
    const char *last = last_line(t);
    if (strncmp(last, begins, strlen(begins)) != 0)
        fail_msg("'%s' was answered '%s', not '%s...'", line, last, begins);
}

/* Checks that the answer holds these words. */
static inline void talk_expect_words(talk *t, const char *line, const char *words)
{
    if (!strstr(ask(t, line), words))
        fail_msg("'%s' was answered '%s' without '%s'", line, ply_text_cstr(&t->said), words);
}

#endif
