/* SPDX-License-Identifier: MIT */
/*
 * player.c - see player.h.
 *
 * A level (level.h) limits depth and nodes, requests several principal variations, and draws one of
 * them: one that is worse by d hundredths of a piece is exp(-d / temperature) times as likely as the
 * best. Such a player prefers good moves, plays a second-best one now and then, and loses a piece
 * only to tactics beyond its horizon, which is how people are weak. The lowest levels also overlook
 * some moves altogether, quiet ones more often than noisy ones. MCTS has no exact scores for its
 * lesser moves, so its levels only limit the number of simulations.
 */
#include "core/options.h"
#include "search/level.h"
#include <math.h>
#include <plyverse/network.h>
#include <plyverse/player.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_MILLIS = 1000,
    MAX_VARIATIONS = 64,
    MIN_VARIATIONS = 2,        /* considered by a careless player, */
    VARIATION_TEMPERATURE = 4, /* and one more for so many hundredths of temperature */
    SCORE_CAP = 3000,          /* scores beyond this are all the same to a limited player */
    NOISY_ATTENTION = 2,       /* noisy moves are overlooked so many times less often */
};

struct ply_player {
    const ply_rules *rules;
    ply_player_spec spec;
    ply_level level;        /* zeros at full strength */
    uint64_t simulations;   /* of MCTS at this level; 0: no limit */
    ply_searcher *searcher; /* NULL for kinds that do not search */
    ply_rng rng;
    ply_move *moves; /* rules->max_moves */
    /* The variations of the last finished iteration, unaffected by a stop during the next. */
    size_t variation_count;
    ply_variation variations[MAX_VARIATIONS];
    ply_search_listener *listener; /* the caller's */
    void *context;
};

/* --- text ------------------------------------------------------------------------------------ */
static const struct kind_name {
    const char *name;
    ply_player_kind kind;
} kind_names[] = {
    {"random", PLY_PLAYER_RANDOM},       {"greedy", PLY_PLAYER_GREEDY},
    {"alphabeta", PLY_PLAYER_ALPHABETA}, {"mcts", PLY_PLAYER_MCTS},
    {"playouts", PLY_PLAYER_PLAYOUTS},   {"engine", PLY_PLAYER_ALPHABETA},
};

enum { KIND_NAMES = sizeof kind_names / sizeof kind_names[0] };

static bool accept_kind(ply_cursor *cursor, ply_player_kind *kind)
{
    for (size_t i = 0; i < KIND_NAMES; i++) {
        ply_cursor ahead = *cursor;
        if (!ply_cursor_accept_word(&ahead, kind_names[i].name))
            continue;
        if (!ply_cursor_done(&ahead) && ply_cursor_peek(&ahead) != ':')
            continue;
        *cursor = ahead;
        *kind = kind_names[i].kind;
        return true;
    }
    return false;
}

/* The keys of a description, in the order in which they are written. */
enum {
    KEY_LEVEL,
    KEY_DEPTH,
    KEY_NODES,
    KEY_TIME,
    KEY_HASH,
    KEY_THREADS,
    KEY_SEED,
    KEY_TEMPERATURE,
    KEY_OVERLOOK,
    KEYS,
};

static const struct spec_key {
    const char *text;
    uint64_t min, max;
} keys[KEYS] = {
    [KEY_LEVEL] = {"level=", 1, PLY_LEVEL_FULL}, [KEY_DEPTH] = {"depth=", 1, 100},
    [KEY_NODES] = {"nodes=", 1, UINT64_MAX},     [KEY_TIME] = {"time=", 1, (uint64_t)1 << 30},
    [KEY_HASH] = {"hash=", 1, 1 << 20},          [KEY_THREADS] = {"threads=", 1, 1024},
    [KEY_SEED] = {"seed=", 0, UINT64_MAX},       [KEY_TEMPERATURE] = {"temperature=", 1, 10000},
    [KEY_OVERLOOK] = {"overlook=", 1, 99},
};

