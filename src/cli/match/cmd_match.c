/* SPDX-License-Identifier: MIT */
/* cmd_match.c - plyverse match: a match between two engines. */
#include "cli/match/match_print.h"
#include "cluster/cluster.h"
#include "core/clock.h"
#include "core/file.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEFAULT_GAMES = 100,
    GAMES_LIMIT = 10000000,
    CONCURRENCY_LIMIT = 256,
    DEFAULT_MARGIN = 50,      /* milliseconds */
    DEFAULT_PATIENCE = 60000, /* milliseconds */
    DEFAULT_OPENING_PLIES = 4,
    DEFAULT_BALANCE_NODES = 20000,
    TIME_LIMIT = 1 << 30, /* milliseconds */
};
#define TERMINAL_STEP UINT64_C(100000000) /* nanoseconds between two standings on a terminal */
#define PLAIN_STEP UINT64_C(10000000000)  /* the same elsewhere */
static const double default_sprt_risk = 0.05;
static const double real_limit = 1e6;

typedef struct match_run {
    const cli_args *args;
    ply_rules rules;
    match_options options;
    match_sprt sprt;
    match_openings openings;
    match_results results;
    match_journal *journal;
    match_view view;
    const ply_format *format; /* of the records; NULL: none are saved */
    ply_text tables[2];       /* tablebase folders; "" for none */
    FILE *log, *records;
    bool terminal, quiet;
    bool shows_standings; /* they are on the terminal now */
    bool journal_failed, records_failed;
    uint64_t start, last_shown; /* nanoseconds */
} match_run;

static atomic_bool stopped; /* set by ctrl-C */

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&stopped, true);
}

/* --- arguments ------------------------------------------------------------------------------- */
/* Parses `least` to `most` numbers separated by commas. */
static bool parse_reals(const cli_args *args, const char *option, int least, int most,
                        double *values)
{
    const char *text = cli_value(args, option);
    int count = 0;
    for (const char *at = text; count < most; count++) {
        char *end;
        values[count] = strtod(at, &end);
        if (end == at || (*end && *end != ',') ||
            !(values[count] >= -real_limit && values[count] <= real_limit))
            break;
        if (!*end) {
            if (count + 1 >= least)
                return true;
            break;
        }
        at = end + 1;
    }
    cli_fail(args, "%s: '%s' is malformed; see plyverse match --help", option, text);
    return false;
}

static bool read_clock(match_run *s, match_limits *limits)
{
    const cli_args *args = s->args;
    const char *clock = cli_value(args, "--clock");
    if (!cli_number(args, "--byoyomi", 1, TIME_LIMIT, 0, &limits->byoyomi))
        return false;
    limits->has_clock = clock || limits->byoyomi;
    if (!clock)
        return true;
    ply_cursor cursor = ply_cursor_make(clock, strlen(clock), NULL);
    bool good = ply_cursor_number(&cursor, TIME_LIMIT, &limits->clock);
    if (good && ply_cursor_accept(&cursor, '+'))
        good = ply_cursor_number(&cursor, TIME_LIMIT, &limits->increment);
    if (good && ply_cursor_done(&cursor) && limits->clock + limits->increment > 0)
        return true;
    cli_fail(args, "--clock: '%s' is not MS or MS+INC", clock);
    return false;
}

static bool read_limits(match_run *s)
{
    const cli_args *args = s->args;
    match_limits limits = {0};
    uint64_t depth;
    if (!cli_number(args, "--time", 1, TIME_LIMIT, 0, &limits.millis) ||
        !cli_number(args, "--depth", 1, 100, 0, &depth) ||
        !cli_number(args, "--nodes", 1, UINT64_MAX, 0, &limits.nodes) || !read_clock(s, &limits))
        return false;
    limits.depth = (int)depth;
    if (limits.has_clock && limits.millis) {
        cli_fail(args, "--time cannot be used together with --clock or --byoyomi");
        return false;
    }
    for (int i = 0; i < 2; i++)
        s->options.limits[i] = ply_match_engine_limits(s->options.engines[i], &limits);
    return true;
}

