/* SPDX-License-Identifier: MIT */
/*
 * derive.h - the value of a position from the values after each of its moves, for the verifiers on
 * the host and on CUDA devices. Values are as stored: 0 for a draw, otherwise 1 + plies to the end.
 */
#ifndef PLY_MODEL_DERIVE_H
#define PLY_MODEL_DERIVE_H

#include <limits.h>
#include <plyverse/status.h>
#include <stdbool.h>

typedef struct derivation {
    unsigned win, loss; /* the shortest and the longest so far, after the move */
    bool draw;
} derivation;

PLY_HD derivation derivation_start(void)
{
    derivation d;
    d.win = UINT_MAX;
    d.loss = 0;
    d.draw = false;
    return d;
}

/* One more move leads to a position of this value. */
PLY_HD void derivation_add(derivation *d, unsigned value)
{
    if (value == 0)
        d->draw = true;
    else if (value & 1) /* the opponent is lost in value - 1 plies */
        d->win = value < d->win ? value : d->win;
    else
        d->loss = value > d->loss ? value : d->loss;
}

PLY_HD unsigned derivation_value(const derivation *d)
{
    return d->win != UINT_MAX ? d->win + 1 : d->draw ? 0 : d->loss + 1;
}

#endif