static void set_value(ply_player_spec *spec, int key, uint64_t value)
{
    switch (key) {
    case KEY_LEVEL:
        spec->level = (int)value;
        break;
    case KEY_DEPTH:
        spec->depth = (int)value;
        break;
    case KEY_NODES:
        spec->nodes = value;
        break;
    case KEY_TIME:
        spec->millis = value;
        break;
    case KEY_HASH:
        spec->memory_mb = (size_t)value;
        break;
    case KEY_THREADS:
        spec->threads = (unsigned)value;
        break;
    case KEY_TEMPERATURE:
        spec->temperature = (uint32_t)value;
        break;
    case KEY_OVERLOOK:
        spec->overlook = (uint32_t)value;
        break;
    default:
        spec->seed = value;
        break;
    }
}

/* Parses a path, which ends at a comma or at the end of the text. */
static ply_status parse_path(ply_cursor *cursor, char path[PLY_PLAYER_NETWORK], const char *what)
{
    ply_cursor at_value = *cursor;
    size_t length = 0;
    while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != ',') {
        if (length + 1 == PLY_PLAYER_NETWORK)
            return ply_cursor_fail(&at_value, PLY_BAD_OPTION, "the path has more than %d bytes",
                                   PLY_PLAYER_NETWORK - 1);
        path[length++] = (char)ply_cursor_take(cursor);
    }
    path[length] = '\0';
    return length > 0 ? PLY_OK
                      : ply_cursor_fail(&at_value, PLY_BAD_OPTION, "expected the path of %s", what);
}

/* Parses one key=value. */
static ply_status parse_setting(ply_cursor *cursor, ply_player_spec *spec)
{
    int key = 0;
    if (ply_cursor_accept_word(cursor, "net="))
        return parse_path(cursor, spec->network, "a network, or none");
    if (ply_cursor_accept_word(cursor, "book="))
        return parse_path(cursor, spec->book, "a book");
    while (key < KEYS && !ply_cursor_accept_word(cursor, keys[key].text))
        key++;
    if (key == KEYS)
        return ply_cursor_fail(cursor, PLY_BAD_OPTION,
                               "expected level=, depth=, nodes=, time=, hash=, threads=, seed=, "
                               "temperature=, overlook=, net= or book=");
    ply_cursor at_value = *cursor;
    uint64_t value;
    if (!ply_cursor_number(cursor, keys[key].max, &value) || value < keys[key].min)
        return ply_cursor_fail(&at_value, PLY_BAD_OPTION, "expected a number from %llu to %llu",
                               (unsigned long long)keys[key].min,
                               (unsigned long long)keys[key].max);
    set_value(spec, key, value);
    return PLY_OK;
}

ply_status ply_player_spec_parse(ply_player_spec *spec, const char *text, ply_error *error)
{
    if (!spec || !text)
        return ply_error_set(error, PLY_BAD_ARGUMENT, "no description of a player");
    ply_cursor cursor = ply_cursor_make(text, strlen(text), error);
    *spec = (ply_player_spec){0};
    if (!accept_kind(&cursor, &spec->kind))
        return ply_cursor_fail(&cursor, PLY_BAD_OPTION,
                               "expected alphabeta, mcts, playouts, greedy or random");
    if (ply_cursor_accept(&cursor, ':')) {
        do {
            ply_status status = parse_setting(&cursor, spec);
            if (status != PLY_OK)
                return status;
        } while (ply_cursor_accept(&cursor, ','));
    }
    if (!ply_cursor_done(&cursor))
        return ply_cursor_fail(&cursor, PLY_BAD_OPTION, "expected ',' or the end of the text");
    return PLY_OK;
}

