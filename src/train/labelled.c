/* SPDX-License-Identifier: MIT */
/* labelled.c - positions to be labelled, and positions with their labels; see labelled.h. */
#include "train/labelled.h"
#include "core/bytes.h"
#include <errno.h>
#include <plyverse/neighbours.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECORD = 16,      /* bytes */
    UNKNOWN = 255,    /* a label */
    STRAY_MOVES = 2,  /* at most */
    GAME_RECORDS = 64 /* records that count as one game */
};

static ply_status only_neighbours(const ply_game *game, ply_error *error)
{
    return strcmp(game->id, "neighbours") == 0
               ? PLY_OK
               : ply_error_set(error, PLY_UNSUPPORTED, "only positions of neighbours have labels");
}

/* --- positions to be labelled ---------------------------------------------------------------- */
typedef struct position_writer {
    FILE *file;
    unsigned strays;
    uint64_t written;
    ply_rng rng;
    void *stray, *undo; /* a position and room for an undo entry */
} position_writer;

static void write_position(position_writer *w, const ply_rules *rules, const void *position)
{
    neighbours_boards boards = neighbours_position_boards(rules, position);
    unsigned char record[RECORD];
    bool black = boards.side != 0;
    ply_put64(record, black ? neighbours_flip_rows(boards.current) : boards.current);
    ply_put64(record + 8, black ? neighbours_flip_rows(boards.next) : boards.next);
    fwrite(record, 1, RECORD, w->file);
    w->written++;
}

static void write_stray(position_writer *w, const ply_rules *rules, const void *position)
{
    memcpy(w->stray, position, rules->position_bytes);
    unsigned moves = 1 + ply_rng_below(&w->rng, STRAY_MOVES);
    for (unsigned i = 0; i < moves; i++) {
        uint32_t count = (uint32_t)ply_game_count_moves(rules, w->stray);
        if (count == 0)
            break;
        ply_move move = ply_game_nth_move(rules, w->stray, ply_rng_below(&w->rng, count));
        if (rules->game->play(rules, w->stray, move, w->undo) != PLY_OK)
            break;
    }
    write_position(w, rules, w->stray);
}

static ply_status write_with_strays(void *context, const train_position *p, ply_error *error)
{
    (void)error;
    position_writer *w = context;
    if (!w->stray) {
        w->stray = malloc(p->rules->position_bytes);
        w->undo = malloc(p->rules->undo_bytes);
        if (!w->stray || !w->undo)
            return PLY_NO_MEMORY;
    }
    write_position(w, p->rules, p->position);
    for (unsigned i = 0; i < w->strays; i++)
        write_stray(w, p->rules, p->position);
    return PLY_OK;
}

ply_status train_positions_write(train_walk *walk, unsigned strays, const char *path,
                                 ply_error *error)
{
    ply_status status = only_neighbours(walk->game, error);
    if (status != PLY_OK)
        return status;
    position_writer w = {.strays = strays, .rng = ply_rng_make(strays, 1)};
    w.file = fopen(path, "wb");
    if (!w.file)
        return ply_error_set(error, PLY_IO, "%.160s: %s", path, strerror(errno));
    walk->visit = write_with_strays;
    /* cppcheck-suppress autoVariables */
    walk->context = &w;
    status = train_walk_run(walk, error);
    walk->positions = w.written;
    bool failed = ferror(w.file) != 0;
    if ((fclose(w.file) != 0 || failed) && status == PLY_OK)
        status = ply_error_set(error, PLY_IO, "%.160s: cannot be written", path);
    free(w.stray);
    free(w.undo);
    return status;
}

/* --- positions with labels ------------------------------------------------------------------- */
static ply_status visit_record(train_walk *walk, const ply_rules *rules, void *position,
                               const unsigned char *record, int label, ply_error *error)
{
    neighbours_boards boards = {.current = ply_get64(record), .next = ply_get64(record + 8)};
    ply_status status = neighbours_position_make(rules, position, boards);
    if (status == PLY_OK && label > 2)
        status = PLY_BAD_TEXT;
    if (status != PLY_OK)
        return ply_error_set(error, status, "%.160s: not a file of positions, or bad labels",
                             walk->labelled);
    train_position p = {.rules = rules,
                        .position = position,
                        .game = walk->plies / GAME_RECORDS,
                        .half_points = label,
                        .outlook = label / 2.0,
                        .score = ply_game_evaluate(rules, position)};
    walk->games = p.game + 1;
    walk->positions++;
    return walk->visit(walk->context, &p, error);
}

static ply_status visit_records(train_walk *walk, const ply_rules *rules, FILE *records,
                                FILE *labels, ply_error *error)
{
    unsigned char record[RECORD];
    void *position = malloc(rules->position_bytes);
    ply_status status = position ? PLY_OK : PLY_NO_MEMORY;
    while (status == PLY_OK && fread(record, 1, RECORD, records) == RECORD) {
        int label = fgetc(labels);
        if (label == EOF)
            status = ply_error_set(error, PLY_BAD_TEXT, "%.160s: fewer labels than positions",
                                   walk->labelled);
        else if (label != UNKNOWN)
            status = visit_record(walk, rules, position, record, label, error);
        walk->plies++;
    }
    if (status == PLY_OK && fgetc(labels) != EOF)
        status = ply_error_set(error, PLY_BAD_TEXT, "%.160s: more labels than positions",
                               walk->labelled);
    free(position);
    return status;
}

static FILE *open_input(const char *path, ply_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        (void)ply_error_set(error, PLY_IO, "%.160s: %s", path, strerror(errno));
    return file;
}

ply_status train_labelled_run(train_walk *walk, ply_error *error)
{
    ply_rules rules;
    walk->games = walk->plies = walk->positions = 0;
    ply_status status = only_neighbours(walk->game, error);
    if (status == PLY_OK)
        status = ply_rules_make(&rules, walk->game, walk->variant_count ? walk->variants[0] : NULL,
                                error);
    if (status != PLY_OK)
        return status;
    ply_text name = ply_text_growing();
    ply_text_format(&name, "%s.labels", walk->labelled);
    FILE *records = open_input(walk->labelled, error);
    FILE *labels = records ? open_input(ply_text_cstr(&name), error) : NULL;
    status = labels ? visit_records(walk, &rules, records, labels, error) : PLY_IO;
    if (labels)
        fclose(labels);
    if (records)
        fclose(records);
    ply_text_free(&name);
    return status;
}
