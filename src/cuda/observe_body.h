/* SPDX-License-Identifier: MIT */
/*
 * observe_body.h - observations of a batch on a device; included by batch_body.h.
 *
 * A row is (1 + history) parts, one for each position seen, and a plane for each repetition counted.
 * CUDA_OBSERVE_THREADS threads write the row of a game, byte next to byte.
 *
 * Observations that are nothing but zeros and ones and costly to find byte by byte are written in two
 * steps (GAME_BITS): kernel `bits` finds a part as bits, with a thread for each part, and kernel
 * `spread` turns bits into bytes, eight per thread, with neighbouring threads writing to neighbouring
 * addresses. A row of bits: part_words words for each part, then how often the position has occurred.
 */
#ifndef PLY_CUDA_OBSERVE_BODY_H
#define PLY_CUDA_OBSERVE_BODY_H

/* --- earlier positions ------------------------------------------------------------------------ */
/* Where word w of the position before ply number `ply` of game g is kept. */
PLY_HD uint64_t *past_word(const cuda_batch_args *a, uint64_t g, uint32_t ply, uint32_t w)
{
    return a->past + ((uint64_t)(ply % a->history) * a->position_words + w) * (a->games + 1) + g;
}

PLY_HD void load_past(const cuda_batch_args *a, uint64_t g, uint32_t ply, game_position *p)
{
    for (uint32_t w = 0; w < a->position_words; w++)
        memcpy((unsigned char *)p + 8 * w, past_word(a, g, ply, w), 8);
}

/* Keeps what observations need of the position before ply number `ply` is played. */
PLY_HD void remember(const cuda_batch_args *a, uint64_t g, uint32_t ply, const game_position *p)
{
    for (uint32_t w = 0; a->history && w < a->position_words; w++)
        memcpy(past_word(a, g, ply, w), (const unsigned char *)p + 8 * w, 8);
    if (a->past_keys)
        a->past_keys[g * a->max_plies + ply] = game_hash(p);
}

/* Makes what is kept of the first plies of game g that of where games start. */
PLY_HD void remember_start(const cuda_batch_args *a, uint64_t g, uint32_t plies)
{
    for (uint32_t i = 1; i <= a->history && i <= plies; i++)
        for (uint32_t w = 0; w < a->position_words; w++)
            *past_word(a, g, plies - i, w) = *past_word(a, a->games, plies - i, w);
    for (uint32_t i = 0; a->past_keys && i < plies; i++)
        a->past_keys[g * a->max_plies + i] = a->past_keys[a->games * a->max_plies + i];
}

/* How often the position has occurred before, counted up to the number of planes. */
PLY_HD uint32_t occurrences(const cuda_batch_args *a, uint64_t g, uint32_t plies,
                            const game_position *p)
{
    uint64_t key = a->past_keys ? game_hash(p) : 0;
    uint32_t found = 0;
    for (uint32_t i = plies; a->past_keys && i > 0 && found < a->repetition; i--)
        found += a->past_keys[g * a->max_plies + i - 1] == key;
    return found;
}

/* --- byte by byte ----------------------------------------------------------------------------- */
PLY_HD void observe_part(const cuda_batch_args *a, const game_position *p, int viewer,
                         uint32_t chunk, uint8_t *out)
{
    game_view view;
    game_look(a, p, viewer, &view);
    for (uint32_t i = chunk; i < a->plane_bytes; i += CUDA_OBSERVE_THREADS)
        out[i] = game_byte(a, &view, i);
}

PLY_HD void observe_chunk(const cuda_batch_args *a, uint64_t g, uint32_t plies,
                          const game_position *p, uint32_t chunk, uint8_t *out)
{
    int viewer = game_side(a, p);
    observe_part(a, p, viewer, chunk, out);
    out += a->plane_bytes;
    for (uint32_t i = 1; i <= a->history; i++, out += a->plane_bytes) {
        if (i <= plies) {
            game_position past;
            load_past(a, g, plies - i, &past);
            observe_part(a, &past, viewer, chunk, out);
            continue;
        }
        for (uint32_t at = chunk; at < a->plane_bytes; at += CUDA_OBSERVE_THREADS)
            out[at] = 0;
    }
    uint32_t cells = a->arrays.height * a->arrays.width, times = occurrences(a, g, plies, p);
    for (uint32_t at = chunk; at < a->repetition * cells; at += CUDA_OBSERVE_THREADS)
        out[at] = times > at / cells;
}

PLY_KERNEL(GAME_KERNEL(observe), cuda_batch_args)
{
    uint64_t g = PLY_THREAD / CUDA_OBSERVE_THREADS;
    if (g >= args.games)
        return;
    game_position p;
    load_position(&args, g, &p);
    observe_chunk(&args, g, args.plies[g], &p, (uint32_t)(PLY_THREAD % CUDA_OBSERVE_THREADS),
                  args.arrays.observations + g * args.observation_bytes);
}