void ply_player_spec_format(const ply_player_spec *spec, ply_text *out)
{
    if (!spec || !out)
        return;
    const uint64_t values[KEYS] = {
        [KEY_LEVEL] = (uint64_t)spec->level,
        [KEY_DEPTH] = (uint64_t)spec->depth,
        [KEY_NODES] = spec->nodes,
        [KEY_TIME] = spec->millis,
        [KEY_HASH] = spec->memory_mb,
        [KEY_THREADS] = spec->threads,
        [KEY_SEED] = spec->seed,
        [KEY_TEMPERATURE] = spec->temperature,
        [KEY_OVERLOOK] = spec->overlook,
    };
    for (size_t i = 0; i < KIND_NAMES; i++)
        if (kind_names[i].kind == spec->kind) {
            ply_text_string(out, kind_names[i].name);
            break;
        }
    char separator = ':';
    for (int key = 0; key < KEYS; key++)
        if (values[key]) {
            ply_text_format(out, "%c%s%llu", separator, keys[key].text,
                            (unsigned long long)values[key]);
            separator = ',';
        }
    if (spec->network[0]) {
        ply_text_format(out, "%cnet=%s", separator, spec->network);
        separator = ',';
    }
    if (spec->book[0])
        ply_text_format(out, "%cbook=%s", separator, spec->book);
}

/* --- creation -------------------------------------------------------------------------------- */
static bool searches(const ply_player_spec *spec)
{
    return spec->kind < PLY_PLAYER_RANDOM;
}

static bool has_limited_strength(const ply_player_spec *spec)
{
    return (spec->level > 0 && spec->level < PLY_LEVEL_FULL) || spec->temperature || spec->overlook;
}

/* Looks up the level; what the description says itself goes first. */
static void set_level(ply_player *player)
{
    const ply_player_spec *spec = &player->spec;
    if (spec->level > 0 && spec->level < PLY_LEVEL_FULL) {
        player->level = *ply_player_level(player->rules, spec->level);
        player->simulations = ply_level_simulations(spec->level);
    }
    if (spec->temperature)
        player->level.temperature = spec->temperature;
    if (spec->overlook)
        player->level.overlook = spec->overlook < 100 ? spec->overlook : 99;
}

ply_player *ply_player_new(const ply_rules *rules, const ply_player_spec *given)
{
    ply_player *player = rules && rules->game ? calloc(1, sizeof *player) : NULL;
    if (!player)
        return NULL;
    player->rules = rules;
    ply_options_copy(&player->spec, sizeof player->spec, given);
    ply_player_spec *spec = &player->spec;
    spec->network[PLY_PLAYER_NETWORK - 1] = '\0';
    spec->book[PLY_PLAYER_NETWORK - 1] = '\0';
    if (spec->level < 0 || spec->level > PLY_LEVEL_FULL)
        spec->level = 0;
    set_level(player);
    if (player->level.depth && !spec->network[0]) /* beginners must not get better with networks */
        snprintf(spec->network, sizeof spec->network, "%s", PLY_NETWORK_NONE);
    player->moves = malloc(rules->max_moves * sizeof *player->moves);
    if (searches(spec)) {
        ply_search_options options = {
            .kind = PLY_SEARCH_ALPHABETA + spec->kind - PLY_PLAYER_ALPHABETA,
            .memory_mb = spec->memory_mb,
            .threads = spec->threads,
            .seed = spec->seed,
            .tablebase_dir = has_limited_strength(spec) ? NULL : spec->tablebase_dir,
            .network = spec->network[0] ? spec->network : NULL,
            .book = spec->book[0] && !has_limited_strength(spec) ? spec->book : NULL};
        player->searcher = ply_searcher_new(rules, &options);
    }
    if (!player->moves || (searches(spec) && !player->searcher)) {
        ply_player_free(player);
        return NULL;
    }
    ply_player_new_game(player, 0);
    return player;
}

void ply_player_free(ply_player *player)
{
    if (!player)
        return;
    ply_searcher_free(player->searcher);
    free(player->moves);
    free(player);
}

void ply_player_new_game(ply_player *player, uint64_t game)
{
    if (!player)
        return;
    player->rng = ply_rng_make(player->spec.seed, game);
    if (player->searcher)
        ply_searcher_new_game(player->searcher, game);
}

void ply_player_stop(ply_player *player)
{
    if (player && player->searcher)
        ply_searcher_stop(player->searcher);
}

/* --- choosing without search ----------------------------------------------------------------- */
static bool must_capture(const ply_state *state)
{
    const ply_rules *rules = state->rules;
    return (rules->search->traits & PLY_TRAIT_NOISY_FORCED) &&
           ply_game_is_noisy(rules, state->position, ply_game_nth_move(rules, state->position, 0));
}

