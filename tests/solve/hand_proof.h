/* SPDX-License-Identifier: MIT */
/* hand_proof.h - proofs written by hand, most of them about the game of graph_game.h. */
#ifndef TESTS_SOLVE_HAND_PROOF_H
#define TESTS_SOLVE_HAND_PROOF_H

#include "graph_game.h"
#include "proof_bytes.h"

/* --- proofs as words -------------------------------------------------------------------------- */
/*
 * Writes a tree. Words: leaf, choose, all, ref, sets, move, else, end; a letter is a move; a number
 * is a varint; =HH is a byte; wN a word; :TEXT a text; label a label without its text; label:TEXT/PLIES a
 * whole one; unused adds an entry to the label table for nothing.
 */
static inline size_t put_tree(memory_file *file, const char *tree, proof_label labels[8])
{
    static const struct {
        const char *word;
        unsigned byte;
    } plain[] = {{"leaf", NODE_LEAF}, {"choose", NODE_CHOOSE},     {"all", NODE_ALL},
                 {"ref", NODE_REF},   {"sets", NODE_WINNING_SETS}, {"end", ITEM_END},
                 {"move", ITEM_MOVE}, {"else", ITEM_ELSE}};
    size_t count = 0;
    char *words = strdup(tree), *rest = words, *word;
    while ((word = strsep(&rest, " ")) != NULL) {
        size_t i = 0, known = sizeof plain / sizeof plain[0];
        while (i < known && strcmp(word, plain[i].word) != 0)
            i++;
        char *slash = strchr(word, '/');
        if (i < known)
            put_byte(file, plain[i].byte);
        else if (strcmp(word, "unused") == 0 || strncmp(word, "label", 5) == 0) {
            labels[count++] = (proof_label){file->count, slash ? strtoull(slash + 1, NULL, 10) : 0};
            if (word[0] == 'l')
                put_byte(file, NODE_LABEL);
            if (slash) {
                *slash = '\0';
                put_text(file, word + 6);
            }
        } else if (word[0] == ':')
            put_text(file, word + 1);
        else if (word[0] == '=')
            put_byte(file, (unsigned)strtoul(word + 1, NULL, 16));
        else if (word[0] == 'w' && word[1])
            put_word(file, strtoull(word + 1, NULL, 10));
        else
            put_varint(file, word[0] <= '9' ? strtoull(word, NULL, 10) : (unsigned char)word[0]);
    }
    free(words);
    return count;
}

typedef struct hand_proof {
    const char *message; /* NULL: the proof is accepted */
    const char *tree;
    proof_header header;               /* empty fields: see header_of */
    void (*edit)(memory_file *file);   /* applied before the checksum is corrected */
    void (*damage)(memory_file *file); /* applied at the very end */
    ply_status status;                 /* 0: PLY_BAD_TEXT */
    uint64_t max_nodes;
    bool stopped, unreadable;
} hand_proof;

/* A win from `a` of the graph for player 0, unless the header says otherwise. */
static inline proof_header header_of(const hand_proof *proof)
{
    proof_header header = proof->header;
    header.game = header.game ? header.game : "graph";
    header.variant = header.variant ? header.variant : "standard";
    header.goal = header.goal ? header.goal : "reach";
    header.position = header.position ? header.position : "a";
    header.verdict = header.verdict ? header.verdict : PLY_VERDICT_WIN;
    return header;
}

static inline const ply_game *game_of(const hand_proof *proof)
{
    const ply_game *known = ply_game_find(header_of(proof).game);
    return known ? known : &graph_game;
}

/* Writes the file. */
static inline void put_hand_proof(memory_file *file, const hand_proof *proof)
{
    proof_header header = header_of(proof);
    proof_label labels[8];
    put_header(file, &header);
    size_t count = put_tree(file, proof->tree, labels);
    put_end(file, &header, labels, count);
    if (proof->edit) {
        proof->edit(file);
        put_checksum(file);
    }
    if (proof->damage)
        proof->damage(file);
}

#endif