/* --- bits, then bytes ------------------------------------------------------------------------- */
#ifdef GAME_BITS
PLY_HD uint64_t *bits_of(const cuda_batch_args *a, uint64_t g)
{
    return a->bits + g * ((1 + (uint64_t)a->history) * a->part_words + 1);
}

/* Part number i of the row of bits of game g: the position i plies ago. */
PLY_HD void find_bits(const cuda_batch_args *a, uint64_t g, uint32_t plies, const game_position *p,
                      uint32_t i)
{
    uint64_t *row = bits_of(a, g), *part = row + (uint64_t)i * a->part_words;
    if (i == 0) {
        game_bits(a, p, game_side(a, p), part);
        row[(1 + (uint64_t)a->history) * a->part_words] = occurrences(a, g, plies, p);
    } else if (i <= plies) {
        game_position past;
        load_past(a, g, plies - i, &past);
        game_bits(a, &past, game_side(a, p), part);
    } else {
        for (uint32_t w = 0; w < a->part_words; w++)
            part[w] = 0;
    }
}

/* Byte `at` of the row of game g. */
PLY_HD uint8_t byte_of_bits(const cuda_batch_args *a, uint64_t g, uint32_t at)
{
    const uint64_t *row = bits_of(a, g);
    uint32_t part = at / a->plane_bytes, bit = at % a->plane_bytes;
    if (part <= a->history)
        return row[(uint64_t)part * a->part_words + bit / 64] >> bit % 64 & 1;
    uint32_t plane =
        (at - (1 + a->history) * a->plane_bytes) / (a->arrays.height * a->arrays.width);
    return row[(1 + (uint64_t)a->history) * a->part_words] > plane;
}

/* The lowest eight bits, each in a byte of its own, the lowest first in memory. */
PLY_HD uint64_t spread_bits(uint64_t bits)
{
    bits &= 0xFF;
    bits = (bits | bits << 28) & 0x0000000F0000000Fu;
    bits = (bits | bits << 14) & 0x0003000300030003u;
    return (bits | bits << 7) & 0x0101010101010101u;
}

PLY_KERNEL(GAME_KERNEL(bits), cuda_batch_args)
{
    uint64_t g = PLY_THREAD / (1 + (uint64_t)args.history);
    if (g >= args.games)
        return;
    game_position p;
    load_position(&args, g, &p);
    find_bits(&args, g, args.plies[g], &p, (uint32_t)(PLY_THREAD % (1 + (uint64_t)args.history)));
}

/* Bytes 8 * thread to 8 * thread + 7 of all rows together. */
PLY_KERNEL(GAME_KERNEL(spread), cuda_batch_args)
{
    uint64_t first = 8 * PLY_THREAD, end = args.games * args.observation_bytes;
    if (first >= end)
        return;
    uint64_t g = first / args.observation_bytes;
    uint32_t at = (uint32_t)(first - g * args.observation_bytes);
    uint32_t part = at / args.plane_bytes, bit = at % args.plane_bytes;
    uint8_t *out = args.arrays.observations + first;
    if (part <= args.history && bit + 8 <= args.plane_bytes && (uintptr_t)out % 8 == 0) {
        const uint64_t *words = bits_of(&args, g) + (uint64_t)part * args.part_words;
        uint64_t bits = words[bit / 64] >> bit % 64;
        if (bit % 64 > 56)
            bits |= words[bit / 64 + 1] << (64 - bit % 64);
        *(uint64_t *)(void *)out = spread_bits(bits);
        return;
    }
    for (uint32_t i = 0; i < 8 && first + i < end; i++) {
        bool next = at + i >= args.observation_bytes;
        out[i] = byte_of_bits(&args, g + next, at + i - (next ? args.observation_bytes : 0));
    }
}
#endif

/* The observation of a game that has ended, before it starts again. */
PLY_HD void observe_final(const cuda_batch_args *a, uint64_t g, uint32_t plies,
                          const game_position *p)
{
    if (!a->arrays.final_observations)
        return;
    uint8_t *out = a->arrays.final_observations + g * a->observation_bytes;
#ifdef GAME_BITS
    if (a->bits) {
        for (uint32_t i = 0; i <= a->history; i++)
            find_bits(a, g, plies, p, i);
        for (uint32_t i = 0; i < a->observation_bytes; i++)
            out[i] = byte_of_bits(a, g, i);
        return;
    }
#endif
    for (uint32_t chunk = 0; chunk < CUDA_OBSERVE_THREADS; chunk++)
        observe_chunk(a, g, plies, p, chunk, out);
}

#endif
