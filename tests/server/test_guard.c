/* SPDX-License-Identifier: MIT */
/* test_guard.c - which requests are allowed: the host, the origin, the token. */
#include "server/api/guard.h"
#include "support/support.h"
#include <string.h>

static const guard local = {.port = 7590};
static const guard remote = {
    .port = 7590, .token = "secret", .host = "0.0.0.0", .machine = "castle"};

/* 0 if the request is admitted, else the status. */
static int ask(const guard *g, request *r)
{
    response answer = {0};
    if (!r->method)
        r->method = "GET";
    if (!r->target)
        r->target = "/api/games";
    assert_true(request_parse(r, &answer));
    int status = guard_admits(g, r, &answer) ? 0 : answer.status;
    assert_true(status == 0 || strstr(ply_text_cstr(&answer.body), "\"message\":\"") != NULL);
    response_free(&answer);
    return status;
}

static int ask_host(const guard *g, const char *host)
{
    static request r; /* too large for the stack */
    memset(&r, 0, sizeof r);
    r.host = host;
    r.authorization = g->token ? "Bearer secret" : NULL;
    return ask(g, &r);
}

static void test_host(void **state)
{
    (void)state;
    static const char *const ours[] = {"localhost:7590", "LOCALHOST:7590", "127.0.0.1:7590",
                                       "[::1]:7590"};
    static const char *const foreign[] = {"localhost",
                                          "localhost:759",
                                          "localhost:75900",
                                          "localhost:7590x",
                                          "localhost:",
                                          "127.0.0.1",
                                          "127.0.0.2:7590",
                                          "::1:7590",
                                          "[127.0.0.1]:7590",
                                          "[::1",
                                          "[::1]7590",
                                          "[::1]",
                                          "[]:7590",
                                          ":7590",
                                          "",
                                          "evil.example:7590",
                                          "castle:7590",
                                          "192.168.1.2:7590",
                                          "localhost.evil.example:7590",
                                          "[localhost:7590",
                                          "localhost7590",
                                          "127.0.0.1:65536",
                                          "localhost:-1"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        assert_int_equal(ask_host(&local, ours[i]), 0);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (ask_host(&local, foreign[i]) != 403)
            fail_msg("host '%s' is admitted", foreign[i]);
    assert_int_equal(ask_host(&local, NULL), 403);
    /* Without a port the port is 80. */
    guard web = {.port = 80};
    assert_int_equal(ask_host(&web, "localhost"), 0);
    assert_int_equal(ask_host(&web, "localhost:80"), 0);
    assert_int_equal(ask_host(&web, "[::1]"), 0);
    assert_int_equal(ask_host(&web, "localhost:7590"), 403);
    guard last = {.port = 65535};
    assert_int_equal(ask_host(&last, "localhost:65535"), 0);
}

/* With --host, addresses and the names of the machine are ours as well; other names are not. */
static void test_host_of_a_network(void **state)
{
    (void)state;
    static const char *const ours[] = {"192.168.1.2:7590", "[fe80::1]:7590", "castle:7590",
                                       "CASTLE:7590",      "localhost:7590", "0.0.0.0:7590"};
    static const char *const foreign[] = {
        "evil.example:7590",  "castle",         "castle.:7590",   "192.168.1:7590", "fe80::1:7590",
        "[192.168.1.2]:7590", "[castle]x:7590", "192.168.1.2:80", "[zz::1]:7590"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (ask_host(&remote, ours[i]) != 0)
            fail_msg("host '%s' is refused", ours[i]);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (ask_host(&remote, foreign[i]) != 403)
            fail_msg("host '%s' is admitted", foreign[i]);
    guard named = {.port = 7590, .host = "tower"};
    assert_int_equal(ask_host(&named, "tower:7590"), 0);
    assert_int_equal(ask_host(&named, "TOWER:7590"), 0);
    assert_int_equal(ask_host(&named, "castle:7590"), 403);
    /* A name of 255 bytes fits, a longer one is refused, whatever it begins with. */
    char longest[300];
    guard wide = {.port = 7590};
    memset(wide.host, 'a', 255);
    memset(longest, 'a', sizeof longest);
    strcpy(longest + 255, ":7590");
    assert_int_equal(ask_host(&wide, longest), 0);
    memset(longest, 'a', 256);
    strcpy(longest + 256, ":7590");
    assert_int_equal(ask_host(&wide, longest), 403);
}

static void test_origin(void **state)
{
    (void)state;
    static request r;
    static const struct {
        const char *origin, *site, *method, *target;
        int status;
    } cases[] = {
        {NULL, NULL, "GET", "/api/games", 0},
        {"http://localhost:7590", NULL, "POST", "/api/games", 0},
        {"http://LOCALHOST:7590", NULL, "POST", "/api/games", 0},
        {"http://127.0.0.1:7590", NULL, "GET", "/api/games", 403}, /* not the Host */
        {"https://localhost:7590", NULL, "GET", "/api/games", 403},
        {"null", NULL, "GET", "/", 403},
        {"http://", NULL, "GET", "/", 403},
        {"http://localhost:7590", "cross-site", "GET", "/api/games", 403},
        {NULL, "same-origin", "POST", "/api/games", 0},
        {NULL, "none", "POST", "/api/games", 0},
        {NULL, "cross-site", "GET", "/api/games", 403},
        {NULL, "same-site", "GET", "/api/games", 403},
        {NULL, "cross-site", "GET", "/", 0}, /* a link to the page */
        {NULL, "cross-site", "GET", "/index.html", 0},
        {NULL, "cross-site", "POST", "/", 403},
        {NULL, "cross-site", "GET", "/apis", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&r, 0, sizeof r);
        r.host = "localhost:7590";
        r.origin = cases[i].origin;
        r.fetch_site = cases[i].site;
        r.method = cases[i].method;
        r.target = cases[i].target;
        int status = ask(&local, &r);
        if (status != cases[i].status)
            fail_msg("case %zu: %d", i, status);
    }
}

static void test_token(void **state)
{
    (void)state;
    static request r;
    static const struct {
        const char *target, *authorization, *cookie;
        int status;
    } cases[] = {
        {"/api/games", NULL, NULL, 401},
        {"/", NULL, NULL, 401},
        {"/api/games?token=secret", NULL, NULL, 0},
        {"/api/games?token=secre", NULL, NULL, 401},
        {"/api/games?token=secrets", NULL, NULL, 401},
        {"/api/games?token=Secret", NULL, NULL, 401},
        {"/api/games?token=secreu", NULL, NULL, 401},
        {"/api/games?token=", NULL, NULL, 401},
        {"/api/games?x=secret", NULL, NULL, 401},
        {"/api/games?token=wrong", "Bearer secret", NULL, 0},
        {"/api/games", "Bearer secret", NULL, 0},
        {"/api/games", "Bearer secret ", NULL, 401},
        {"/api/games", "Bearer ", NULL, 401},
        {"/api/games", "bearer secret", NULL, 401},
        {"/api/games", "secret", NULL, 401},
        {"/api/games", "Basic secret", NULL, 401},
        {"/api/games", NULL, "plyverse=secret", 0},
        {"/api/games", NULL, "a=b; plyverse=secret", 0},
        {"/api/games", NULL, "a=b;plyverse=secret; c=d", 0},
        {"/api/games", NULL, "plyverse=wrong; plyverse=secret", 0},
        {"/api/games", NULL, "plyverse=secret2", 401},
        {"/api/games", NULL, "xplyverse=secret", 401},
        {"/api/games", NULL, "plyverse=", 401},
        {"/api/games", NULL, "plyverse", 401},
        {"/api/games", NULL, "x=plyverse=secret", 401},
        {"/api/games", NULL, " ; ;", 401},
        {"/api/games", "Bearer wrong", "plyverse=secret", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&r, 0, sizeof r);
        r.host = "castle:7590";
        r.target = cases[i].target;
        r.authorization = cases[i].authorization;
        r.cookie = cases[i].cookie;
        int status = ask(&remote, &r);
        if (status != cases[i].status)
            fail_msg("case %zu: %d", i, status);
    }
    /* The host and the origin are checked first, and a token helps with neither. */
    memset(&r, 0, sizeof r);
    r.host = "evil.example:7590";
    r.authorization = "Bearer secret";
    assert_int_equal(ask(&remote, &r), 403);
    memset(&r, 0, sizeof r);
    r.host = "castle:7590";
    r.origin = "http://evil.example:7590";
    r.authorization = "Bearer secret";
    assert_int_equal(ask(&remote, &r), 403);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_host_of_a_network),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
