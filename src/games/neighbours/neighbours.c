/* SPDX-License-Identifier: MIT */
/* neighbours.c - the game interface of Neighbours: options, variants and hooks. */
#include "games/neighbours/neighbours.h"
#include "games/neighbours/eval/levels.h"
#include "games/neighbours/eval/margins.h"
#include "games/neighbours/learn/learning.h"
#include "model/retrograde.h"

static const char *const path_names[] = {"slide", "jump"};

static const ply_option options[] = {
    [NEIGHBOURS_OPTION_PATH] = {.name = "path",
                                .help = "slide: over empty squares only; jump: over any squares",
                                .low = NEIGHBOURS_SLIDE,
                                .high = NEIGHBOURS_JUMP,
                                .names = path_names,
                                .default_value = NEIGHBOURS_SLIDE},
};

static const ply_setting jump_settings[] = {{"path", NEIGHBOURS_JUMP}, {NULL, 0}};

static const ply_variant variants[] = {
    {.id = "slide", .name = "Pieces slide over empty squares"},
    {.id = "jump", .name = "Pieces jump over anything", .settings = jump_settings},
};

PLY_ISA_DECLARE(const ply_retrograde, neighbours_retrograde_of);

static const ply_retrograde *retrograde(const ply_rules *rules)
{
    (void)rules;
    int level = ply_isa_level_for_pext();
    return PLY_ISA_AT(neighbours_retrograde_of, level);
}

static ply_status setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = sizeof(neighbours_position);
    rules->undo_bytes = sizeof(neighbours_undo_info);
    rules->max_moves = NEIGHBOURS_MAX_MOVES;
    rules->max_predecessors =
        (size_t)NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH * 2;
    rules->symmetries = NEIGHBOURS_VARIATIONS;
    rules->actions = NEIGHBOURS_ACTIONS;
    rules->planes = NEIGHBOURS_PLANES;
    rules->plane_height = rules->plane_width = NEIGHBOURS_SIDE;
    return PLY_OK;
}

static const ply_counting_hooks counting = {
    .perft = neighbours_perft,
    .fast_depth = 5,
};

static const ply_search_hooks search = {
    .node_outcome = neighbours_node_outcome,
    .fresh_outcome = neighbours_fresh_outcome,
    .traits = PLY_TRAIT_LATE_MOVE_REDUCTIONS | PLY_TRAIT_FUTILITY,
    .evaluate = neighbours_evaluate,
    .score_moves = neighbours_score_moves,
    .is_noisy = neighbours_is_noisy,
    .levels = neighbours_player_levels,
    .parameters = NEIGHBOURS_MARGINS,
};

static const ply_network_hooks network = {
    .feature_set = "neighbours-648",
    .max_active = 2 * NEIGHBOURS_PIECES,
    .family = neighbours_network_family,
    .feature_count = neighbours_feature_count,
    .features = neighbours_features,
    .changes = neighbours_feature_changes,
    .phase = neighbours_phase,
};

static const ply_tuning_hooks tuning = {
    .weight_count = NEIGHBOURS_WEIGHTS,
    .max_terms = NEIGHBOURS_MAX_TERMS,
    .weights = neighbours_weights,
    .weight_names = neighbours_weight_names,
    .terms = neighbours_terms,
};

static const ply_indexing_hooks indexing = {
    .image = neighbours_image,
    .canonical = neighbours_canonical,
    .class_count = neighbours_class_count,
    .class_size = neighbours_class_size,
    .class_name = neighbours_class_name,
    .rank = neighbours_rank,
    .unrank = neighbours_unrank,
    .predecessors = neighbours_predecessors,
    .retrograde = retrograde,
};

static const ply_display_hooks display = {
    .draw = neighbours_draw,
    .svg = neighbours_svg,
    .json = neighbours_json,
    .layout = neighbours_layout,
};

const ply_game neighbours_game = {
    .id = "neighbours",
    .name = "Neighbours 6x6",
    .summary = "A piece moves as many squares as it has neighbours",
    .player_names = {"White", "Black"},
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .setup = setup,
    .start = neighbours_start,
    .parse = neighbours_parse,
    .format = neighbours_format,
    .moves = neighbours_moves,
    .count = neighbours_count,
    .play = neighbours_play,
    .undo = neighbours_undo,
    .side = neighbours_side,
    .outcome = neighbours_outcome,
    .hash = neighbours_hash,
    .compute_hash = neighbours_compute_hash,
    .format_move = neighbours_format_move,
    .parse_move = neighbours_parse_move,
    .counting = &counting,
    .search = &search,
    .network = &network,
    .tuning = &tuning,
    .indexing = &indexing,
    .learning = &neighbours_learning_hooks,
    .display = &display,
};
