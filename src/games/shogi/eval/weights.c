/* SPDX-License-Identifier: MIT */
/* weights.c - the weights, and the evaluation hooks; evaluate_isa.c computes the sum. */
#include "games/shogi/eval/weights.h"

const int16_t shogi_weights[SHOGI_WEIGHTS] = {
#include "games/shogi/eval/weights.inc"
};

#include "shogi/names.inc"

int32_t shogi_evaluate(const ply_rules *rules, const void *position)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_evaluator_of)->evaluate(position);
}

size_t shogi_terms(const ply_rules *rules, const void *position, ply_term *out)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_evaluator_of)->terms(position, out);
}
