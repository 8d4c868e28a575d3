/* SPDX-License-Identifier: MIT */
/* samples.c - writes positions as .npy arrays; see samples.h. */
#include "train/samples.h"
#include "nn/network.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    NPY_HEADER = 128, /* bytes before the data: magic, version, length, and a padded dictionary */
    NPY_PREFIX = 10,
    PATH_BYTES = 512,
    PADDING = 0xFFFF, /* after the last active feature of a row */
};

/* --- arrays ---------------------------------------------------------------------------------- */
typedef enum column {
    OWN,
    ENEMY,
    PHASE,
    SCORE,
    EVAL,
    RESULT,
    OUTLOOK,
    PLY,
    GAME,
    MOVE,
    COLUMNS
} column;

static const struct {
    const char *name, *type; /* type: as NumPy writes it; "<u2" is uint16, little-endian */
    size_t bytes;            /* of an element */
} columns[COLUMNS] = {
    [OWN] = {"own", "<u2", 2},         [ENEMY] = {"enemy", "<u2", 2},
    [PHASE] = {"phase", "|u1", 1},     [SCORE] = {"score", "<i2", 2},
    [EVAL] = {"eval", "<i2", 2},       [RESULT] = {"result", "|u1", 1},
    [OUTLOOK] = {"outlook", "<u2", 2}, [PLY] = {"ply", "<u2", 2},
    [GAME] = {"game", "<u4", 4},       [MOVE] = {"move", "<i2", 2},
};

typedef struct sample_writer {
    const train_samples_options *options;
    const char *folder;
    FILE *files[COLUMNS];
    uint64_t count;
    const ply_network_hooks *hooks; /* of the first position; NULL before it */
    const char *game_id, *family, *feature_set;
    uint32_t features, images; /* images: samples per position */
    uint32_t base;             /* ply_network_base */
    size_t max_active;         /* the length of a row of features */
    uint16_t *row;             /* room for max_active */
    unsigned char *encoded;    /* max_active elements, little-endian */
    void *image;               /* a position */
    size_t image_bytes;
    double lambda; /* of the outlook; 0: there is none */
} sample_writer;

static ply_status open_failed(const char *path, ply_error *error)
{
    return ply_error_set(error, PLY_IO, "%.160s: %s", path, strerror(errno));
}

static FILE *open_in(const sample_writer *w, const char *name, const char *suffix, ply_error *error)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s%s", w->folder, name, suffix);
    FILE *file = fopen(path, "wb");
    if (!file)
        (void)open_failed(path, error);
    return file;
}

/* Writes the header of an array of w->count rows, always of the same length. */
static void write_npy_header(const sample_writer *w, column c)
{
    char shape[64], header[NPY_HEADER + 1];
    bool wide = c == OWN || c == ENEMY;
    if (wide)
        snprintf(shape, sizeof shape, "%" PRIu64 ", %zu", w->count, w->max_active);
    else
        snprintf(shape, sizeof shape, "%" PRIu64 ",", w->count);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(NPY_HEADER - NPY_PREFIX);
    header[9] = 0;
    int length = snprintf(header + NPY_PREFIX, sizeof header - NPY_PREFIX,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          columns[c].type, shape);
    memset(header + NPY_PREFIX + length, ' ', (size_t)(NPY_HEADER - NPY_PREFIX - length));
    header[NPY_HEADER - 1] = '\n';
    fwrite(header, 1, NPY_HEADER, w->files[c]);
}

static void write_number(const sample_writer *w, column c, uint32_t value)
{
    unsigned char bytes[4] = {0};
    for (size_t i = 0; i < columns[c].bytes; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    fwrite(bytes, 1, columns[c].bytes, w->files[c]);
}

/* The array that says which number a feature has for the other player. */
static ply_status write_exchanged(sample_writer *w, const ply_rules *rules, ply_error *error)
{
    sample_writer one = {.folder = w->folder, .count = w->features};
    one.files[PLY] = open_in(w, "exchanged", ".npy", error);
    if (!one.files[PLY])
        return PLY_IO;
    write_npy_header(&one, PLY);
    for (uint32_t i = 0; i < w->features; i++)
        write_number(&one, PLY, w->hooks->exchanged(rules, (uint16_t)i));
    return fclose(one.files[PLY]) == 0 ? PLY_OK : PLY_IO;
}

/* --- a sample -------------------------------------------------------------------------------- */
static ply_status begin_family(sample_writer *w, const train_position *p, ply_error *error)
{
    const ply_network_hooks *hooks = p->rules->network;
    const char *family = hooks->family ? hooks->family(p->rules) : NULL;
    if (!family)
        return ply_error_set(error, PLY_UNSUPPORTED, "there are no networks for these rules");
    if (w->family && strcmp(w->family, family) != 0)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "games of two families, %s and %s: choose variants", w->family,
                             family);
    size_t active = hooks->per_cell ? hooks->per_cell * hooks->cells(p->rules) : hooks->max_active;
    if (w->family && active != w->max_active)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "games on boards of two sizes: choose variants");
    if (w->family)
        return PLY_OK;
    w->family = family;
    w->hooks = hooks;
    w->feature_set = hooks->feature_set;
    w->features = hooks->feature_count(p->rules);
    w->max_active = hooks->per_cell ? hooks->per_cell * hooks->cells(p->rules) : hooks->max_active;
    w->base = ply_network_base(p->rules);
    w->images = w->options->symmetries && p->rules->indexing->image ? p->rules->symmetries : 1;
    w->row = calloc(w->max_active, sizeof *w->row);
    w->encoded = malloc(2 * w->max_active);
    if (!w->row || !w->encoded)
        return PLY_NO_MEMORY;
    for (column c = 0; c < COLUMNS; c++) {
        if (c == (hooks->per_cell ? ENEMY : MOVE) || (c == OUTLOOK && w->lambda == 0))
            continue;
        w->files[c] = open_in(w, columns[c].name, ".npy", error);
        if (!w->files[c])
            return PLY_IO;
        write_npy_header(w, c);
    }
    return hooks->per_cell ? write_exchanged(w, p->rules, error) : PLY_OK;
}

