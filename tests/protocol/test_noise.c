/* SPDX-License-Identifier: MIT */
/*
 * test_noise.c - each protocol receives random, truncated and interleaved lines: 100,000 in the
 * long tier. It must handle every line promptly and still work when the noise is over. Under the
 * address sanitizer this also finds leaks and bad accesses, under the thread sanitizer data races.
 */
#include "protocol/noise.h"
#include "protocol/talk.h"

typedef struct counter {
    uint64_t lines, bytes;
} counter;

static void count_line(void *context, const char *line, size_t length)
{
    counter *c = context;
    assert_null(memchr(line, '\n', length));
    c->lines++;
    c->bytes += length;
}

static void make_noise(int protocol)
{
    enum { SHORT = 5000, LONG = 100000, SESSION = 500 };
    ply_rng rng = ply_rng_make(2026, (uint64_t)protocol);
    counter received = {0};
    int lines = (int)test_rounds(SHORT, LONG);
    double slowest = 0;
    char slowest_line[NOISE_ROOM + 1] = "", line[2 * NOISE_ROOM];
    ply_session *session = NULL;
    for (int i = 0; i < lines; i++) {
        if (!session) {
            ply_session_options options = {.protocol = noise_protocols[protocol],
                                           .search = &(ply_search_options){.memory_mb = 1},
                                           .memory_limit_mb = 2,
                                           .thread_limit = 2,
                                           .connects = ply_rng_below(&rng, 2) != 0,
                                           .writer = count_line,
                                           .context = &received};
            session = ply_session_new(&options, NULL);
            assert_non_null(session);
        }
        size_t length = noise_line(&rng, protocol, line);
        double start = test_cpu_seconds();
        bool open = ply_session_line(session, line, length);
        double took = test_cpu_seconds() - start;
        if (took > slowest) {
            slowest = took;
            memcpy(slowest_line, line, length < NOISE_ROOM ? length : NOISE_ROOM);
            slowest_line[length < NOISE_ROOM ? length : NOISE_ROOM] = '\0';
        }
        /* Sometimes a client disconnects in the middle of a search. */
        if (!open || i % SESSION == SESSION - 1) {
            if (ply_rng_below(&rng, 2))
                ply_session_finish(session);
            ply_session_free(session);
            session = NULL;
        }
    }
    ply_session_free(session);
    print_message("%s: %d lines, %llu answered, slowest %.0f ms: %.60s\n",
                  noise_protocols[protocol], lines, (unsigned long long)received.lines,
                  slowest * 1000, slowest_line);
    assert_true(received.lines > 0);
    assert_true(slowest < 10);
}

static void test_usi(void **state)
{
    (void)state;
    make_noise(0);
}

static void test_gomocup(void **state)
{
    (void)state;
    make_noise(1);
}

static void test_hub(void **state)
{
    (void)state;
    make_noise(2);
}

static void test_dxp(void **state)
{
    (void)state;
    make_noise(3);
}

static void test_ply(void **state)
{
    (void)state;
    make_noise(4);
}

/* After noise, a normal conversation still works. */
static void test_still_an_engine(void **state)
{
    (void)state;
    static const char *const checks[NOISE_PROTOCOLS][3] = {
        {"position startpos", "go depth 1", "bestmove "},
        {"START 15", "BEGIN", ""},
        {"pos start", "go think", "done move="},
        {"E00", "R01" NOISE_PAD "W001075A", "APlyverse"},
        {"game neighbours", "go depth 1", "bestmove "},
    };
    for (int protocol = 0; protocol < NOISE_PROTOCOLS; protocol++) {
        talk t;
        ply_rng rng = ply_rng_make(7, (uint64_t)protocol);
        char line[2 * NOISE_ROOM];
        talk_open(&t, noise_protocols[protocol], NULL, NULL);
        for (int i = 0; i < 300; i++) {
            size_t length = noise_line(&rng, protocol, line);
            ply_session_line(t.session, line, length);
        }
        if (protocol == 1) {
            talk_send(&t, "DONE");
            talk_send(&t, "INFO max_node 100");
            talk_send(&t, "INFO timeout_turn 100");
        } else if (protocol == 2) {
            talk_send(&t, "level depth=1");
        }
        talk_send(&t, checks[protocol][0]);
        talk_expect_last(&t, checks[protocol][1], checks[protocol][2]);
        talk_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usi), cmocka_unit_test(test_gomocup),
        cmocka_unit_test(test_hub), cmocka_unit_test(test_dxp),
        cmocka_unit_test(test_ply), cmocka_unit_test(test_still_an_engine),
    };
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
