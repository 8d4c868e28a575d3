/* SPDX-License-Identifier: MIT */
/*
 * fuzz_session.c - lines of every protocol. The first byte selects the protocol; the rest are
 * lines. A search that a line starts is stopped by the lines that follow or by the end. The mutator
 * adds lines of the protocols.
 */
#include "fuzz/grammar.h"

#define WORDS (const char *const[])

static const grammar_rule line_rules[] = {
    {'L', WORDS{"%u", "%u", "%g", "%g", "%h", "%p", "%x", NULL}},
    {'u', WORDS{"usi",
                "uci",
                "isready",
                "usinewgame",
                "ucinewgame",
                "stop",
                "quit",
                "ponderhit",
                "gameover win",
                "debug on",
                "position startpos",
                "position startpos moves %m",
                "position sfen %s",
                "position sfen %s moves %m",
                "position fen %s moves %m",
                "setoption name %o value %v",
                "go",
                "go %t",
                "go ponder %t",
                "go mate %n",
                "go searchmoves %m %t",
                "go infinite",
                "moves",
                "d",
                NULL}},
    {'t', WORDS{"nodes %n", "depth %n", "movetime %n", "btime %n wtime %n byoyomi %n",
                "wtime %n btime %n winc %n binc %n", "movestogo %n %t", NULL}},
    {'m', WORDS{"7g7f", "7g7f 3c3d", "7g7f 3c3d 8h2b+", "e2e4 submit", "a1a2", "11-15", "h8",
                "P*5e", "x", "%m %m", NULL}},
    {'s', WORDS{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "9/9/9/9/9/9/9/9/9 w - 1",
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                "[2k/3/K2:0:1:w]", "x", NULL}},
    {'o', WORDS{"USI_Hash", "Hash", "Threads", "MultiPV", "USI_Ponder", "Variant", "Game",
                "Clear Hash", "Level", "EvalFile", "x", NULL}},
    {'v', WORDS{"1", "0", "16", "true", "false", "standard", "renju", "x", "", "-1", "99999999999",
                NULL}},
    {'n', WORDS{"1", "2", "10", "100", "0", "-1", "x", "99999999999999999999", NULL}},
    {'g',
     WORDS{"START 15", "START %n", "RECTSTART 15,20", "BEGIN", "TURN %c", "BOARD\n%b\nDONE",
           "YXBOARD\n%b\nDONE", "INFO %i %n", "INFO rule %n", "END", "ABOUT", "RESTART",
           "TAKEBACK %c", "PLAY %c", "SUGGEST %c", "SWAP2BOARD\n%b\nDONE", "YXSHOWFORBID", NULL}},
    {'c', WORDS{"7,7", "0,0", "14,14", "%n,%n", "x", NULL}},
    {'b', WORDS{"7,7,1", "7,7,1\n7,8,2", "7,7,1\n7,8,2\n8,8,1", "%c,3", "%b\n%b", "", NULL}},
    {'i', WORDS{"timeout_turn", "timeout_match", "time_left", "max_memory", "game_type", "rule",
                "folder", "evaluate", "x", NULL}},
    {'h', WORDS{"hub",
                "init",
                "new-game",
                "ping",
                "stop",
                "quit",
                "go think",
                "go ponder",
                "go analyze",
                "ponder-hit",
                "level depth=%n",
                "level move-time=0.01",
                "level nodes=%n",
                "level infinite",
                "level time=%n inc=%n moves=%n",
                "pos pos=%q",
                "pos pos=%q moves=\"11-15 23-19\"",
                "pos start moves=\"%m\"",
                "set-param name=%o value=%v",
                "set-param name=variant value=english",
                NULL}},
    {'q', WORDS{"Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "BeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeK", "We", "x",
                NULL}},
    {'p', WORDS{"ply", "game %G", "variant %v", "position %s", "moves %m",
                "R01Plyverse                        W060060B", "A0%n", "M0001010111140", "E00",
                "CPing", "B?", "state", "best depth %n", "quit", NULL}},
    {'G', WORDS{"shogi", "checkers", "gomoku", "neighbours", "5dchess", "x", NULL}},
    {'x', WORDS{"", " ", "x", "info string x", "\x01", "bestmove 7g7f", NULL}},
    {0}};

#undef WORDS

static const char *const words[] = {"position", "startpos", "moves", "go",     "nodes",    "depth",
                                    "stop",     "7g7f",     "value", "name",   "\n",       "=",
                                    ",",        "\"",       "1",     "ponder", "infinite", NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    if (ply_rng_below(&rng, 2) || size == 0)
        return grammar_mutate(data, size, max_size, words, &rng);
    ply_text text = ply_text_growing();
    ply_text_bytes(&text, (const char *)data, size);
    for (uint32_t more = 1 + ply_rng_below(&rng, 4); more > 0; more--) {
        ply_text_char(&text, '\n');
        grammar_expand(line_rules, "%L", 6, &rng, &text);
    }
    if (text.length <= max_size)
        memcpy(data, ply_text_cstr(&text), size = text.length);
    ply_text_free(&text);
    return size;
}

static void count_bytes(void *context, const char *line, size_t length)
{
    size_t *received = context;
    FUZZ_CHECK(!memchr(line, '\n', length));
    *received += length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count = 0, received = 0;
    while (ply_protocol_at(count))
        count++;
    if (size == 0)
        return 0;
    ply_session_options options = {.protocol = ply_protocol_at(data[0] % count)->id,
                                   .search = &(ply_search_options){.memory_mb = 1},
                                   .memory_limit_mb = 1,
                                   .thread_limit = 1,
                                   .connects = data[0] >= 128,
                                   .writer = count_bytes,
                                   .context = &received};
    ply_session *session = ply_session_new(&options, NULL);
    FUZZ_CHECK(session);
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    bool open = true;
    while (open && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        open = ply_session_line(session, at, (size_t)(stop - at));
        at = stop + 1;
    }
    if (open)
        ply_session_finish(session);
    ply_session_free(session);
    return 0;
}
