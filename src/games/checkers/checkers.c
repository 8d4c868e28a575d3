/* SPDX-License-Identifier: MIT */
/* checkers.c - the game interface of checkers: options, variants and hooks. */
#include "games/checkers/eval/levels.h"
#include "games/checkers/eval/margins.h"
#include "games/checkers/learn/learning.h"
#include "games/checkers/notation/pdn.h"
#include "games/checkers/rules/ballots.h"
#include "model/retrograde.h"
#include "record/formats.h"

static const char *const king_names[] = {"short", "flying", "close"};
static const char *const men_names[] = {"forward", "back"};
static const char *const crowning_names[] = {"ends", "continues", "waits"};
static const char *const choice_names[] = {"free", "king", "most", "quality", "italian"};
static const char *const prey_names[] = {"any", "men"};
static const char *const lifting_names[] = {"end", "once"};
static const char *const starts_names[] = {"black", "white"};
static const char *const notation_names[] = {"N0", "N1", "N2", "N3", "A0", "A1", "A2", "A3"};
static const char *const mirror_names[] = {"no", "yes"};
static const char *const sign_names[] = {"x", "colon", "hyphen"};
static const char *const endings_names[] = {"none", "russian", "brazilian", "pool", "spanish"};

enum { NOTATION_N1 = 1, NOTATION_N2 = 2, NOTATION_A0 = 4 };

static const ply_option options[] = {
    [CHECKERS_OPTION_KING] = {.name = "king",
                              .help = "short: one square; flying: any distance; close: flying, but "
                                      "it lands right behind a captured piece",
                              .high = CHECKERS_KING_CLOSE,
                              .names = king_names},
    [CHECKERS_OPTION_MEN] = {.name = "men",
                             .help = "men capture forward only, or backward, too",
                             .high = CHECKERS_MEN_BACK,
                             .names = men_names},
    [CHECKERS_OPTION_CROWNING] = {.name = "crowning",
                                  .help = "a man that reaches the last row by a capture ends the "
                                          "move, continues as a king, or continues as a man and "
                                          "is crowned only if it stops there",
                                  .high = CHECKERS_CROWNING_WAITS,
                                  .names = crowning_names},
    [CHECKERS_OPTION_CHOICE] = {.name = "choice",
                                .help = "which captures are legal: any, those by a king if there "
                                        "is one, those of the most pieces, of the most pieces and "
                                        "kings, or by Italian precedence",
                                .high = CHECKERS_CHOICE_ITALIAN,
                                .names = choice_names},
    [CHECKERS_OPTION_PREY] = {.name = "prey",
                              .help = "men capture any piece, or men only",
                              .high = CHECKERS_PREY_SPARE_KINGS,
                              .names = prey_names},
    [CHECKERS_OPTION_LIFTING] = {.name = "lifting",
                                 .help = "captured pieces are removed at the end of the move or "
                                         "at once",
                                 .high = CHECKERS_LIFTING_ONCE,
                                 .names = lifting_names},
    [CHECKERS_OPTION_STARTS] = {.name = "starts",
                                .help = "who moves first",
                                .high = CHECKERS_WHITE,
                                .names = starts_names},
    [CHECKERS_OPTION_ROWS] = {.name = "rows",
                              .help = "rows of men at the start",
                              .low = 1,
                              .high = 3,
                              .default_value = 3},
    [CHECKERS_OPTION_NOTATION] = {.name = "notation",
                                  .help = "names of squares as in PDN: N for numbers or A for "
                                          "letters, then the corner of the first square",
                                  .high = 7,
                                  .names = notation_names,
                                  .default_value = NOTATION_N1},
    [CHECKERS_OPTION_MIRROR] = {.name = "mirror",
                                .help = "the lower left corner is a light square",
                                .high = 1,
                                .names = mirror_names},
    [CHECKERS_OPTION_SIGN] = {.name = "sign",
                              .help = "how notation separates the squares of a capture",
                              .high = CHECKERS_SIGN_HYPHEN,
                              .names = sign_names},
    [CHECKERS_OPTION_REPEAT] = {.name = "repeat",
                                .help = "draw when a position occurs this many times; 0: never",
                                .high = 10,
                                .default_value = 3},
    [CHECKERS_OPTION_QUIET] = {.name = "quiet",
                               .help = "draw after this many plies without a capture or a man's "
                                       "move",
                               .low = 2,
                               .high = CHECKERS_QUIET_LIMIT,
                               .default_value = 80},
    [CHECKERS_OPTION_ENDINGS] = {.name = "endings",
                                 .help = "which federation's move limits apply to endings",
                                 .high = CHECKERS_ENDINGS_SPANISH,
                                 .names = endings_names},
};