/*
 * The value of a state for `player`: its outcome, or the static evaluation. Where captures are
 * compulsory, an evaluation in the middle of them says nothing: they are played out first, each
 * time the first one listed.
 */
static int32_t value_for(ply_state *state, int player)
{
    ply_outcome outcome = ply_state_outcome(state);
    if (outcome.result == PLY_DRAW)
        return 0;
    if (outcome.result != PLY_ONGOING)
        return (outcome.result == PLY_FIRST_WINS) == (player == 0) ? PLY_SCORE_WIN - 1
                                                                   : 1 - PLY_SCORE_WIN;
    if (must_capture(state) &&
        ply_state_play(state, ply_game_nth_move(state->rules, state->position, 0)) == PLY_OK) {
        int32_t value = value_for(state, player);
        ply_state_undo(state);
        return value;
    }
    int32_t value = ply_game_evaluate(state->rules, state->position);
    return state->rules->game->side(state->rules, state->position) == player ? value : -value;
}

/* Chooses the move after which the state's value is best; ties are broken at random. */
static ply_status choose_greedy(ply_player *player, const ply_state *state, size_t count,
                                ply_player_answer *answer)
{
    const ply_rules *rules = player->rules;
    ply_state copy;
    ply_status status = ply_state_copy(&copy, state);
    if (status != PLY_OK)
        return status;
    int side = rules->game->side(rules, state->position);
    int32_t best = INT32_MIN;
    uint32_t ties = 0;
    for (size_t i = 0; i < count; i++) {
        if ((status = ply_state_play(&copy, player->moves[i])) != PLY_OK)
            break;
        int32_t value = value_for(&copy, side);
        ply_state_undo(&copy);
        if (value > best) {
            best = value;
            ties = 0;
        }
        if (value == best && ply_rng_below(&player->rng, ++ties) == 0)
            answer->pv.moves[0] = player->moves[i];
    }
    ply_state_free(&copy);
    answer->pv.score = best;
    answer->pv.length = 1;
    answer->has_score = true;
    answer->depth = 1;
    answer->nodes = count;
    return status;
}

/* --- choosing by search ---------------------------------------------------------------------- */
static void keep_iteration(void *context, const ply_search_report *report)
{
    ply_player *player = context;
    player->variation_count = report->pv_count < MAX_VARIATIONS ? report->pv_count : MAX_VARIATIONS;
    memcpy(player->variations, report->pv, player->variation_count * sizeof *player->variations);
    if (player->listener)
        player->listener(player->context, report);
}

/* The stricter of two limits, of which 0 means none. */
static uint64_t stricter(uint64_t limit, uint64_t other)
{
    return limit == 0 || (other > 0 && other < limit) ? other : limit;
}

/* A careless player must know what there is to choose from. */
static unsigned variations_considered(const ply_level *level)
{
    unsigned count = MIN_VARIATIONS + level->temperature / VARIATION_TEMPERATURE;
    if (level->temperature == 0)
        return 1;
    return count < MAX_VARIATIONS ? count : MAX_VARIATIONS;
}

static void set_limits(const ply_player *player, const ply_search_limits *given,
                       ply_search_limits *limits)
{
    const ply_player_spec *spec = &player->spec;
    ply_options_copy(limits, sizeof *limits, given);
    limits->multipv = 0;
    limits->ponder = false;
    /* The player's own limits replace the caller's. */
    if (spec->depth || spec->nodes || spec->millis) {
        limits->has_clock = false;
        limits->depth = spec->depth;
        limits->nodes = spec->nodes;
        limits->millis = spec->millis;
    }
    if (spec->kind != PLY_PLAYER_ALPHABETA) {
        limits->nodes = stricter(limits->nodes, player->simulations);
    } else {
        const ply_level *level = &player->level;
        limits->nodes = stricter(limits->nodes, level->nodes);
        limits->depth = (int)stricter((uint64_t)limits->depth, (uint64_t)level->depth);
        limits->multipv = variations_considered(level);
    }
    if (!limits->depth && !limits->nodes && !limits->millis && !limits->has_clock)
        limits->millis = DEFAULT_MILLIS;
}

