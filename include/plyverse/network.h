/* SPDX-License-Identifier: MIT */
/*
 * network.h - neural networks that evaluate positions.
 *
 * A network serves a family of rules (ply_network_hooks.family). The library contains one for each
 * family that has a file in nets/; other files are read at run time. docs/networks.md describes the
 * form of a network and the file format. The arithmetic is on integers and exact: a network gives
 * the same value on every machine.
 *
 * Searchers and players load their network themselves (ply_search_options.network). These functions
 * are for callers that want to check a file or evaluate single positions.
 *
 * Thread safety: a network is read-only; all functions are safe from any thread.
 */
#ifndef PLYVERSE_NETWORK_H
#define PLYVERSE_NETWORK_H

#include <plyverse/game.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_network ply_network;

/* The name that stands for no network: the game's own evaluation is used. */
#define PLY_NETWORK_NONE "none"
/* Values of networks are in the range from -PLY_NETWORK_LIMIT to PLY_NETWORK_LIMIT. */
#define PLY_NETWORK_LIMIT 30000

/*
 * Loads a network for these rules, which the caller frees. name is the path of a file, or NULL for
 * the one in the library. *network is NULL if name is PLY_NETWORK_NONE, or if it is NULL and the
 * library has none for these rules.
 *
 * PLY_IO: the file cannot be read or is damaged. PLY_UNSUPPORTED: it is for other rules, or the
 * rules have no networks. PLY_NO_MEMORY. *network is then NULL, and error (may be NULL) says why.
 */
PLY_API ply_status ply_network_load(const ply_rules *rules, const char *name, ply_network **network,
                                    ply_error *error);
/* The same from the bytes of a file, which may be freed afterwards. `name` is for messages. */
PLY_API ply_status ply_network_read(const ply_rules *rules, const void *bytes, size_t size,
                                    const char *name, ply_network **network, ply_error *error);
/* NULL is a no-op. */
PLY_API void ply_network_free(ply_network *network);
/*
 * The value of a position for the player to move, in hundredths of the smallest piece. Computed
 * from scratch; a search updates what changes from move to move.
 */
PLY_API int32_t ply_network_evaluate(const ply_network *network, const void *position);
/* Appends one line for people, such as "checkers-english 120-256x2-16-16-1, 8 buckets". */
PLY_API void ply_network_describe(const ply_network *network, ply_text *out);
/* How the network was trained, as its file says: text of any number of lines. */
PLY_API const char *ply_network_provenance(const ply_network *network);

#ifdef __cplusplus
}
#endif
#endif
