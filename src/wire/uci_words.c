/* SPDX-License-Identifier: MIT */
/* uci_words.c - see uci_words.h. */
#include "wire/uci_words.h"

const uci_words ply_uci_words_usi = {
    .hello = "usi",
    .hello_done = "usiok",
    .new_game = "usinewgame",
    .start = "startpos",
    .text = "sfen",
    .clock = {"btime", "wtime"},
    .increment = {"binc", "winc"},
};

const uci_words ply_uci_words_ply = {
    .hello = "ply",
    .hello_done = "plyok",
    .new_game = "newgame",
    .start = "start",
    .text = "text",
    .clock = {"time1", "time2"},
    .increment = {"inc1", "inc2"},
};