/*
 * Removes moves at random from player->moves and returns how many are left, at least one. The eye
 * is drawn to captures and the like.
 */
static size_t overlook_moves(ply_player *player, const ply_state *state, size_t count)
{
    const ply_rules *rules = player->rules;
    uint32_t quiet = player->level.overlook, noisy = quiet / NOISY_ATTENTION;
    uint32_t spared = ply_rng_below(&player->rng, (uint32_t)count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        ply_move move = player->moves[i];
        uint32_t percent = ply_game_is_noisy(rules, state->position, move) ? noisy : quiet;
        if (ply_rng_below(&player->rng, 100) >= percent || i == spared)
            player->moves[kept++] = move;
    }
    return kept;
}

static double capped_score(int32_t score)
{
    return score > SCORE_CAP ? SCORE_CAP : score < -SCORE_CAP ? -SCORE_CAP : score;
}

/* Draws one of the kept variations, better ones with higher probability. A forced win is taken. */
static const ply_variation *draw_variation(ply_player *player)
{
    const ply_variation *variations = player->variations, *best = variations;
    size_t count = player->variation_count;
    double weights[MAX_VARIATIONS], sum = 0;
    for (size_t i = 1; i < count; i++)
        if (variations[i].score > best->score)
            best = &variations[i];
    if (best->score > PLY_SCORE_FORCED)
        return best;
    for (size_t i = 0; i < count; i++) {
        double loss = capped_score(variations[i].score) - capped_score(best->score);
        sum += weights[i] = exp(loss / player->level.temperature);
    }
    double at = (double)(ply_rng_next(&player->rng) >> 11) * 0x1p-53 * sum;
    for (size_t i = 0; i < count; i++)
        if ((at -= weights[i]) < 0)
            return &variations[i];
    return best;
}

static ply_status choose_by_search(ply_player *player, const ply_state *state,
                                   const ply_search_limits *given, size_t count,
                                   ply_player_answer *answer)
{
    const ply_player_spec *spec = &player->spec;
    ply_search_limits limits;
    set_limits(player, given, &limits);
    if (player->level.overlook && !limits.only) {
        limits.only_count = overlook_moves(player, state, count);
        limits.only = player->moves;
    }
    player->variation_count = 0;
    ply_search_report report;
    ply_status status =
        ply_searcher_run(player->searcher, state, &limits, keep_iteration, player, &report);
    if (status != PLY_OK)
        return status;
    answer->pv = report.pv[0];
    if (player->level.temperature && spec->kind == PLY_PLAYER_ALPHABETA &&
        player->variation_count > 0)
        answer->pv = *draw_variation(player);
    answer->has_score = true;
    answer->depth = report.depth;
    answer->nodes = report.nodes;
    answer->seconds = report.seconds;
    return PLY_OK;
}

ply_status ply_player_choose(ply_player *player, const ply_state *state,
                             const ply_search_limits *limits, ply_search_listener *listener,
                             void *context, ply_player_answer *answer)
{
    if (!player || !state || !state->position || !answer)
        return PLY_BAD_ARGUMENT;
    const ply_rules *rules = player->rules;
    memset(answer, 0, sizeof *answer);
    player->listener = listener;
    player->context = context;
    size_t count = rules->game->moves(rules, state->position, player->moves);
    if (count == 0) /* a game that goes on has moves: they could not be listed */
        return ply_state_outcome(state).result == PLY_ONGOING ? PLY_NO_MEMORY : PLY_UNSUPPORTED;
    if (searches(&player->spec))
        return choose_by_search(player, state, limits, count, answer);
    if (player->spec.kind == PLY_PLAYER_GREEDY)
        return choose_greedy(player, state, count, answer);
    answer->pv.moves[0] = player->moves[ply_rng_below(&player->rng, (uint32_t)count)];
    answer->pv.length = 1;
    return PLY_OK;
}