static const ply_setting russian[] = {
    {"king", CHECKERS_KING_FLYING},
    {"men", CHECKERS_MEN_BACK},
    {"crowning", CHECKERS_CROWNING_CONTINUES},
    {"starts", CHECKERS_WHITE},
    {"notation", NOTATION_A0},
    {"sign", CHECKERS_SIGN_COLON},
    {"quiet", 30},
    {"endings", CHECKERS_ENDINGS_RUSSIAN},
    {NULL, 0},
};

static const ply_setting brazilian[] = {
    {"king", CHECKERS_KING_FLYING},
    {"men", CHECKERS_MEN_BACK},
    {"crowning", CHECKERS_CROWNING_WAITS},
    {"choice", CHECKERS_CHOICE_MOST},
    {"starts", CHECKERS_WHITE},
    {"notation", NOTATION_A0},
    {"quiet", 40},
    {"endings", CHECKERS_ENDINGS_BRAZILIAN},
    {NULL, 0},
};

static const ply_setting pool[] = {
    {"king", CHECKERS_KING_FLYING},        {"men", CHECKERS_MEN_BACK},
    {"crowning", CHECKERS_CROWNING_WAITS}, {"quiet", 60},
    {"endings", CHECKERS_ENDINGS_POOL},    {NULL, 0},
};

static const ply_setting italian[] = {
    {"choice", CHECKERS_CHOICE_ITALIAN},
    {"prey", CHECKERS_PREY_SPARE_KINGS},
    {"starts", CHECKERS_WHITE},
    {"notation", NOTATION_N2},
    {"mirror", 1},
    {"repeat", 4},
    {NULL, 0},
};

static const ply_setting spanish[] = {
    {"king", CHECKERS_KING_FLYING},
    {"choice", CHECKERS_CHOICE_QUALITY},
    {"starts", CHECKERS_WHITE},
    {"mirror", 1},
    {"endings", CHECKERS_ENDINGS_SPANISH},
    {NULL, 0},
};

static const ply_setting czech[] = {
    {"king", CHECKERS_KING_FLYING},
    {"choice", CHECKERS_CHOICE_KING},
    {"starts", CHECKERS_WHITE},
    {"notation", NOTATION_A0},
    {NULL, 0},
};

static const ply_setting thai[] = {
    {"king", CHECKERS_KING_CLOSE}, {"lifting", CHECKERS_LIFTING_ONCE}, {"rows", 2},
    {"notation", NOTATION_N2},     {"sign", CHECKERS_SIGN_HYPHEN},     {NULL, 0},
};

static const ply_variant variants[] = {
    {.id = "english", .name = "English draughts, American checkers"},
    {.id = "russian", .name = "Russian draughts, shashki", .settings = russian},
    {.id = "brazilian", .name = "Brazilian draughts", .settings = brazilian},
    {.id = "pool", .name = "American pool checkers", .settings = pool},
    {.id = "italian", .name = "Italian draughts, dama", .settings = italian},
    {.id = "spanish", .name = "Spanish draughts, damas", .settings = spanish},
    {.id = "czech", .name = "Czech draughts", .settings = czech},
    {.id = "thai", .name = "Thai draughts, makhos", .settings = thai},
};

static const char *const perft_modes[] = {"distinct", "paths", NULL};

static const char *const pdn_signs[] = {
    "[GameType", ".##-##", ".#-##", ". ##-##", ". #-##", ".@#-@#",  ". @#-@#", "^##-##", "^#-##",
    "^@#-@#",    ".##x##", ".#x##", ". ##x##", ". #x##", ".@#:@#",  ". @#:@#", "^##x##", "^#x##",
    "^@#:@#",    ". ##-#", ". #-#", ". ##x#",  ".@#x@#", ". @#x@#", "^@#x@#",  NULL};
static const char *const fen_signs[] = {"^W:W", "^W:B", "^B:W", "^B:B", NULL};

static const ply_format formats[] = {
    {.id = "pdn",
     .name = "Portable Draughts Notation 3.0",
     .extension = "pdn",
     .signs = pdn_signs,
     .read = checkers_pdn_read,
     .write = checkers_pdn_write,
     .skip = ply_record_skip_tagged,
     .scores = PLY_SCORES_EVAL},
    {.id = "fen",
     .name = "Positions, one per line",
     .extension = "fen",
     .signs = fen_signs,
     .read = checkers_fen_read,
     .write = checkers_fen_write,
     .skip = ply_record_skip_line},
};

