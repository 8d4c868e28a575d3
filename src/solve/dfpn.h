/* SPDX-License-Identifier: MIT */
/* dfpn.h - the general solver: depth-first proof-number search (df-pn). */
#ifndef PLY_SOLVE_DFPN_H
#define PLY_SOLVE_DFPN_H

#include <plyverse/solve.h>

extern const ply_solver_kind ply_dfpn_kind;

#endif