static bool read_adjudication(match_run *s)
{
    const cli_args *args = s->args;
    match_adjudication *a = &s->options.adjudication;
    uint64_t max_plies;
    double v[4];
    if (!cli_number(args, "--max-plies", 1, UINT32_MAX, 0, &max_plies))
        return false;
    a->max_plies = (uint32_t)max_plies;
    if (cli_has(args, "--resign")) {
        if (!parse_reals(args, "--resign", 2, 2, v))
            return false;
        a->resign_moves = v[0] >= 1 ? (uint32_t)v[0] : 1;
        a->resign_score = (int32_t)v[1];
    }
    if (cli_has(args, "--draw")) {
        if (!parse_reals(args, "--draw", 3, 3, v))
            return false;
        a->draw_from = v[0] >= 0 ? (uint32_t)v[0] : 0;
        a->draw_moves = v[1] >= 1 ? (uint32_t)v[1] : 1;
        a->draw_score = (int32_t)v[2];
    }
    if (cli_has(args, "--sprt")) {
        v[2] = v[3] = default_sprt_risk;
        if (!parse_reals(args, "--sprt", 2, 4, v))
            return false;
        s->sprt = (match_sprt){v[0], v[1], v[2], v[3]};
        if (v[0] >= v[1] || v[2] <= 0 || v[2] >= 0.5 || v[3] <= 0 || v[3] >= 0.5) {
            cli_fail(args, "--sprt: ELO0 must be below ELO1, and A and B between 0 and 0.5");
            return false;
        }
        s->options.sprt = s->view.sprt = &s->sprt;
    }
    return true;
}

static bool read_move_time(const cli_args *args, const char *option, match_move_time *move_time)
{
    const char *text = cli_value(args, option);
    *move_time = !text                           ? MATCH_MOVE_TIME_AUTO
                 : strcmp(text, "movetime") == 0 ? MATCH_MOVE_TIME_MOVETIME
                                                 : MATCH_MOVE_TIME_BYOYOMI;
    if (!text || *move_time == MATCH_MOVE_TIME_MOVETIME || strcmp(text, "byoyomi") == 0)
        return true;
    cli_fail(args, "%s: '%s' is neither movetime nor byoyomi", option, text);
    return false;
}

static bool read_engines(match_run *s)
{
    static const char *const names[2][4] = {
        {"--first", "--first-set", "--first-name", "--first-go"},
        {"--second", "--second-set", "--second-name", "--second-go"}};
    for (int i = 0; i < 2; i++) {
        const char *spec = cli_value(s->args, names[i][0]);
        ply_error error = {0};
        if (!spec) {
            cli_fail(s->args, "%s ENGINE is required", names[i][0]);
            return false;
        }
        if (ply_match_engine_check(&s->rules, spec, &error) != PLY_OK) {
            cli_fail_error(s->args, names[i][0], &error);
            return false;
        }
        s->options.engines[i] = spec;
        s->options.settings[i] = cli_value(s->args, names[i][1]);
        const char *name = cli_value(s->args, names[i][2]);
        s->view.names[i] = name ? name : spec;
        if (!read_move_time(s->args, names[i][3], &s->options.move_time[i]))
            return false;
    }
    s->options.cpu_time = cli_has(s->args, "--cpu-time");
    return true;
}

/* Finds the tablebases of built-in engines. */
static bool read_tables(match_run *s)
{
    static const char *const names[2] = {"--first-tables", "--second-tables"};
    for (int i = 0; i < 2; i++) {
        bool given = cli_has(s->args, names[i]);
        if (!ply_match_engine_is_builtin(s->options.engines[i])) {
            if (!given)
                continue;
            cli_fail(s->args, "%s: only built-in engines use tablebases", names[i]);
            return false;
        }
        if (!cli_tables_find_as(s->args, given ? names[i] : "--tables", &s->rules, &s->tables[i]))
            return false;
        if (s->tables[i].length > 0)
            s->options.tables[i] = ply_text_cstr(&s->tables[i]);
    }
    return true;
}

static bool read_arguments(match_run *s)
{
    const cli_args *args = s->args;
    uint64_t concurrency;
    ply_error error = {0};
    const ply_game *game = cli_find_game(args);
    if (!game)
        return false;
    if (ply_rules_make(&s->rules, game, cli_value(args, "--variant"), &error) != PLY_OK) {
        cli_fail_error(args, "--variant", &error);
        return false;
    }
    s->options.rules = s->view.rules = &s->rules;
    if (cli_has(args, "--resume") && !cli_has(args, "--journal")) {
        cli_fail(args, "--resume requires --journal FILE");
        return false;
    }
    if (!read_engines(s) || !read_tables(s) ||
        !cli_number(args, "--games", 1, GAMES_LIMIT, DEFAULT_GAMES, &s->options.games) ||
        !cli_number(args, "--seed", 0, UINT64_MAX, 1, &s->options.seed) ||
        !cli_number(args, "--concurrency", 1, CONCURRENCY_LIMIT, 1, &concurrency) ||
        !cli_number(args, "--margin", 0, TIME_LIMIT, DEFAULT_MARGIN, &s->options.margin) ||
        !cli_number(args, "--patience", 1, TIME_LIMIT, DEFAULT_PATIENCE, &s->options.timeout) ||
        !read_limits(s) || !read_adjudication(s))
        return false;
    s->options.concurrency =
        (unsigned)(concurrency < s->options.games ? concurrency : s->options.games);
    s->view.games = s->options.games;
    return true;
}