static void write_features(sample_writer *w, const ply_rules *rules, const void *position,
                           int player, column c)
{
    size_t count = w->hooks->features(rules, position, player, w->row);
    for (size_t i = 0; i < w->max_active; i++) {
        unsigned value = i < count ? w->row[i] : PADDING;
        w->encoded[2 * i] = (unsigned char)value;
        w->encoded[2 * i + 1] = (unsigned char)(value >> 8);
    }
    fwrite(w->encoded, 2, w->max_active, w->files[c]);
}

static int32_t own_evaluation(const ply_rules *rules, const void *position)
{
    int32_t value = ply_game_evaluate(rules, position);
    return value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value;
}

/* The cell that the move played fills, or -1. */
static int32_t cell_played(const sample_writer *w, const train_position *p)
{
    uint32_t cell = p->move == PLY_MOVE_NONE ? PLY_NO_CELL : w->hooks->move_cell(p->rules, p->move);
    return cell == PLY_NO_CELL ? -1 : (int32_t)cell;
}

/* image: the position is not that of the game, but an image of it. */
static void write_sample(sample_writer *w, const train_position *p, const void *position,
                         bool image)
{
    const ply_rules *rules = p->rules;
    int side = rules->game->side(rules, position);
    write_features(w, rules, position, side, OWN);
    if (w->files[ENEMY])
        write_features(w, rules, position, !side, ENEMY);
    write_number(w, PHASE, w->hooks->phase(rules, position, w->options->phases));
    write_number(w, SCORE, (uint32_t)p->score);
    write_number(w, EVAL, (uint32_t)own_evaluation(rules, position));
    write_number(w, RESULT, (uint32_t)p->half_points);
    if (w->lambda > 0)
        write_number(w, OUTLOOK, (uint32_t)(p->outlook * UINT16_MAX + 0.5));
    write_number(w, PLY, p->ply < UINT16_MAX ? (uint32_t)p->ply : UINT16_MAX);
    write_number(w, GAME, (uint32_t)p->game);
    if (w->files[MOVE])
        write_number(w, MOVE, (uint32_t)(image ? -1 : cell_played(w, p)));
    w->count++;
}

static ply_status add_sample(void *context, const train_position *p, ply_error *error)
{
    sample_writer *w = context;
    ply_status status = begin_family(w, p, error);
    if (status != PLY_OK)
        return status;
    write_sample(w, p, p->position, false);
    if (w->images > 1 && w->image_bytes < p->rules->position_bytes) {
        free(w->image);
        w->image_bytes = p->rules->position_bytes;
        w->image = malloc(w->image_bytes);
        if (!w->image)
            return PLY_NO_MEMORY;
    }
    for (uint32_t i = 1; i < w->images; i++) {
        p->rules->indexing->image(p->rules, p->position, i, w->image);
        write_sample(w, p, w->image, true);
    }
    return PLY_OK;
}

/* --- the folder ------------------------------------------------------------------------------ */
static ply_status write_meta(const sample_writer *w, uint64_t games, ply_error *error)
{
    FILE *file = open_in(w, "meta", ".txt", error);
    if (!file)
        return PLY_IO;
    fprintf(file, "game %s\nfamily %s\nfeature-set %s\nfeatures %u\nphases %u\n", w->game_id,
            w->family, w->feature_set, w->features, w->options->phases);
    fprintf(file, "samples %" PRIu64 "\ngames %" PRIu64 "\nimages %u\nbase %u\n", w->count, games,
            w->images, w->base);
    if (w->hooks->per_cell)
        fprintf(file, "per-cell %u\n", w->hooks->per_cell);
    if (w->lambda > 0)
        fprintf(file, "lambda %.0f\n", 100 * w->lambda);
    return fclose(file) == 0 ? PLY_OK : PLY_IO;
}

/* Writes the final headers and closes the arrays. */
static ply_status finish_arrays(sample_writer *w, ply_status status)
{
    for (column c = 0; c < COLUMNS; c++) {
        FILE *file = w->files[c];
        if (!file)
            continue;
        rewind(file);
        write_npy_header(w, c);
        bool failed = ferror(file) != 0;
        if ((fclose(file) != 0 || failed) && status == PLY_OK)
            status = PLY_IO;
    }
    return status;
}

ply_status train_samples_write(train_walk *walk, const train_samples_options *options,
                               const char *folder, ply_error *error)
{
    sample_writer w = {
        .options = options, .folder = folder, .game_id = walk->game->id, .lambda = walk->lambda};
    if (strlen(folder) > PATH_BYTES / 2)
        return ply_error_set(error, PLY_LIMIT, "the name of the folder is too long");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return open_failed(folder, error);
    train_walk to_files = *walk;
    to_files.visit = add_sample;
    to_files.context = &w;
    ply_status status = finish_arrays(&w, train_walk_run(&to_files, error));
    walk->games = to_files.games;
    walk->plies = to_files.plies;
    walk->positions = to_files.positions;
    if (status == PLY_OK && w.count == 0)
        status = ply_error_set(error, PLY_BAD_TEXT, "no quiet positions");
    if (status == PLY_OK)
        status = write_meta(&w, walk->games, error);
    free(w.row);
    free(w.encoded);
    free(w.image);
    return status;
}
