/* SPDX-License-Identifier: MIT */
/*
 * recheck.c - checks samples of a report of `plyverse tables solve` on the host, by search.
 *
 *     neighbours_recheck REPORT AvB [DIR [NODES [EACH]]]
 *
 * The sampled positions of class AvB that the report says are won or lost are searched forwards: a
 * win is proved if some move of the winner answers every move of the loser, until the game ends or
 * the position is in a tablebase file of DIR, which was made on the host. Nothing of the report but
 * the value to prove is used. Each search visits at most NODES positions (default 200000). Of the 128
 * positions of each sample, EACH are tried (default: all), at even distances.
 *
 * Prints how many values were proved, by value and by the plies the proof took, and how many searches
 * ended without a proof, which says nothing. Drawn positions are searched for a win of either side: to
 * find one contradicts the report. The exit status is 1 if a value is contradicted or none is proved.
 */
#include "core/clock.h"
#include "games/neighbours/rules/play.h"
#include "games/neighbours/tablebase/rederive.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BITS = 20, MAX_DEPTH = 40 };

/* What is known of a position for the attacker. */
typedef struct entry {
    uint64_t own, enemy; /* own: to move; bit 63: the attacker is to move */
    uint8_t proved;      /* won in at most that many plies; 0: not known */
    uint8_t failed;      /* not won in that many plies */
} entry;

typedef struct job {
    ply_rules rules;
    neighbours_numbering *numbering;
    ply_tablebase *tables;
    entry *table;
    uint64_t nodes, most_nodes; /* of one search */
    uint64_t proved[3], open[3], contradicted, by_depth[MAX_DEPTH + 1];
} job;

static entry *entry_of(job *j, neighbours_pair b, bool attacks)
{
    uint64_t own = b.own | (uint64_t)attacks << 63;
    uint64_t hash = checksum_word(own, 0) ^ checksum_word(b.enemy, 1);
    entry *e = &j->table[hash >> (64 - TABLE_BITS)];
    if (e->own != own || e->enemy != b.enemy)
        *e = (entry){.own = own, .enemy = b.enemy};
    return e;
}

/* The value of a position in the tablebase files, for the player to move; -1: there is none. */
static int file_value(job *j, neighbours_pair b)
{
    ply_tablebase_value value;
    neighbours_position p = {.current = b.own, .next = b.enemy};
    if ((unsigned)ply_popcount(b.own | b.enemy) > ply_tablebase_pieces(j->tables))
        return -1;
    neighbours_finish(&p);
    if (!ply_tablebase_probe(j->tables, &p, &value))
        return -1;
    return value.result == PLY_TABLEBASE_WIN    ? VALUE_WIN
           : value.result == PLY_TABLEBASE_LOSS ? VALUE_LOSS
                                                : VALUE_DRAW;
}

static int replies_of(const job *j, neighbours_pair b)
{
    neighbours_position p = {.current = b.own, .next = b.enemy};
    return (int)neighbours_count(&j->rules, &p);
}

/* The positions after each move: captures first, then those with few replies. */
static size_t successors_of(const job *j, neighbours_pair b, neighbours_pair *out)
{
    neighbours_position p = {.current = b.own, .next = b.enemy};
    ply_move moves[NEIGHBOURS_MAX_MOVES];
    int worth[NEIGHBOURS_MAX_MOVES];
    size_t count = neighbours_moves(&j->rules, &p, moves);
    for (size_t i = 0; i < count; i++) {
        int from = neighbours_move_from(moves[i]), to = neighbours_move_to(moves[i]);
        neighbours_pair after = {b.enemy & ~ply_bit(to), neighbours_move(b.own, from, to)};
        int value = (after.own == b.enemy ? 1000 : 0) + replies_of(j, after);
        size_t at = i;
        for (; at > 0 && worth[at - 1] > value; at--) {
            worth[at] = worth[at - 1];
            out[at] = out[at - 1];
        }
        worth[at] = value;
        out[at] = after;
    }
    return count;
}

/* Whether the attacker wins within `depth` plies, or reaches a position that a file says is won. */
static bool proves(job *j, neighbours_pair b, bool attacks, int depth)
{
    if (b.own == 0)
        return !attacks;
    int known = file_value(j, b);
    if (known >= 0)
        return known == (attacks ? VALUE_WIN : VALUE_LOSS);
    entry *e = entry_of(j, b, attacks);
    if (e->proved && e->proved <= depth + 1)
        return true;
    if ((depth == 0 && replies_of(j, b) > 0) || e->failed > depth || ++j->nodes > j->most_nodes)
        return false;
    neighbours_pair after[NEIGHBOURS_MAX_MOVES];
    size_t count = successors_of(j, b, after);
    bool wins = !attacks; /* who cannot move loses */
    for (size_t i = 0; i < count && wins == !attacks; i++)
        wins = proves(j, after[i], !attacks, depth - 1);
    e = entry_of(j, b, attacks);
    if (wins)
        e->proved = (uint8_t)(depth + 1);
    else if (j->nodes <= j->most_nodes)
        e->failed = (uint8_t)(depth + 1);
    return wins;
}

/* The plies of the shortest proof, or -1. */
static int plies_of_proof(job *j, neighbours_pair b, bool attacks)
{
    j->nodes = 0;
    for (int depth = 0; depth <= MAX_DEPTH && j->nodes <= j->most_nodes; depth++)
        if (proves(j, b, attacks, depth))
            return depth;
    return -1;
}

