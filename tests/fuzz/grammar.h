/* SPDX-License-Identifier: MIT */
/*
 * grammar.h - mutators that know the shape of text.
 *
 * libFuzzer changes bytes. These change tokens, numbers, lines and groups in brackets, insert words
 * of a format's vocabulary, and expand rules of a context-free grammar, so that inputs get past the
 * first checks of a parser. A target defines LLVMFuzzerCustomMutator with their help.
 */
#ifndef TESTS_FUZZ_GRAMMAR_H
#define TESTS_FUZZ_GRAMMAR_H

#include "fuzz/fuzz.h"
#include <ctype.h>
#include <stdio.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* --- a context-free grammar -------------------------------------------------------------------- */
/* In an alternative, %X stands for one of the alternatives of rule X, and %% for a percent sign. */
typedef struct grammar_rule {
    char name;
    const char *const *alternatives; /* ends with NULL */
} grammar_rule;

static inline size_t grammar_count(const char *const *words)
{
    size_t count = 0;
    while (words[count])
        count++;
    return count;
}

static inline const char *grammar_pick(const char *const *words, ply_rng *rng)
{
    return words[ply_rng_below(rng, (uint32_t)grammar_count(words))];
}

/* Appends text with its rules expanded; rules ends with {0}. Beyond the depth the first alternative
 * is taken, which must lead to an end. */
static inline void grammar_expand(const grammar_rule *rules, const char *text, int depth,
                                  ply_rng *rng, ply_text *out)
{
    for (; *text; text++) {
        const grammar_rule *rule = rules;
        if (*text != '%' || !text[1]) {
            ply_text_char(out, *text);
            continue;
        }
        text++;
        while (rule->name && rule->name != *text)
            rule++;
        if (rule->name)
            grammar_expand(
                rules, depth > 0 ? grammar_pick(rule->alternatives, rng) : rule->alternatives[0],
                depth - 1, rng, out);
        else
            ply_text_char(out, *text);
    }
}

/* --- changing text ----------------------------------------------------------------------------- */
typedef struct grammar_span {
    size_t first, length;
} grammar_span;

/* Digits, words (with UTF-8), white space; any other byte stands alone. */
static inline int grammar_class(uint8_t c)
{
    return isdigit(c) ? 1 : isalpha(c) || c >= 128 ? 2 : isspace(c) ? 3 : 4;
}

/* The token at an offset, extended to the right by more tokens. */
static inline grammar_span grammar_token(const uint8_t *data, size_t size, size_t at, size_t more)
{
    grammar_span span = {at, 0};
    while (span.first > 0 && grammar_class(data[at]) != 4 &&
           grammar_class(data[span.first - 1]) == grammar_class(data[at]))
        span.first--;
    size_t end = span.first;
    for (size_t tokens = 0; tokens <= more && end < size; tokens++) {
        int class = grammar_class(data[end++]);
        while (class != 4 && end < size && grammar_class(data[end]) == class)
            end++;
    }
    span.length = end - span.first;
    return span;
}

static inline grammar_span grammar_line(const uint8_t *data, size_t size, size_t at)
{
    grammar_span span = {at, 0};
    while (span.first > 0 && data[span.first - 1] != '\n')
        span.first--;
    size_t end = at;
    while (end < size && data[end] != '\n')
        end++;
    span.length = end + (end < size) - span.first;
    return span;
}

/* The group in brackets that begins at or after an offset; a token if there is none. */
static inline grammar_span grammar_group(const uint8_t *data, size_t size, size_t at)
{
    static const char opening[] = "([{<", closing[] = ")]}>";
    size_t first = at;
    while (first < size && (!data[first] || !strchr(opening, data[first])))
        first++;
    if (first == size)
        return grammar_token(data, size, at, 0);
    char open = (char)data[first], close = closing[strchr(opening, open) - opening];
    size_t level = 0, end = first;
    while (end < size) {
        level += data[end] == (uint8_t)open;
        level -= data[end] == (uint8_t)close;
        end++;
        if (level == 0)
            break;
    }
    return (grammar_span){first, end - first};
}

