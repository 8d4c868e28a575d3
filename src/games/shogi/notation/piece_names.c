/* SPDX-License-Identifier: MIT */
/* piece_names.c - tables indexed by code & 15: P L N S B R G K, then the promoted pieces. */
#include "games/shogi/notation/piece_names.h"

static const char *const board_kanji[16] = {"歩", "香", "桂", "銀", "角", "飛", "金", "玉",
                                            "と", "杏", "圭", "全", "馬", "龍", "？", "？"};
static const char *const move_kanji[16] = {"歩", "香",   "桂",   "銀",   "角", "飛", "金", "玉",
                                           "と", "成香", "成桂", "成銀", "馬", "龍", "？", "？"};
static const char *const csa_names[16] = {"FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU",
                                          "TO", "NY", "NK", "NG", "UM", "RY", "??", "??"};

const char *shogi_board_kanji(int code)
{
    return board_kanji[code & 15];
}

const char *shogi_move_kanji(int code)
{
    return move_kanji[code & 15];
}

const char *shogi_csa_name(int code)
{
    return csa_names[code & 15];
}
