/* SPDX-License-Identifier: MIT */
/*
 * noise.h - lines that no honest client would send.
 *
 * Each protocol has a list of valid lines. Noise takes lines of its own protocol and of the others,
 * cuts them, joins them, changes bytes and numbers, and sometimes makes up random bytes.
 */
#ifndef TESTS_PROTO_NOISE_H
#define TESTS_PROTO_NOISE_H

#include <plyverse/rng.h>
#include <stddef.h>
#include <string.h>

enum { NOISE_ROOM = 1024, NOISE_PROTOCOLS = 5 };

#define NOISE_PAD "Tester                          "

static const char *const noise_usi[] = {
    "usi",
    "isready",
    "usinewgame",
    "setoption name USI_Hash value 2",
    "setoption name USI_Ponder value true",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name MultiPV value 4",
    "setoption name Engine value mcts",
    "setoption name Engine value alphabeta",
    "setoption name impasse value try",
    "setoption name Variant value rook-lance",
    "setoption name ClearHash",
    "position startpos",
    "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
    "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 2g2f",
    "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
    "position sfen +R+R1K5/PPPPPPPPP/+B+B7/9/9/9/9/4k4/9 b 4G4S4N4L9P 1",
    "go infinite",
    "go btime 100 wtime 100 byoyomi 10",
    "go ponder btime 1000 wtime 1000 binc 10 winc 10",
    "go depth 2",
    "go nodes 200",
    "go movetime 1",
    "go mate 5",
    "go mate infinite",
    "go depth 2 searchmoves 7g7f 2g2f",
    "ponderhit",
    "stop",
    "gameover win",
    "quit",
    NULL,
};

static const char *const noise_gomocup[] = {
    "START 15",
    "START 20",
    "START 5",
    "RECTSTART 12,30",
    "RESTART",
    "BEGIN",
    "TURN 7,7",
    "TURN 8,6",
    "TURN 0,0",
    "BOARD",
    "7,7,1",
    "8,8,2",
    "9,9,1",
    "3,4,3",
    "DONE",
    "PLAY 3,3",
    "TAKEBACK 7,7",
    "TAKEBACK 3,3",
    "SWAP2BOARD",
    "7,7",
    "1,2",
    "6,3",
    "INFO timeout_turn 2",
    "INFO timeout_match 1000",
    "INFO time_left 500",
    "INFO max_memory 8000000",
    "INFO game_type 1",
    "INFO rule 4",
    "INFO rule 0",
    "INFO rule 9",
    "INFO evaluate 4,4",
    "INFO folder /x",
    "INFO max_depth 2",
    "INFO max_node 100",
    "INFO hash_size 1024",
    "INFO thread_num 2",
    "INFO show_detail 1",
    "ABOUT",
    "yxboard",
    "yxstop",
    "yxshowforbid",
    "yxnbest 3",
    "yxblock",
    "yxblockundo",
    "yxblockreset",
    "yxbalanceone 0",
    "yxbalancetwo -5",
    "yxhashclear",
    "yxshowinfo",
    "END",
    NULL,
};

static const char *const noise_hub[] = {
    "hub",
    "init",
    "set-param name=variant value=russian",
    "set-param name=variant value=english",
    "set-param name=threads value=2",
    "set-param name=hash value=2",
    "set-param name=\"quiet\" value=\"40\"",
    "set-param name=notation value=A0",
    "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
    "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18 15x22x18\"",
    "pos pos=Weeeeeeeeeeeeebeeeeeeebeeeweeeeee moves=\"26x10x22x14\"",
    "pos pos=WeeeeBeeeeeeeeeeeWeeeeeeeeeeeeeee",
    "pos start moves=\"22-18\"",
    "level depth=2",
    "level nodes=100",
    "level move-time=0.001",
    "level moves=9 time=0.2",
    "level time=0.1 inc=0.01",
    "level infinite",
    "go think",
    "go ponder",
    "go analyze",
    "ponder-hit",
    "stop",
    "new-game",
    "ping",
    "quit",
    NULL,
};

