/* SPDX-License-Identifier: MIT */
/* gomoku.c - gomoku and renju behind the game interface. */
#include "games/gomoku/eval/levels.h"
#include "games/gomoku/eval/margins.h"
#include "games/gomoku/eval/search_board.h"
#include "games/gomoku/learn/learning.h"
#include "games/gomoku/notation/formats.h"
#include "games/gomoku/openings/opening_rules.h"
#include "games/gomoku/solve/goals.h"

static const char *const no_yes[] = {"no", "yes"};
static const char *const forbidden_names[] = {"illegal", "loses"};

static const ply_option options[GOMOKU_OPTIONS] = {
    [GOMOKU_OPTION_WIDTH] = {.name = "width",
                             .help = "columns of the board",
                             .low = GOMOKU_MIN_SIDE,
                             .high = GOMOKU_MAX_SIDE,
                             .default_value = 15},
    [GOMOKU_OPTION_HEIGHT] = {.name = "height",
                              .help = "rows of the board",
                              .low = GOMOKU_MIN_SIDE,
                              .high = GOMOKU_MAX_SIDE,
                              .default_value = 15},
    [GOMOKU_OPTION_ROW] = {.name = "row",
                           .help = "stones in a row that win",
                           .low = GOMOKU_MIN_ROW,
                           .high = GOMOKU_MAX_ROW,
                           .default_value = 5},
    [GOMOKU_OPTION_PASS] = {.name = "pass",
                            .help = "whether players may pass; two passes in a row are a draw",
                            .low = 0,
                            .high = 1,
                            .names = no_yes,
                            .default_value = 0},
    [GOMOKU_OPTION_FORBIDDEN] = {.name = "forbidden",
                                 .help = "renju: whether a forbidden point is illegal or loses",
                                 .low = GOMOKU_FORBIDDEN_ILLEGAL,
                                 .high = GOMOKU_FORBIDDEN_LOSES,
                                 .names = forbidden_names,
                                 .default_value = GOMOKU_FORBIDDEN_ILLEGAL},
};

static const enum gomoku_rule rule_numbers[GOMOKU_RULES] = {
    GOMOKU_FREESTYLE, GOMOKU_STANDARD, GOMOKU_RENJU, GOMOKU_CARO, GOMOKU_CARO_OVERLINE};
static const ply_setting renju_settings[] = {{"pass", 1}, {NULL, 0}};

static const ply_variant variants[] = {
    {.id = "freestyle", .name = "Five or more in a row win", .data = &rule_numbers[0]},
    {.id = "standard", .name = "Exactly five in a row win", .data = &rule_numbers[1]},
    {.id = "renju",
     .name = "Renju: Black has forbidden points",
     .settings = renju_settings,
     .data = &rule_numbers[2]},
    {.id = "caro", .name = "Exactly five, not blocked at both ends", .data = &rule_numbers[3]},
    {.id = "caro-overline",
     .name = "Five not blocked at both ends, or six and more",
     .data = &rule_numbers[4]},
};

static ply_status setup(ply_rules *rules, ply_error *error)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), row = gomoku_row(rules);
    if (row > width && row > height)
        return ply_error_set(error, PLY_BAD_OPTION, "a %dx%d board has no line of %d cells", width,
                             height, row);
    if (gomoku_rule_of(rules) == GOMOKU_RENJU && row != 5)
        return ply_error_set(error, PLY_BAD_OPTION, "renju is played with row=5");
    if (gomoku_rule_of(rules) != GOMOKU_RENJU &&
        rules->option[GOMOKU_OPTION_FORBIDDEN] != GOMOKU_FORBIDDEN_ILLEGAL)
        return ply_error_set(error, PLY_BAD_OPTION, "only renju has forbidden points");
    int pass = rules->option[GOMOKU_OPTION_PASS];
    rules->position_bytes =
        sizeof(gomoku_position) + (size_t)gomoku_line_count(width, height) * sizeof(uint64_t);
    rules->undo_bytes = sizeof(gomoku_undo_info);
    rules->max_moves = (size_t)(width * height + pass);
    rules->symmetries = width == height ? 8 : 4;
    rules->actions = (uint32_t)(width * height + pass);
    rules->planes = GOMOKU_PLANES;
    rules->plane_height = (uint16_t)height;
    rules->plane_width = (uint16_t)width;
    return PLY_OK;
}