/* --- openings -------------------------------------------------------------------------------- */
static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

static bool load_openings_file(match_run *s, const char *path, uint64_t plies)
{
    ply_error error = {0};
    if (has_suffix(path, ".txt")) {
        ply_text text = ply_text_growing();
        bool good = cli_read_file(s->args, path, &text);
        if (good && ply_match_openings_parse(&s->openings, &s->rules, ply_text_cstr(&text),
                                             text.length, &error) != PLY_OK) {
            cli_fail_error(s->args, path, &error);
            good = false;
        }
        ply_text_free(&text);
        return good;
    }
    ply_record *records = NULL;
    size_t count = 0;
    if (cli_read_records(s->args, &s->rules, path, NULL, &records, &count) != CLI_OK)
        return false;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = ply_match_openings_add_record(&s->openings, &records[i], (size_t)plies);
    cli_free_records(records, count);
    if (status != PLY_OK)
        cli_fail(s->args, "%s: %s", path, ply_status_text(status));
    return status == PLY_OK;
}

/* Reads --balance, which random openings may have. */
static bool read_balance(match_run *s, ply_text *header)
{
    const cli_args *args = s->args;
    double v[2] = {0, DEFAULT_BALANCE_NODES};
    if (!cli_has(args, "--balance"))
        return true;
    if (s->openings.count > 0) {
        cli_fail(args, "--balance is for random openings: add --openings random");
        return false;
    }
    if (!parse_reals(args, "--balance", 1, 2, v))
        return false;
    if (v[0] < 0 || v[1] < 1) {
        cli_fail(args, "--balance: the score must not be negative, and the nodes at least 1");
        return false;
    }
    s->openings.balance = (int32_t)v[0];
    s->openings.balance_nodes = (uint64_t)v[1];
    ply_text_format(header, "balance %" PRId32 " %" PRIu64 "\n", s->openings.balance,
                    s->openings.balance_nodes);
    return true;
}

/* Loads the openings, and adds a line about them to the journal's header. */
static bool load_openings(match_run *s, ply_text *header)
{
    const cli_args *args = s->args;
    const char *what = cli_value(args, "--openings");
    uint64_t plies, seed = s->options.seed;
    if (!cli_number(args, "--opening-plies", 0, 1000, UINT64_MAX, &plies))
        return false;
    bool given = plies != UINT64_MAX;
    ply_error error = {0};
    size_t pairs = (size_t)(s->options.games + 1) / 2;
    s->openings.seed = seed;
    if (!what || strcmp(what, "builtin") == 0) {
        ply_status status = ply_match_openings_builtin(&s->openings, &s->rules, seed, pairs);
        if (status == PLY_OK) {
            ply_text_format(header, "openings builtin %" PRIu64 "\n", seed);
        } else if (what || status != PLY_UNSUPPORTED) {
            cli_fail(args, "--openings builtin: %s has none for these rules", s->rules.game->id);
            return false;
        }
    } else if (strcmp(what, "random") != 0) {
        if (!load_openings_file(s, what, given ? plies : 0))
            return false;
        if (cli_has(args, "--shuffle"))
            ply_match_openings_shuffle(&s->openings, seed);
        ply_text_format(header, "openings file %016" PRIx64 "\n",
                        ply_match_openings_hash(&s->openings));
    }
    if (s->openings.count == 0) {
        s->openings.random_plies = given ? (size_t)plies : DEFAULT_OPENING_PLIES;
        ply_text_format(header, "openings random %zu %" PRIu64 "\n", s->openings.random_plies,
                        seed);
    }
    s->options.openings = &s->openings;
    if (!read_balance(s, header))
        return false;
    if (ply_match_openings_check(&s->openings, &s->rules, &error) == PLY_OK)
        return true;
    cli_fail_error(args, "--openings", &error);
    return false;
}