static const char *const noise_dxp[] = {
    "R01" NOISE_PAD "W001075A",
    "R01" NOISE_PAD "Z000002A",
    "R02" NOISE_PAD "Z000002A",
    "R01" NOISE_PAD "W001075BWeeeeeeeeeeeeezeeeeeeezeeeweeeeee",
    "R01" NOISE_PAD "Z001075BWeeeeeeeeeeeeezeeeeeeezeeeweeeeee",
    "A" NOISE_PAD "0",
    "M0000111500",
    "M0001121600",
    "M00002610021422",
    "M0000092600",
    "E00",
    "E20",
    "E11",
    "B001Z",
    "B001W",
    "B002Z",
    "K0",
    "Chello there",
    NULL,
};

static const char *const noise_ply[] = {
    "ply",
    "isready",
    "game checkers russian",
    "game neighbours jump",
    "game gomoku renju",
    "game shogi",
    "game 5dchess",
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name MultiPV value 3",
    "setoption name Engine value mcts",
    "setoption name Variant value standard",
    "setoption name Seed value 7",
    "newgame",
    "position start",
    "position start moves h8 h9 i8",
    "position text W:W1,2,K3:B30,31 moves 1-5",
    "position text 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o",
    "play h8",
    "play 11-15",
    "play 7g7f",
    "undo",
    "undo 3",
    "state",
    "moves",
    "go depth 2",
    "go nodes 100",
    "go time1 50 time2 50 inc1 1 inc2 1",
    "go byoyomi 2",
    "go infinite",
    "go ponder movetime 2",
    "go mate 3 nodes 100",
    "go searchmoves h8 depth 1",
    "ponderhit",
    "stop",
    "gameover draw",
    "quit",
    NULL,
};

static const char *const *const noise_lines[NOISE_PROTOCOLS] = {noise_usi, noise_gomocup, noise_hub,
                                                                noise_dxp, noise_ply};
static const char *const noise_protocols[NOISE_PROTOCOLS] = {"usi", "gomocup", "hub", "dxp", "ply"};

static inline const char *noise_valid_line(ply_rng *rng, int protocol)
{
    uint32_t count = 0;
    while (noise_lines[protocol][count])
        count++;
    return noise_lines[protocol][ply_rng_below(rng, count)];
}

/* Writes a line of noise and returns its length, at most NOISE_ROOM. */
static inline size_t noise_line(ply_rng *rng, int protocol, char *out)
{
    uint32_t kind = ply_rng_below(rng, 16);
    const char *line =
        noise_valid_line(rng, kind == 0 ? (int)ply_rng_below(rng, NOISE_PROTOCOLS) : protocol);
    size_t length = strlen(line);
    memcpy(out, line, length);
    if (kind == 1) { /* cut at the end */
        length = ply_rng_below(rng, (uint32_t)length + 1);
    } else if (kind == 2) { /* cut at the start */
        size_t cut = ply_rng_below(rng, (uint32_t)length + 1);
        memmove(out, out + cut, length - cut);
        length -= cut;
    } else if (kind == 3) { /* two lines joined */
        const char *more = noise_valid_line(rng, protocol);
        if (ply_rng_below(rng, 2))
            out[length++] = ' ';
        memcpy(out + length, more, strlen(more));
        length += strlen(more);
    } else if (kind == 4 || kind == 5) { /* changed bytes */
        for (uint32_t n = 1 + ply_rng_below(rng, 4); n > 0 && length > 0; n--)
            out[ply_rng_below(rng, (uint32_t)length)] = (char)ply_rng_below(rng, 256);
    } else if (kind == 6) { /* a number inserted anywhere */
        static const char *const numbers[] = {
            "0", "-1", "99999999999999999999", "4294967296", "31", "32", "33"};
        const char *number = numbers[ply_rng_below(rng, 7)];
        size_t at = ply_rng_below(rng, (uint32_t)length + 1);
        memmove(out + at + strlen(number), out + at, length - at);
        memcpy(out + at, number, strlen(number));
        length += strlen(number);
    } else if (kind == 7) { /* random bytes */
        length = ply_rng_below(rng, 40);
        for (size_t i = 0; i < length; i++)
            out[i] = (char)ply_rng_below(rng, 256);
    } else if (kind == 8 && ply_rng_below(rng, 8) == 0) { /* a long line */
        length = NOISE_ROOM;
        for (size_t i = 0; i < length; i++)
            out[i] = (char)(' ' + ply_rng_below(rng, 95));
    }
    return length;
}

#endif