static void check(job *j, neighbours_pair b, int value)
{
    if (value == VALUE_DRAW) {
        if (plies_of_proof(j, b, true) >= 0 || plies_of_proof(j, b, false) >= 0)
            j->contradicted++;
        j->open[VALUE_DRAW]++;
        return;
    }
    int plies = plies_of_proof(j, b, value == VALUE_WIN);
    if (plies >= 0) {
        j->proved[value]++;
        j->by_depth[plies]++;
        return;
    }
    j->open[value]++;
    if (plies_of_proof(j, b, value != VALUE_WIN) >= 0)
        j->contradicted++;
}

/* Checks some columns of one line; returns how many. */
static uint64_t check_line(job *j, const char *line, int own, int enemy, uint32_t each)
{
    uint32_t row, word, w[4], l[4];
    if (sscanf(line, "sample %*dv%*d row %u word %u wins %x %x %x %x losses %x %x %x %x", &row,
               &word, &w[0], &w[1], &w[2], &w[3], &l[0], &l[1], &l[2], &l[3]) != 10)
        return 0;
    uint64_t set = j->numbering->representative[own][row] & NEIGHBOURS_BOARD, done = 0;
    uint32_t columns = numbering_enemy_sets(j->numbering, own, enemy);
    for (uint32_t i = 0; i < 128 && word * 32 + i < columns; i += 128 / each, done++) {
        neighbours_pair b = {set, numbering_enemy_set(j->numbering, set, enemy, word * 32 + i)};
        int value = w[i / 32] >> i % 32 & 1   ? VALUE_WIN
                    : l[i / 32] >> i % 32 & 1 ? VALUE_LOSS
                                              : VALUE_DRAW;
        check(j, b, value);
    }
    return done;
}

static uint64_t check_report(job *j, FILE *report, const char *name, int own, int enemy,
                             uint32_t each)
{
    static char line[1 << 20];
    char start[32];
    uint64_t done = 0;
    snprintf(start, sizeof start, "sample %s ", name);
    while (fgets(line, sizeof line, report))
        if (strncmp(line, start, strlen(start)) == 0)
            done += check_line(j, line, own, enemy, each);
    return done;
}

/* Reads the rules that the report is about, and opens everything. */
static bool open_job(job *j, FILE *report, const char *dir, int own, int enemy)
{
    char variant[16];
    ply_error error = {0};
    bool good = fscanf(report, "rules %15s", variant) == 1 &&
                ply_rules_make(&j->rules, ply_game_find("neighbours"), variant, &error) == PLY_OK &&
                ply_tablebase_open(&j->rules, dir, 64, &j->tables, &error) == PLY_OK;
    j->numbering = good ? neighbours_numbering_open(j->rules.option[NEIGHBOURS_OPTION_PATH]) : NULL;
    j->table = calloc((size_t)1 << TABLE_BITS, sizeof *j->table);
    good = j->numbering && j->table && neighbours_numbering_prepare(j->numbering, own) == PLY_OK &&
           neighbours_numbering_prepare(j->numbering, enemy) == PLY_OK;
    if (!good)
        fprintf(stderr, "%s\n", error.message[0] ? error.message : "not a report, or no memory");
    return good;
}

static int print(const job *j, const char *name, uint64_t done)
{
    printf("%s: %llu sampled positions, files with up to %u pieces\n", name,
           (unsigned long long)done, ply_tablebase_pieces(j->tables));
    printf(
        "proved: %llu won, %llu lost; not decided by the search: %llu won, %llu lost, %llu drawn; "
        "contradicted: %llu\n",
        (unsigned long long)j->proved[VALUE_WIN], (unsigned long long)j->proved[VALUE_LOSS],
        (unsigned long long)j->open[VALUE_WIN], (unsigned long long)j->open[VALUE_LOSS],
        (unsigned long long)j->open[VALUE_DRAW], (unsigned long long)j->contradicted);
    printf("plies of the proofs:");
    for (int i = 0; i <= MAX_DEPTH; i++)
        if (j->by_depth[i])
            printf(" %d: %llu", i, (unsigned long long)j->by_depth[i]);
    printf("\n");
    return j->contradicted || j->proved[VALUE_WIN] + j->proved[VALUE_LOSS] == 0;
}

int main(int argc, char **argv)
{
    int own = 0, enemy = 0, result = 2;
    FILE *report = argc > 2 ? fopen(argv[1], "r") : NULL;
    if (!report || sscanf(argv[2], "%dv%d", &own, &enemy) != 2 || own < 1 || enemy < 1 ||
        own > NEIGHBOURS_PIECES || enemy > NEIGHBOURS_PIECES ||
        (argc > 5 && (atoi(argv[5]) < 1 || atoi(argv[5]) > 128))) {
        fprintf(stderr, "usage: neighbours_recheck REPORT AvB [DIR [NODES [EACH]]]\n");
        return 2;
    }
    job j = {.most_nodes = argc > 4 ? strtoull(argv[4], NULL, 10) : 200000};
    uint32_t each = argc > 5 ? (uint32_t)atoi(argv[5]) : 128;
    if (open_job(&j, report, argc > 3 ? argv[3] : ".", own, enemy))
        result = print(&j, argv[2], check_report(&j, report, argv[2], own, enemy, each));
    ply_tablebase_close(j.tables);
    neighbours_numbering_close(j.numbering);
    free(j.table);
    fclose(report);
    return result;
}