/* Puts bytes in the place of a span; returns the new size, or the old one if there is no room. */
static inline size_t grammar_replace(uint8_t *data, size_t size, size_t max_size, grammar_span span,
                                     const void *bytes, size_t length)
{
    if (size - span.length + length > max_size)
        return size;
    uint8_t *copy = malloc(length + 1);
    FUZZ_CHECK(copy);
    if (length)
        memcpy(copy, bytes, length); /* it may come from data itself */
    memmove(data + span.first + length, data + span.first + span.length,
            size - span.first - span.length);
    if (length)
        memcpy(data + span.first, copy, length);
    free(copy);
    return size - span.length + length;
}

static inline size_t grammar_change_number(uint8_t *data, size_t size, size_t max_size, size_t at,
                                           ply_rng *rng)
{
    static const char *const numbers[] = {
        "0",          "1",          "2",     "9",     "10",         "15",
        "16",         "99",         "127",   "128",   "255",        "256",
        "999",        "32767",      "32768", "65535", "2147483647", "2147483648",
        "4294967295", "4294967296", "-1",    "00",    "0.5",        "18446744073709551616",
        NULL};
    while (at < size && !isdigit(data[at]))
        at++;
    if (at == size)
        return size;
    grammar_span digits = grammar_token(data, size, at, 0);
    char text[32];
    if (digits.length < 9 && ply_rng_below(rng, 2)) {
        long value = 0;
        for (size_t i = 0; i < digits.length; i++)
            value = value * 10 + data[digits.first + i] - '0';
        value += (long)ply_rng_below(rng, 5) - 2;
        snprintf(text, sizeof text, "%ld", value);
    } else {
        snprintf(text, sizeof text, "%s", grammar_pick(numbers, rng));
    }
    return grammar_replace(data, size, max_size, digits, text, strlen(text));
}

/* One change to text. words is the vocabulary, ending with NULL. */
static inline size_t grammar_mutate_once(uint8_t *data, size_t size, size_t max_size,
                                         const char *const *words, ply_rng *rng)
{
    const char *word = grammar_pick(words, rng);
    if (size == 0)
        return grammar_replace(data, size, max_size, (grammar_span){0, 0}, word, strlen(word));
    size_t at = ply_rng_below(rng, (uint32_t)size), to = ply_rng_below(rng, (uint32_t)size);
    grammar_span span, other;
    switch (ply_rng_below(rng, 9)) {
    case 0: /* insert a word */
        span = grammar_token(data, size, at, 0);
        span.length = 0;
        return grammar_replace(data, size, max_size, span, word, strlen(word));
    case 1: /* replace tokens by a word */
        span = grammar_token(data, size, at, ply_rng_below(rng, 2));
        return grammar_replace(data, size, max_size, span, word, strlen(word));
    case 2: /* delete tokens */
        span = grammar_token(data, size, at, ply_rng_below(rng, 4));
        return grammar_replace(data, size, max_size, span, "", 0);
    case 3: /* copy tokens elsewhere */
        span = grammar_token(data, size, at, ply_rng_below(rng, 4));
        other = grammar_token(data, size, to, 0);
        other.length = 0;
        return grammar_replace(data, size, max_size, other, data + span.first, span.length);
    case 4:
        return grammar_change_number(data, size, max_size, at, rng);
    case 5: /* copy a line */
        span = grammar_line(data, size, at);
        other = (grammar_span){grammar_line(data, size, to).first, 0};
        return grammar_replace(data, size, max_size, other, data + span.first, span.length);
    case 6: /* delete a line */
        return grammar_replace(data, size, max_size, grammar_line(data, size, at), "", 0);
    case 7: /* copy a group */
        span = grammar_group(data, size, at);
        other = grammar_group(data, size, to);
        other.length = 0;
        return grammar_replace(data, size, max_size, other, data + span.first, span.length);
    default: /* delete a group */
        return grammar_replace(data, size, max_size, grammar_group(data, size, at), "", 0);
    }
}

/* A few changes to text, at times libFuzzer's own. */
static inline size_t grammar_mutate(uint8_t *data, size_t size, size_t max_size,
                                    const char *const *words, ply_rng *rng)
{
    if (ply_rng_below(rng, 4) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (uint32_t changes = 1 + ply_rng_below(rng, 3); changes > 0; changes--)
        size = grammar_mutate_once(data, size, max_size, words, rng);
    return size;
}

#endif