PLY_ISA_DECLARE(const ply_retrograde, checkers_retrograde_of);

static const ply_retrograde *retrograde(const ply_rules *rules)
{
    (void)rules;
    int level = ply_isa_level_for_pext();
    return PLY_ISA_AT(checkers_retrograde_of, level);
}

static ply_status setup(ply_rules *rules, ply_error *error)
{
    (void)error;
    rules->position_bytes = sizeof(checkers_position);
    rules->undo_bytes = sizeof(checkers_undo_info);
    rules->max_moves = CHECKERS_MAX_MOVES;
    if (rules->option[CHECKERS_OPTION_KING] == CHECKERS_KING_SHORT)
        rules->max_predecessors = CHECKERS_MAX_PREDECESSORS;
    rules->symmetries = 2;
    rules->actions = CHECKERS_ACTIONS;
    rules->planes = CHECKERS_PLANES;
    rules->plane_height = rules->plane_width = CHECKERS_SIDE;
    return PLY_OK;
}

static const ply_counting_hooks counting = {
    .modes = perft_modes,
    .fast_depth = 8,
    .perft = checkers_perft,
    .multiplicity = checkers_multiplicity,
    .playout = checkers_playout,
};

static const ply_search_hooks search = {
    .node_outcome = checkers_node_outcome,
    .fresh_outcome = checkers_fresh_outcome,
    .evaluate = checkers_evaluate,
    .score_moves = checkers_score_moves,
    .is_noisy = checkers_is_noisy,
    .noisy_moves = checkers_noisy_moves,
    .traits = PLY_TRAIT_LATE_MOVE_REDUCTIONS | PLY_TRAIT_NOISY_FORCED | PLY_TRAIT_FUTILITY,
    .levels = checkers_player_levels,
    .parameters = CHECKERS_MARGINS,
};

static const ply_network_hooks network = {
    .feature_set = "checkers-120",
    .max_active = 2 * CHECKERS_PIECES,
    .family = checkers_network_family,
    .feature_count = checkers_feature_count,
    .features = checkers_features,
    .changes = checkers_feature_changes,
    .phase = checkers_phase,
};

static const ply_tuning_hooks tuning = {
    .weight_count = CHECKERS_WEIGHTS,
    .max_terms = CHECKERS_MAX_TERMS,
    .weights = checkers_weights,
    .weight_names = checkers_weight_names,
    .terms = checkers_terms,
};

static const ply_indexing_hooks indexing = {
    .image = checkers_image,
    .canonical = checkers_canonical,
    .class_count = checkers_class_count,
    .class_size = checkers_class_size,
    .class_name = checkers_class_name,
    .rank = checkers_rank,
    .unrank = checkers_unrank,
    .predecessors = checkers_predecessors,
    .retrograde = retrograde,
};

static const ply_opening_hooks openings = {
    .count = checkers_opening_count,
    .get = checkers_opening,
};

static void display_move(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                         ply_text *out)
{
    (void)last;
    checkers_format_move(rules, position, move, out);
}

static const ply_notation notations[] = {
    {.id = "rules", .name = "As the rules have it", .language = "en", .move = display_move},
    {.id = "numbers", .name = "Numbers", .language = "en", .move = checkers_display_numbers},
    {.id = "letters", .name = "Letters", .language = "en", .move = checkers_display_letters},
};

static const ply_display_hooks display = {
    .draw = checkers_draw,
    .svg = checkers_svg,
    .json = checkers_json,
    .notes = checkers_notes,
    .player_name = checkers_player_name,
    .notations = notations,
    .notation_count = sizeof notations / sizeof notations[0],
    .layout = checkers_layout,
};

const ply_game checkers_game = {
    .id = "checkers",
    .name = "Checkers",
    .summary = "Draughts on 8x8 squares: English and seven other rule sets",
    .player_names = {"Black", "White"},
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .formats = formats,
    .format_count = sizeof formats / sizeof formats[0],
    .setup = setup,
    .start = checkers_start,
    .parse = checkers_parse,
    .format = checkers_format,
    .moves = checkers_moves,
    .count = checkers_count,
    .nth = checkers_nth,
    .play = checkers_play,
    .undo = checkers_undo,
    .side = checkers_side,
    .outcome = checkers_outcome,
    .hash = checkers_hash,
    .compute_hash = checkers_compute_hash,
    .format_move = checkers_format_move,
    .parse_move = checkers_parse_move,
    .counting = &counting,
    .search = &search,
    .network = &network,
    .tuning = &tuning,
    .indexing = &indexing,
    .openings = &openings,
    .learning = &checkers_learning_hooks,
    .display = &display,
};
