/* SPDX-License-Identifier: MIT */
/*
 * fuzz_misuse.c - the everyday calls with arguments that nobody should pass: NULL, zero, wrong sizes,
 * numbers out of range, moves of other positions. Each byte chooses a call, the next ones its
 * arguments. Calls may fail; they must not crash, leak, or leave a state that no longer works.
 */
#include "fuzz/fuzz.h"

enum { ACTIONS = 8 };

/* The bytes that are left. */
typedef struct bytes {
    const uint8_t *data;
    size_t size;
} bytes;

static unsigned take(bytes *b)
{
    if (b->size == 0)
        return 0;
    b->size--;
    return *b->data++;
}

/* Numbers that have gone wrong before. */
static uint64_t number(bytes *b)
{
    static const uint64_t odd[] = {
        0,        1,          2, 3, 7, 64, 1024, UINT32_MAX, INT32_MAX, UINT64_MAX, SIZE_MAX / 2,
        1u << 20, 0x80000000u};
    unsigned choice = take(b);
    return choice < sizeof odd / sizeof odd[0] ? odd[choice] : choice;
}

/* What the calls work on. */
typedef struct objects {
    ply_rules rules;
    ply_state state, other;
    ply_batch *batch;
    ply_text text;
} objects;

static void call_state(objects *o, bytes *b)
{
    static const char *const texts[] = {NULL,       "",  "a1",   "7g7f",
                                        "\xff\xfe", "0", "1 h8", "startpos"};
    const char *text = texts[take(b) % 8];
    size_t length = text && take(b) % 2 ? strlen(text) : 0;
    ply_state *state = take(b) % 8 ? &o->state : NULL;
    ply_error error, *where = take(b) % 2 ? &error : NULL;
    ply_move move = number(b), moves[4];
    ply_text *out = take(b) % 4 ? &o->text : NULL;
    switch (take(b) % 16) {
    case 0:
        ply_state_parse(state, text, length, where);
        break;
    case 1:
        ply_state_play_text(state, text, length, where);
        break;
    case 2:
        ply_state_load(state, text, length, where);
        break;
    case 3:
        ply_state_parse_move(state, text, length, take(b) % 2 ? &move : NULL, where);
        break;
    case 4:
        ply_state_moves(state, take(b) % 2 ? moves : NULL, take(b) % 2 ? 4 : 0);
        break;
    case 5:
        if (ply_state_is_legal(state, move))
            ply_state_play(state, move);
        break;
    case 6:
        ply_state_undo(state);
        break;
    case 7:
        ply_state_restart(state);
        break;
    case 8:
        ply_state_format(state, out);
        break;
    case 9:
        ply_state_draw(state, (unsigned)move, out);
        break;
    case 10:
        ply_state_svg(state, (unsigned)move, out);
        break;
    case 11:
        ply_state_save(state, out);
        break;
    case 12:
        ply_state_reserve(state, take(b));
        break;
    case 13:
        ply_state_outcome(state);
        break;
    case 14:
        ply_state_side(state);
        break;
    default:
        ply_state_key(state);
        break;
    }
    ply_text_clear(&o->text);
}

static void call_batch(objects *o, bytes *b)
{
    int32_t actions[ACTIONS];
    uint8_t which[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        actions[i] = (int32_t)number(b);
        which[i] = (uint8_t)take(b);
    }
    ply_batch *batch = take(b) % 8 ? o->batch : NULL;
    size_t game = number(b);
    ply_error error;
    ply_state copy;
    switch (take(b) % 10) {
    case 0:
        ply_batch_step(batch, take(b) % 8 ? actions : NULL);
        break;
    case 1:
        ply_batch_sample(batch, take(b) % 8 ? actions : NULL);
        break;
    case 2:
        ply_batch_reset(batch, take(b) % 2 ? which : NULL);
        break;
    case 3:
        if (ply_batch_get(batch, game, &copy) == PLY_OK)
            ply_state_free(&copy);
        break;
    case 4:
        ply_batch_set(batch, game, take(b) % 4 ? &o->state : take(b) % 2 ? &o->other : NULL);
        break;
    case 5:
        ply_batch_copy(batch, game, take(b) % 8 ? o->batch : NULL, number(b));
        break;
    case 6:
        ply_batch_save(batch, game, take(b) % 4 ? &o->text : NULL);
        break;
    case 7:
        ply_batch_load(batch, game, "0 0", take(b) % 2 ? 3 : 0, &error);
        break;
    case 8:
        ply_batch_move(batch, game, actions[0]);
        break;
    default:
        ply_batch_action(batch, game, number(b));
        break;
    }
    ply_text_clear(&o->text);
}

/* Options with any numbers. Sizes that would only take long are cut down. */
static void make_batch(objects *o, bytes *b)
{
    ply_error error;
    ply_batch_options options = {.size = number(b),
                                 .games = number(b) % 9,
                                 .threads = (unsigned)(number(b) % 3),
                                 .outputs = (unsigned)number(b),
                                 .max_plies = number(b) % 500,
                                 .reset = (ply_batch_reset_mode)(number(b) % 5),
                                 .illegal = (ply_batch_illegal)(number(b) % 6),
                                 .history = (unsigned)(number(b) % 9),
                                 .repetition = (unsigned)(number(b) % 9),
                                 .list_room = (uint32_t)(number(b) % 2000),
                                 .start = take(b) % 2   ? &o->state
                                          : take(b) % 2 ? &o->other
                                                        : NULL};
    ply_batch *made = NULL;
    ply_status status = ply_batch_new(take(b) % 8 ? &made : NULL, &o->rules,
                                      take(b) % 8 ? &options : NULL, take(b) % 2 ? &error : NULL);
    FUZZ_CHECK((status == PLY_OK) == (made != NULL));
    if (made && ply_batch_data(made)->games <= ACTIONS) {
        ply_batch_free(o->batch);
        o->batch = made;
    } else {
        ply_batch_free(made);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size};
    objects o = {.text = ply_text_growing()};
    const ply_game *game = ply_game_at(take(&b) % (ply_game_count() + 1));
    ply_rules elsewhere;
    ply_status status = ply_rules_make(&o.rules, game, NULL, NULL);
    FUZZ_CHECK((status == PLY_OK) == (game != NULL));
    (void)ply_state_init(&o.state, &o.rules);
    FUZZ_CHECK(ply_rules_make(&elsewhere, ply_game_find("checkers"), NULL, NULL) == PLY_OK);
    FUZZ_CHECK(ply_state_init(&o.other, &elsewhere) == PLY_OK);
    while (b.size > 0) {
        switch (take(&b) % 4) {
        case 0:
            make_batch(&o, &b);
            break;
        case 1:
            call_batch(&o, &b);
            break;
        default:
            call_state(&o, &b);
            break;
        }
    }
    if (game)
        fuzz_play_all(&o.state);
    ply_batch_free(o.batch);
    ply_state_free(&o.state);
    ply_state_free(&o.other);
    ply_text_free(&o.text);
    return 0;
}