/* --- files ----------------------------------------------------------------------------------- */
/* The header of the journal: all that runs of one match share. The number of games may grow. */
static void format_header(const match_run *s, ply_text *header)
{
    const match_adjudication *a = &s->options.adjudication;
    ply_text_format(header, "game %s\nvariant ", s->rules.game->id);
    ply_rules_format(&s->rules, header);
    ply_text_format(header, "\nseed %" PRIu64 "\n", s->options.seed);
    for (int i = 0; i < 2; i++) {
        const match_limits *l = &s->options.limits[i];
        ply_text_format(header, "engine %s\nsettings %s\n", s->options.engines[i],
                        s->options.settings[i] ? s->options.settings[i] : "");
        ply_text_format(header,
                        "limits %" PRIu64 " %" PRIu64 " %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                        l->millis, l->nodes, l->depth, l->clock, l->increment, l->byoyomi);
        if (s->options.tables[i])
            ply_text_format(header, "tables %s\n", s->options.tables[i]);
    }
    if (s->options.cpu_time)
        ply_text_string(header, "cpu-time\n");
    for (int i = 0; i < 2; i++)
        if (s->options.move_time[i] != MATCH_MOVE_TIME_AUTO)
            ply_text_format(header, "go %d %d\n", i, (int)s->options.move_time[i]);
    ply_text_format(header, "adjudication %u %d %u %u %d %u\n", a->resign_moves, a->resign_score,
                    a->draw_moves, a->draw_from, a->draw_score, a->max_plies);
}

static bool open_journal(match_run *s, const char *header)
{
    const char *path = cli_value(s->args, "--journal");
    ply_error error = {0};
    if (!path || cluster_rank() != 0)
        return true;
    s->journal = ply_match_journal_open(path, header, cli_has(s->args, "--resume"), &s->rules,
                                        &s->results, &error);
    if (!s->journal)
        cli_fail_error(s->args, path, &error);
    return s->journal != NULL;
}

static bool open_files(match_run *s)
{
    const char *save = cli_value(s->args, "--save"), *log = cli_value(s->args, "--log");
    if (log) {
        ply_text name = ply_text_growing(); /* the other ranks have logs of their own */
        ply_text_string(&name, log);
        if (cluster_rank() != 0)
            ply_text_format(&name, ".%u", cluster_rank());
        s->log = fopen(ply_text_cstr(&name), "w");
        ply_text_free(&name);
        if (!s->log) {
            cli_fail(s->args, "%s: %s", log, strerror(errno));
            return false;
        }
    }
    if (!save || cluster_rank() != 0)
        return true;
    s->format = cli_save_format(s->rules.game, save);
    if (!(s->records = fopen(save, "w")))
        cli_fail(s->args, "%s: %s", save, strerror(errno));
    return s->records != NULL;
}

static bool write_record(const match_run *s, const match_game *game, FILE *file)
{
    ply_record record;
    ply_text text = ply_text_growing();
    ply_error error = {0};
    ply_status status = ply_match_game_record(game, &s->rules, s->view.names, &record);
    if (status == PLY_OK)
        status = s->format->write(&record, &text, &error);
    ply_record_free(&record);
    bool good = status == PLY_OK && !text.failed &&
                fwrite(text.data, 1, text.length, file) == text.length && fflush(file) == 0;
    ply_text_free(&text);
    return good;
}

/* Rewrites the file of records in the order of the games, including those of an earlier run. */
static bool rewrite_records(match_run *s)
{
    const char *path = cli_value(s->args, "--save");
    if (!path || cluster_rank() != 0)
        return true;
    bool good = !s->records || fclose(s->records) == 0;
    s->records = NULL;
    if (good && ply_file_is_special(path))
        return true; /* a pipe or the like: what was written stays written */
    ply_file_replacement file;
    good = ply_file_replace_begin(&file, path) && good;
    if (file.stream) {
        for (uint64_t i = 0; i < s->results.capacity && good; i++)
            if (s->results.games[i])
                good = write_record(s, s->results.games[i], file.stream);
        if (good)
            good = ply_file_replace_commit(&file, false);
        else
            ply_file_replace_abort(&file);
    }
    if (!good)
        cli_fail(s->args, "%s: cannot write the records: %s", path, strerror(errno));
    return good;
}

/* --- while it runs --------------------------------------------------------------------------- */
static void clear_standings(const match_run *s)
{
    if (s->terminal && s->shows_standings)
        fprintf(stderr, "\033[%dA\033[J", MATCH_STANDINGS_LINES);
}

static void show_standings(match_run *s, const match_results *results)
{
    uint64_t nanos = ply_clock_nanos(), step = s->terminal ? TERMINAL_STEP : PLAIN_STEP;
    if (s->quiet || nanos - s->last_shown < step)
        return;
    s->last_shown = nanos;
    s->view.seconds = ply_clock_seconds_since(s->start);
    ply_text out = ply_text_growing();
    match_print_standings(&s->view, results, &out);
    clear_standings(s);
    fputs(ply_text_cstr(&out), stderr);
    s->shows_standings = true;
    ply_text_free(&out);
}

static void on_game(void *context, const match_game *game, const match_results *results)
{
    match_run *s = context;
    if (s->journal && ply_match_journal_add(s->journal, game) != PLY_OK) {
        s->journal_failed = true;
        atomic_store(&stopped, true);
    }
    if (s->records && !write_record(s, game, s->records)) {
        s->records_failed = true;
        atomic_store(&stopped, true);
    }
    show_standings(s, results);
}

static void on_traffic(void *context, const char *who, bool sent, const char *line)
{
    match_run *s = context;
    flockfile(s->log);
    fprintf(s->log, "%.3f %s %s %s\n", ply_clock_seconds_since(s->start), who, sent ? "<" : ">",
            line);
    funlockfile(s->log);
}

/* --- the command ----------------------------------------------------------------------------- */
static int finish(match_run *s, ply_status status, const ply_error *error)
{
    clear_standings(s);
    if (s->journal_failed)
        return cli_fail(s->args, "%s: cannot write the journal", cli_value(s->args, "--journal"));
    if (s->records_failed)
        return cli_fail(s->args, "%s: cannot write the records", cli_value(s->args, "--save"));
    if (status != PLY_OK && status != PLY_STOPPED)
        return cli_fail(s->args, "%s",
                        error->message[0] ? error->message : ply_status_text(status));
    if (!rewrite_records(s))
        return CLI_BAD;
    ply_text out = ply_text_growing();
    if (cli_has(s->args, "--json"))
        match_print_json(&s->view, &s->results, &out);
    else
        match_print_plain(&s->view, &s->results, &out);
    cli_print_text(&out);
    if (status == PLY_STOPPED) {
        cli_fail(s->args, "stopped");
        return CLI_STOPPED;
    }
    uint64_t pairs;
    return s->options.sprt && ply_match_sprt_decide(&s->sprt, &s->results, &pairs) == MATCH_H0
               ? CLI_NO
               : CLI_OK;
}

/* Plays the games, with the other ranks if there are any. They know nothing of earlier games. */
static ply_status play(match_run *s, ply_error *error)
{
    cluster_match *shared = NULL;
    if (cluster_ranks() > 1) {
        shared = cluster_match_open(&s->rules, &s->results);
        if (!shared)
            return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        s->options.share = cluster_match_share(shared);
        if (cluster_rank() != 0)
            s->options.sprt = NULL;
    }
    ply_status status = ply_match_run(&s->options, &s->results, error);
    cluster_match_close(shared);
    return cluster_agree(status, error);
}

static int run_match(match_run *s)
{
    ply_text header = ply_text_growing();
    format_header(s, &header);
    bool ready = load_openings(s, &header) && !header.failed &&
                 ply_match_results_init(&s->results, s->options.games) == PLY_OK &&
                 open_journal(s, ply_text_cstr(&header)) && open_files(s);
    ply_text_free(&header);
    if (!cli_all_ready(s->args, ready))
        return CLI_BAD;
    s->view.before = ply_match_results_summarize(&s->results, s->results.capacity).games;
    s->options.listener = on_game;
    s->options.traffic = s->log ? on_traffic : NULL;
    s->options.context = s;
    s->options.stop = &stopped;
    struct sigaction action = {.sa_handler = on_interrupt}, old[2];
    sigaction(SIGINT, &action, &old[0]);
    sigaction(SIGTERM, &action, &old[1]);
    s->start = s->last_shown = ply_clock_nanos();
    ply_error error = {0};
    ply_status status = play(s, &error);
    sigaction(SIGINT, &old[0], NULL);
    sigaction(SIGTERM, &old[1], NULL);
    return finish(s, status, &error);
}

int cli_match(const cli_args *args)
{
    match_run *s = calloc(1, sizeof *s);
    if (!s)
        return cli_fail(args, "out of memory");
    s->args = args;
    s->tables[0] = s->tables[1] = ply_text_growing();
    s->terminal = isatty(STDERR_FILENO);
    s->quiet = !cli_shows_progress(args);
    int result = read_arguments(s) ? run_match(s) : CLI_BAD;
    ply_match_journal_close(s->journal);
    ply_match_results_free(&s->results);
    ply_match_openings_free(&s->openings);
    for (int i = 0; i < 2; i++)
        ply_text_free(&s->tables[i]);
    if (s->records)
        fclose(s->records);
    if (s->log)
        fclose(s->log);
    free(s);
    return result;
}
