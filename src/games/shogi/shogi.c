/* SPDX-License-Identifier: MIT */
/* shogi.c - the game structure: options, variants and the tables of hooks. */
#include "games/shogi/shogi.h"
#include "games/shogi/eval/levels.h"
#include "games/shogi/eval/margins.h"
#include "games/shogi/eval/weights.h"
#include "games/shogi/learn/learning.h"
#include "games/shogi/notation/record_reader.h"
#include "games/shogi/solve/mate.h"

static const char *const impasse_names[] = {"none", "27", "24", "try"};

static const ply_option options[] = {
    [SHOGI_OPTION_IMPASSE] =
        {.name = "impasse",
         .help = "entering king: 27-point declaration, 24-point rule, try rule, or none",
         .low = SHOGI_IMPASSE_NONE,
         .high = SHOGI_IMPASSE_TRY,
         .names = impasse_names,
         .default_value = SHOGI_IMPASSE_27},
    [SHOGI_OPTION_PLIES] = {.name = "plies",
                            .help = "draw after this many plies; 0: no limit",
                            .low = 0,
                            .high = 1000000,
                            .default_value = 0},
};

static const ply_variant variants[] = {
    {.id = "standard",
     .name = "Shogi",
     .data = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"},
    {.id = "lance",
     .name = "Left lance handicap",
     .data = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "right-lance",
     .name = "Right lance handicap",
     .data = "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "bishop",
     .name = "Bishop handicap",
     .data = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "rook",
     .name = "Rook handicap",
     .data = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "rook-lance",
     .name = "Rook and left lance handicap",
     .data = "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "2-piece",
     .name = "Two-piece handicap",
     .data = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "3-piece",
     .name = "Three-piece handicap (rook, bishop, right lance)",
     .data = "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "4-piece",
     .name = "Four-piece handicap",
     .data = "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "5-piece",
     .name = "Five-piece handicap (right knight)",
     .data = "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "left-5-piece",
     .name = "Five-piece handicap (left knight)",
     .data = "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "6-piece",
     .name = "Six-piece handicap",
     .data = "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "7-piece-left",
     .name = "Seven-piece handicap (left silver)",
     .data = "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "7-piece-right",
     .name = "Seven-piece handicap (right silver)",
     .data = "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "8-piece",
     .name = "Eight-piece handicap",
     .data = "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "10-piece",
     .name = "Ten-piece handicap",
     .data = "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {.id = "naked-king",
     .name = "Naked king (three pawns in hand)",
     .data = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1"},
};

const ply_variant *shogi_variant_at(size_t i)
{
    return i < sizeof variants / sizeof variants[0] ? &variants[i] : NULL;
}

static const char *const perft_modes[] = {"bulk", "visit", NULL};

static ply_status setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = sizeof(shogi_position);
    rules->undo_bytes = sizeof(shogi_undo_info);
    rules->max_moves = SHOGI_MAX_MOVES;
    rules->symmetries = 2;
    rules->actions = SHOGI_ACTIONS;
    rules->planes = SHOGI_PLANES;
    rules->plane_height = rules->plane_width = SHOGI_SIDE;
    return PLY_OK;
}

static size_t simple_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return shogi_moves_of_mode(position, SHOGI_SIMPLE, out);
}

static size_t tsume_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return shogi_moves_of_mode(position, SHOGI_TSUME, out);
}

static const ply_move_mode move_modes[] = {
    [SHOGI_SIMPLE] = {"simple", "legal moves and pawn drops that give mate", simple_moves},
    [SHOGI_STANDARD] = {"standard", "legal moves", shogi_moves},
    [SHOGI_TSUME] = {"tsume", "legal moves that give check", tsume_moves},
};

static const ply_counting_hooks counting = {
    .modes = perft_modes,
    .perft = shogi_perft,
    .playout = shogi_playout,
};

static const ply_search_hooks search = {
    .node_outcome = shogi_node_outcome,
    .fresh_outcome = shogi_fresh_outcome,
    .repetition_outcome = shogi_repetition_outcome,
    .traits = PLY_TRAIT_LATE_MOVE_REDUCTIONS | PLY_TRAIT_FUTILITY | PLY_TRAIT_NULL_MOVE |
              PLY_TRAIT_LATE_MOVE_PRUNING,
    .evaluate = shogi_evaluate,
    .score_moves = shogi_score_moves,
    .in_check = shogi_mover_in_check,
    .gives_check = shogi_is_check,
    .winning_move = shogi_mate_in_one,
    .move_class = shogi_move_class,
    .null_move = shogi_null_move,
    .see = shogi_see,
    .is_noisy = shogi_is_noisy,
    .noisy_moves = shogi_noisy_moves,
    .levels = shogi_player_levels,
    .parameters = SHOGI_MARGINS,
};

static const ply_network_hooks network = {
    .feature_set = "shogi-kp-1",
    .max_active = SHOGI_PIECES,
    .family = shogi_network_family,
    .feature_count = shogi_feature_count,
    .features = shogi_features,
    .changes = shogi_feature_changes,
    .phase = shogi_phase,
};

static const ply_tuning_hooks tuning = {
    .weight_count = SHOGI_WEIGHTS,
    .max_terms = SHOGI_MAX_TERMS,
    .weights = shogi_weights,
    .weight_names = shogi_weight_names,
    .terms = shogi_terms,
};

static const ply_indexing_hooks indexing = {
    .image = shogi_image,
};

static const ply_notation notations[] = {
    {.id = "japanese", .name = "Japanese", .language = "ja", .move = shogi_display_japanese},
    {.id = "western", .name = "Western", .language = "en", .move = shogi_display_western},
};

static const ply_display_hooks display = {
    .draw = shogi_draw,
    .svg = shogi_svg,
    .json = shogi_json,
    .notes = shogi_notes,
    .notations = notations,
    .notation_count = sizeof notations / sizeof notations[0],
    .layout = shogi_layout,
};

const ply_game shogi_game = {
    .id = "shogi",
    .name = "Shogi",
    .summary = "Japanese chess: captured pieces change sides and can be dropped",
    .player_names = {"Black", "White"},
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .formats = shogi_formats,
    .format_count = SHOGI_FORMATS,
    .goals = shogi_goals,
    .goal_count = SHOGI_GOALS,
    .move_modes = move_modes,
    .move_mode_count = sizeof move_modes / sizeof move_modes[0],
    .setup = setup,
    .start = shogi_start,
    .parse = shogi_parse,
    .format = shogi_format,
    .moves = shogi_moves,
    .count = shogi_count,
    .nth = shogi_nth,
    .play = shogi_play,
    .undo = shogi_undo,
    .side = shogi_side,
    .outcome = shogi_outcome,
    .hash = shogi_hash,
    .compute_hash = shogi_compute_hash,
    .format_move = shogi_format_move,
    .parse_move = shogi_parse_move,
    .counting = &counting,
    .search = &search,
    .network = &network,
    .tuning = &tuning,
    .indexing = &indexing,
    .learning = &shogi_learning_hooks,
    .display = &display,
};
