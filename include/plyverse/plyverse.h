/* SPDX-License-Identifier: MIT */
/* plyverse.h - includes the whole public interface. */
#ifndef PLYVERSE_H
#define PLYVERSE_H

#include <plyverse/batch.h>
#include <plyverse/book.h>
#include <plyverse/checkers.h>
#include <plyverse/device.h>
#include <plyverse/fived.h>
#include <plyverse/game.h>
#include <plyverse/gomoku.h>
#include <plyverse/layout.h>
#include <plyverse/neighbours.h>
#include <plyverse/network.h>
#include <plyverse/perft.h>
#include <plyverse/player.h>
#include <plyverse/progress.h>
#include <plyverse/record.h>
#include <plyverse/rng.h>
#include <plyverse/search.h>
#include <plyverse/session.h>
#include <plyverse/shogi.h>
#include <plyverse/solve.h>
#include <plyverse/state.h>
#include <plyverse/status.h>
#include <plyverse/tablebase.h>
#include <plyverse/text.h>

#define PLYVERSE_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif
/* The version of the library linked at run time, a constant, which may differ from PLYVERSE_VERSION.
 * Safe from any thread. */
PLY_API const char *ply_version(void);
#ifdef __cplusplus
}
#endif
#endif
