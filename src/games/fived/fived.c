/* SPDX-License-Identifier: MIT */
/* fived.c - 5D chess as a ply_game. */
#include "games/fived/fived.h"
#include "games/fived/eval/levels.h"
#include "games/fived/learn/learning.h"
#include "games/fived/notation/pgn.h"

static const char *const off_on[] = {"off", "on"};
static const char *const near_names[] = {"off", "on", "a-side"};
static const char *const pass_names[] = {"present", "all"};
static const char *const perft_modes[] = {"movesets", "distinct", NULL};

static const ply_option options[FIVED_OPTIONS] = {
    [FIVED_OPTION_PROMOTION] = {.name = "promotion",
                                .help =
                                    "what pawns promote to, a sum of 1 queen, 2 rook, 4 bishop, "
                                    "8 knight, 16 princess, 32 unicorn, 64 dragon, 128 common "
                                    "king; 0: those of these kinds that are on the boards",
                                .low = 0,
                                .high = 255,
                                .default_value = 1},
    [FIVED_OPTION_NEW_TIMELINE_EP] = {.name = "new-line-ep",
                                      .help = "en passant as the first reply on a new timeline",
                                      .low = 0,
                                      .high = 1,
                                      .names = off_on},
    [FIVED_OPTION_NEAR_CASTLE] = {.name = "near-castle",
                                  .help = "castling with the rook two squares away; a-side: only "
                                          "towards the a-file",
                                  .low = FIVED_NEAR_OFF,
                                  .high = FIVED_NEAR_A_SIDE,
                                  .names = near_names},
    [FIVED_OPTION_CHECK_PASS] = {.name = "check-pass",
                                 .help = "which boards pass in the test for check: those of "
                                         "the present, or all",
                                 .low = FIVED_PASS_PRESENT,
                                 .high = FIVED_PASS_ALL,
                                 .names = pass_names},
};

static ply_status setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = sizeof(fived_position);
    rules->undo_bytes = sizeof(fived_undo_info);
    rules->max_moves = FIVED_MAX_MOVES;
    rules->default_plies = FIVED_DEFAULT_PLIES;
    rules->actions = fived_action_count(rules);
    rules->planes = FIVED_PLANES;
    rules->plane_height = rules->plane_width = 8;
    return PLY_OK;
}

/* A position with a legal move is never over. */
static ply_outcome node_outcome(const ply_rules *rules, const void *position,
                                const void *undo_stack, size_t plies)
{
    (void)rules;
    (void)position;
    (void)undo_stack;
    (void)plies;
    return (ply_outcome){PLY_ONGOING, NULL};
}

static const ply_counting_hooks counting = {
    .modes = perft_modes,
    .perft = fived_perft,
    .turns = fived_turns,
    .playout = fived_playout,
};

static const ply_search_hooks search = {
    .node_outcome = node_outcome,
    .evaluate = fived_evaluate,
    .in_check = fived_in_check,
    .promising_turns = fived_promising_turns,
    .score_moves = fived_score_moves,
    .is_noisy = fived_is_noisy,
    .levels = fived_player_levels,
};

static const ply_network_hooks network = {
    .feature_set = "5dchess-pieces-1",
    .max_active = FIVED_MAX_FEATURES,
    .family = fived_network_family,
    .feature_count = fived_feature_count,
    .features = fived_features,
    .phase = fived_phase,
};

static const ply_tuning_hooks tuning = {
    .weight_count = FIVED_WEIGHTS,
    .max_terms = FIVED_WEIGHTS,
    .weights = fived_weights,
    .weight_names = fived_weight_names,
    .terms = fived_terms,
};

static const ply_notation notations[] = {
    {.id = "short", .name = "Short", .language = "en", .move = fived_display_move},
};

static const ply_display_hooks display = {
    .draw = fived_draw,
    .svg = fived_svg,
    .json = fived_json,
    .notations = notations,
    .notation_count = 1,
    .notes = fived_notes,
    .layout = fived_layout,
};

const ply_game fived_game = {
    .id = "5dchess",
    .name = "5D Chess",
    .summary = "Chess with time travel: moves lead to past boards and create new timelines",
    .player_names = {"White", "Black"},
    .options = options,
    .option_count = FIVED_OPTIONS,
    .variants = fived_variants,
    .variant_count = FIVED_VARIANTS,
    .multi_move_turns = true,
    .formats = fived_formats,
    .format_count = FIVED_FORMATS,
    .goals = fived_goals,
    .goal_count = FIVED_GOALS,
    .setup = setup,
    .start = fived_start,
    .parse = fived_parse,
    .format = fived_format,
    .copy = fived_copy,
    .clear = fived_clear,
    .moves = fived_moves,
    .count = fived_count,
    .nth = fived_nth,
    .play = fived_play,
    .undo = fived_undo,
    .side = fived_side,
    .outcome = fived_outcome,
    .hash = fived_hash,
    .compute_hash = fived_compute_hash,
    .format_move = fived_format_move,
    .parse_move = fived_parse_move,
    .counting = &counting,
    .search = &search,
    .network = &network,
    .tuning = &tuning,
    .learning = &fived_learning_hooks,
    .display = &display,
};