static const ply_counting_hooks counting = {
    .perft = gomoku_perft,
    .playout = gomoku_playout,
};

static const ply_search_board_hooks search_board = {
    .bytes = gomoku_search_board_bytes,
    .init = gomoku_search_board_init,
    .play = gomoku_search_board_play,
    .undo = gomoku_search_board_undo,
    .evaluate = gomoku_board_evaluate,
    .candidates = gomoku_board_candidates,
    .find_win = gomoku_board_find_win,
    .in_check = gomoku_board_in_check,
};

static const ply_search_hooks search = {
    .traits = PLY_TRAIT_LATE_MOVE_REDUCTIONS | PLY_TRAIT_NULL_MOVE | PLY_TRAIT_LATE_MOVE_PRUNING |
              PLY_TRAIT_FUTILITY,
    .evaluate = gomoku_evaluate,
    .candidates = gomoku_candidates,
    .find_win = gomoku_find_win,
    .in_check = gomoku_in_check,
    .null_move = gomoku_null_move,
    .score_moves = gomoku_score_moves,
    .is_noisy = gomoku_is_noisy,
    .board = &search_board,
    .levels = gomoku_player_levels,
    .parameters = GOMOKU_MARGINS,
};

static const ply_network_hooks network = {
    .feature_set = "gomoku-lines-1",
    .max_active = GOMOKU_MAX_FEATURES,
    .family = gomoku_network_family,
    .feature_count = gomoku_feature_count,
    .features = gomoku_features,
    .phase = gomoku_phase,
    .per_cell = GOMOKU_DIRECTIONS,
    .cells = gomoku_network_cells,
    .cell_changes = gomoku_cell_changes,
    .exchanged = gomoku_exchanged_feature,
    .move_cell = gomoku_network_move_cell,
};

static const ply_tuning_hooks tuning = {
    .weight_count = GOMOKU_WEIGHTS,
    .max_terms = GOMOKU_COUNT_WEIGHTS + 2 * GOMOKU_MAX_CELLS,
    .weights = gomoku_weights,
    .weight_names = gomoku_weight_names,
    .terms = gomoku_terms,
};

static const ply_indexing_hooks indexing = {
    .image = gomoku_image,
    .canonical = gomoku_canonical,
};

static const ply_opening_hooks openings = {
    .count = gomoku_opening_count,
    .get = gomoku_opening_get,
    .rules = gomoku_opening_rules,
    .procedure_bytes = GOMOKU_OPENING_BYTES,
    .default_variant = gomoku_opening_default_variant,
    .begin = gomoku_opening_begin,
    .to_act = gomoku_opening_to_act,
    .actions = gomoku_opening_actions,
    .perform = gomoku_opening_perform,
    .moves = gomoku_opening_moves,
    .offers = gomoku_opening_offers,
    .first_side = gomoku_opening_first_side,
    .describe = gomoku_opening_describe,
};

static const ply_display_hooks display = {
    .draw = gomoku_draw,
    .svg = gomoku_svg,
    .json = gomoku_json,
    .notes = gomoku_notes,
    .layout = gomoku_layout,
};

const ply_game gomoku_game = {
    .id = "gomoku",
    .name = "Gomoku and renju",
    .summary = "Five stones in a row; freestyle, standard, renju and caro",
    .player_names = {"Black", "White"},
    .options = options,
    .option_count = GOMOKU_OPTIONS,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .formats = gomoku_formats,
    .format_count = GOMOKU_FORMATS,
    .goals = gomoku_goals,
    .goal_count = GOMOKU_GOALS,
    .setup = setup,
    .start = gomoku_start,
    .parse = gomoku_parse,
    .format = gomoku_format,
    .moves = gomoku_moves,
    .count = gomoku_count,
    .nth = gomoku_nth,
    .play = gomoku_play,
    .undo = gomoku_undo,
    .side = gomoku_side,
    .outcome = gomoku_outcome,
    .hash = gomoku_hash,
    .compute_hash = gomoku_compute_hash,
    .format_move = gomoku_format_move,
    .parse_move = gomoku_parse_move,
    .counting = &counting,
    .search = &search,
    .network = &network,
    .tuning = &tuning,
    .indexing = &indexing,
    .openings = &openings,
    .learning = &gomoku_learning_hooks,
    .display = &display,
};
