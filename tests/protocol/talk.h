/* SPDX-License-Identifier: MIT */
/*
 * talk.h - a session and what it sent, for the transcript tests.
 *
 * talk_ask() passes a line to the session and waits for its search to end, so what was sent since is
 * the whole answer; talk_send() does not wait. Searches in these tests are limited by nodes or
 * depth, so the same lines get the same answers.
 */
#ifndef TESTS_PROTO_TALK_H
#define TESTS_PROTO_TALK_H

#include "support/support.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct talk {
    ply_session *session;
    ply_text sent; /* everything since the last line passed in, one line each */
    pthread_mutex_t lock;
    bool open; /* the session has not been ended by the client */
} talk;

static inline void talk_on_line(void *context, const char *line, size_t length)
{
    talk *t = context;
    assert_null(memchr(line, '\n', length));
    pthread_mutex_lock(&t->lock);
    ply_text_bytes(&t->sent, line, length);
    ply_text_char(&t->sent, '\n');
    pthread_mutex_unlock(&t->lock);
}

static inline ply_session_options talk_options(talk *t, const char *protocol)
{
    static const ply_search_options search = {.memory_mb = 4, .seed = 1};
    return (ply_session_options){.protocol = protocol,
                                 .search = &search,
                                 .memory_limit_mb = 64,
                                 .thread_limit = 4,
                                 .writer = talk_on_line,
                                 .context = t};
}

static inline void talk_open_with(talk *t, const ply_session_options *options)
{
    ply_error error = {0};
    t->session = ply_session_new(options, &error);
    if (!t->session)
        fail_msg("%s", error.message);
    t->open = true;
}

static inline void talk_init(talk *t)
{
    memset(t, 0, sizeof *t);
    t->sent = ply_text_growing();
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
    ply_text_free(&t->sent);
    pthread_mutex_destroy(&t->lock);
}

static inline void talk_send(talk *t, const char *line)
{
    pthread_mutex_lock(&t->lock);
    ply_text_clear(&t->sent);
    pthread_mutex_unlock(&t->lock);
    t->open = ply_session_line(t->session, line, strlen(line));
}

static inline const char *talk_ask(talk *t, const char *line)
{
    talk_send(t, line);
    ply_session_wait(t->session);
    return ply_text_cstr(&t->sent);
}

/* The last line sent, without its end. Valid until the next line is passed in. */
static inline const char *talk_last_line(talk *t)
{
    char *sent = t->sent.data;
    size_t length = t->sent.length;
    assert_true(length > 0);
    sent[length - 1] = '\0'; /* the line end */
    const char *line = strrchr(sent, '\n');
    return line ? line + 1 : sent;
}

/* Passes a line in and checks the whole answer, to the letter. */
static inline void talk_expect(talk *t, const char *line, const char *answer)
{
    assert_string_equal(talk_ask(t, line), answer);
}

/* Passes a line in and checks how the last line of the answer begins. */
static inline void talk_expect_last(talk *t, const char *line, const char *begins)
{
    talk_ask(t, line);
    const char *last = talk_last_line(t);
    if (strncmp(last, begins, strlen(begins)) != 0)
        fail_msg("'%s' was answered '%s', not '%s...'", line, last, begins);
}

/* Passes a line in and checks that the answer contains these words. */
static inline void talk_expect_words(talk *t, const char *line, const char *words)
{
    if (!strstr(talk_ask(t, line), words))
        fail_msg("'%s' was answered '%s' without '%s'", line, ply_text_cstr(&t->sent), words);
}

#endif
