/* SPDX-License-Identifier: MIT */
/*
 * opening_rules.c - see opening_rules.h.
 *
 * Each procedure is a list of steps, a small program; the state is the current step and what the
 * steps before it have settled.
 */
#include "games/gomoku/openings/opening_rules.h"
#include <string.h>

enum {
    MAX_STEPS = 14,
    MAX_STONES = 5,
    MAX_OFFERS = 16,
    MAX_DECLARED = 12, /* the largest N of soosorv-N */
    RIF_OFFERS = 2,
    TARAGUCHI_OFFERS = 10,
    MIN_CENTRED_SIDE = 9,
};
_Static_assert(MAX_STONES <= PLY_OPENING_MOVES && MAX_OFFERS <= PLY_OPENING_MOVES, "room for all");

/* How far from the centre a stone may be: a number of cells, or one of these. */
enum { ANYWHERE = -1, CENTRE = 0 };

typedef enum step_kind {
    STEP_END,
    STEP_PLACE_FIRST,    /* by player 0 */
    STEP_PLACE_SECOND,   /* by player 1 */
    STEP_PLACE_OWNER,    /* by the player who has the stone's colour */
    STEP_SWAP,           /* by the player who did not act last */
    STEP_SWAP_OR_EXTEND, /* the same; "more" continues with the next step, the others jump */
    STEP_SWAP_OR_OFFER,  /* the same; "more" jumps, the others continue with the next step */
    STEP_DECLARE,        /* by the player who placed the fourth stone */
    STEP_OFFER,          /* by Black, `wanted` times */
    STEP_CHOOSE,         /* by White */
} step_kind;

typedef struct step {
    step_kind kind;
    int argument; /* PLACE: distance from the centre; SWAP_OR_*: the step to jump to */
} step;

enum program_id { SWAP, SWAP2, RIF, SOOSORV, TARAGUCHI, PROGRAMS };

static const struct {
    const char *name;
    bool centred; /* begins in the centre of the board */
    step steps[MAX_STEPS];
} programs[PROGRAMS] = {
    [SWAP] = {"swap",
              false,
              {{STEP_PLACE_FIRST, ANYWHERE},
               {STEP_PLACE_FIRST, ANYWHERE},
               {STEP_PLACE_FIRST, ANYWHERE},
               {STEP_SWAP, 0},
               {STEP_END, 0}}},
    [SWAP2] = {"swap2",
               false,
               {{STEP_PLACE_FIRST, ANYWHERE},
                {STEP_PLACE_FIRST, ANYWHERE},
                {STEP_PLACE_FIRST, ANYWHERE},
                {STEP_SWAP_OR_EXTEND, 7},
                {STEP_PLACE_SECOND, ANYWHERE},
                {STEP_PLACE_SECOND, ANYWHERE},
                {STEP_SWAP, 0},
                {STEP_END, 0}}},
    [RIF] = {"rif",
             true,
             {{STEP_PLACE_FIRST, CENTRE},
              {STEP_PLACE_FIRST, 1},
              {STEP_PLACE_FIRST, 2},
              {STEP_SWAP, 0},
              {STEP_PLACE_OWNER, ANYWHERE},
              {STEP_OFFER, 0},
              {STEP_CHOOSE, 0},
              {STEP_END, 0}}},
    [SOOSORV] = {"soosorv",
                 true,
                 {{STEP_PLACE_FIRST, CENTRE},
                  {STEP_PLACE_FIRST, 1},
                  {STEP_PLACE_FIRST, 2},
                  {STEP_SWAP, 0},
                  {STEP_PLACE_OWNER, ANYWHERE},
                  {STEP_DECLARE, 0},
                  {STEP_SWAP, 0},
                  {STEP_OFFER, 0},
                  {STEP_CHOOSE, 0},
                  {STEP_END, 0}}},
    [TARAGUCHI] = {"taraguchi-10",
                   true,
                   {{STEP_PLACE_OWNER, CENTRE},
                    {STEP_SWAP, 0},
                    {STEP_PLACE_OWNER, 1},
                    {STEP_SWAP, 0},
                    {STEP_PLACE_OWNER, 2},
                    {STEP_SWAP, 0},
                    {STEP_PLACE_OWNER, 3},
                    {STEP_SWAP_OR_OFFER, 11},
                    {STEP_PLACE_OWNER, 4},
                    {STEP_SWAP, 0},
                    {STEP_END, 0},
                    {STEP_OFFER, 0},
                    {STEP_CHOOSE, 0},
                    {STEP_END, 0}}},
};

const ply_opening_rule gomoku_opening_rules[] = {
    {"swap", "Swap", "The opener places three stones; the opponent chooses a colour."},
    {"swap2", "Swap2",
     "The opener places three stones; the opponent chooses a colour, or places two more and leaves "
     "the choice to the opener."},
    {"rif", "RIF (renju)",
     "One of the 26 openings, a swap, and two fifth moves for White to choose from."},
    {"soosorv-8", "Soosorv-8 (renju)",
     "One of the 26 openings, a swap, a fourth stone with a number of fifth moves, a swap, the "
     "fifth moves, and White's choice."},
    {"taraguchi-10", "Taraguchi-10 (renju)",
     "Stones within growing squares with a swap after each; or ten fifth moves to choose from."},
    {0},
};

/* The state: plain bytes to everybody else. */
typedef struct opening {
    uint8_t program; /* enum program_id */
    uint8_t step;    /* index into its steps */
    uint8_t limit;   /* soosorv-N: N */
    uint8_t wanted;  /* fifth moves to offer */
    uint8_t black;   /* the player who has Black now */
    uint8_t last;    /* the player who acted last */
    uint8_t stone_count, offer_count;
    uint16_t stones[MAX_STONES]; /* cells, in the order they were placed */
    uint16_t offers[MAX_OFFERS];
} opening;

_Static_assert(sizeof(opening) == GOMOKU_OPENING_BYTES, "the size the hooks declare");

/* What a player asks for; value is a cell or a number. */
typedef struct request {
    ply_opening_act act;
    int value;
} request;

static step current_step(const opening *o)
{
    return programs[o->program].steps[o->step];
}

/* --- beginning ------------------------------------------------------------------------------- */
/* PROGRAMS when there is none of that name. */
static enum program_id find_program(const char *name, uint8_t *limit)
{
    static const char stem[] = "soosorv-";
    size_t length = sizeof stem - 1;
    if (strncmp(name, stem, length) == 0) {
        ply_cursor number = ply_cursor_make(name + length, strlen(name) - length, NULL);
        uint64_t value;
        bool good = ply_cursor_number(&number, MAX_DECLARED, &value) && value > 0 &&
                    ply_cursor_done(&number);
        *limit = good ? (uint8_t)value : 0;
        return good ? SOOSORV : PROGRAMS;
    }
    for (int i = 0; i < PROGRAMS; i++)
        if (i != SOOSORV && strcmp(name, programs[i].name) == 0)
            return (enum program_id)i;
    return PROGRAMS;
}

const char *gomoku_opening_default_variant(const char *rule)
{
    uint8_t limit;
    enum program_id program = find_program(rule, &limit);
    return program < PROGRAMS && programs[program].centred ? "renju" : NULL;
}

ply_status gomoku_opening_begin(const ply_rules *rules, const char *rule, void *procedure,
                                ply_error *error)
{
    opening *o = procedure;
    uint8_t limit = 0;
    enum program_id program = find_program(rule, &limit);
    if (program == PROGRAMS)
        return ply_error_set(error, PLY_BAD_OPTION,
                             "no opening rule '%.40s'; expected swap, swap2, rif, soosorv-1 to "
                             "soosorv-%d or taraguchi-10",
                             rule, MAX_DECLARED);
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (programs[program].centred && (width % 2 == 0 || height % 2 == 0 ||
                                      width < MIN_CENTRED_SIDE || height < MIN_CENTRED_SIDE))
        return ply_error_set(error, PLY_BAD_OPTION,
                             "%s needs an odd number of rows and columns, at least nine of each",
                             rule);
    memset(o, 0, sizeof *o);
    o->program = (uint8_t)program;
    o->limit = limit;
    o->wanted = program == TARAGUCHI ? TARAGUCHI_OFFERS : RIF_OFFERS;
    o->last = 1; /* so that player 0 is next */
    return PLY_OK;
}

/* --- whose turn it is ------------------------------------------------------------------------ */
static int next_colour(const opening *o)
{
    return o->stone_count % 2;
}

int gomoku_opening_first_side(const ply_rules *rules, const void *procedure)
{
    (void)rules;
    return ((const opening *)procedure)->black;
}

int gomoku_opening_to_act(const ply_rules *rules, const void *procedure)
{
    (void)rules;
    const opening *o = procedure;
    switch (current_step(o).kind) {
    case STEP_END:
        return -1;
    case STEP_PLACE_FIRST:
        return 0;
    case STEP_PLACE_SECOND:
        return 1;
    case STEP_PLACE_OWNER:
        return next_colour(o) == GOMOKU_BLACK ? o->black : !o->black;
    case STEP_DECLARE:
        return o->last;
    case STEP_OFFER:
        return o->black;
    case STEP_CHOOSE:
        return !o->black;
    default:
        return !o->last;
    }
}

/* The kinds of action possible now, bit 1 << ply_opening_act each. */
static unsigned possible_acts(const opening *o)
{
    unsigned swap = 1u << PLY_OPENING_SWAP | 1u << PLY_OPENING_STAY;
    switch (current_step(o).kind) {
    case STEP_END:
        return 0;
    case STEP_PLACE_FIRST:
    case STEP_PLACE_SECOND:
    case STEP_PLACE_OWNER:
        return 1u << PLY_OPENING_PLACE;
    case STEP_SWAP:
        return swap;
    case STEP_SWAP_OR_EXTEND:
    case STEP_SWAP_OR_OFFER:
        return swap | 1u << PLY_OPENING_EXTEND;
    case STEP_DECLARE:
        return 1u << PLY_OPENING_DECLARE;
    case STEP_OFFER:
        return 1u << PLY_OPENING_OFFER;
    default:
        return 1u << PLY_OPENING_CHOOSE;
    }
}

static bool is_possible(const opening *o, ply_opening_act act)
{
    return possible_acts(o) >> act & 1;
}

/* --- points ---------------------------------------------------------------------------------- */
static bool is_among(const uint16_t *cells, size_t count, int cell)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i] == cell)
            return true;
    return false;
}

static bool is_within(const ply_rules *rules, int cell, int distance)
{
    int x = 2 * gomoku_x(cell) - (gomoku_width(rules) - 1);
    int y = 2 * gomoku_y(cell) - (gomoku_height(rules) - 1);
    int limit = 2 * distance;
    return distance == ANYWHERE || (x >= -limit && x <= limit && y >= -limit && y <= limit);
}

/* Whether image i of the board maps black stones to black stones and white ones to white ones. */
static bool keeps_stones(const ply_rules *rules, const opening *o, uint32_t i)
{
    for (int s = 0; s < o->stone_count; s++) {
        int image = gomoku_image_cell(gomoku_width(rules), gomoku_height(rules), i, o->stones[s]);
        bool same = false;
        for (int k = s % 2; k < o->stone_count; k += 2)
            same = same || o->stones[k] == image;
        if (!same)
            return false;
    }
    return true;
}

/* Whether this fifth move, or one that is symmetric to it, has been offered. */
static bool is_offered(const ply_rules *rules, const opening *o, int cell)
{
    for (uint32_t i = 0; i < rules->symmetries; i++) {
        int image = gomoku_image_cell(gomoku_width(rules), gomoku_height(rules), i, cell);
        if (keeps_stones(rules, o, i) && is_among(o->offers, o->offer_count, image))
            return true;
    }
    return false;
}

/* NULL when the request can be granted, otherwise the reason why not. */
static const char *objection(const ply_rules *rules, const opening *o, request r)
{
    if (!is_possible(o, r.act))
        return possible_acts(o) ? "that is not possible now" : "the opening is over";
    bool taken = is_among(o->stones, o->stone_count, r.value);
    switch (r.act) {
    case PLY_OPENING_PLACE:
        return taken ? "the point is not empty"
               : !is_within(rules, r.value, current_step(o).argument)
                   ? "the point is too far from the centre"
                   : NULL;
    case PLY_OPENING_OFFER:
        return taken ? "the point is not empty"
               : is_offered(rules, o, r.value)
                   ? "the point or its mirror image has already been offered"
                   : NULL;
    case PLY_OPENING_CHOOSE:
        return is_among(o->offers, o->offer_count, r.value) ? NULL : "the point was not offered";
    case PLY_OPENING_DECLARE:
        return r.value >= 1 && r.value <= o->limit ? NULL
                                                   : "that number of fifth moves is not allowed";
    default:
        return NULL;
    }
}

/* --- actions --------------------------------------------------------------------------------- */
static const struct {
    const char *text;
    ply_opening_act act;
} words[] = {{"swap", PLY_OPENING_SWAP}, {"stay", PLY_OPENING_STAY}, {"more", PLY_OPENING_EXTEND}};

enum { WORDS = sizeof words / sizeof words[0] };

static void label_word(const ply_rules *rules, const opening *o, ply_opening_act act, ply_text *out)
{
    int side = gomoku_opening_to_act(rules, o) != o->black;
    if (act == PLY_OPENING_SWAP)
        ply_text_format(out, "Take %s", rules->game->player_names[!side]);
    else if (act == PLY_OPENING_STAY)
        ply_text_format(out, "Keep %s", rules->game->player_names[side]);
    else
        ply_text_string(out,
                        o->program == SWAP2 ? "Place two more stones" : "Offer ten fifth moves");
}

/* The caller's visit; false ends the list. */
typedef struct action_visitor {
    bool (*visit)(void *context, const ply_opening_action *action);
    void *context;
} action_visitor;

static bool visit_word(const ply_rules *rules, const opening *o, size_t i,
                       const action_visitor *visitor)
{
    ply_opening_action action = {.act = words[i].act};
    ply_text label = ply_text_fixed(action.label, sizeof action.label);
    strcpy(action.text, words[i].text);
    label_word(rules, o, action.act, &label);
    return visitor->visit(visitor->context, &action);
}

static bool visit_number(int number, const action_visitor *visitor)
{
    ply_opening_action action = {.act = PLY_OPENING_DECLARE, .number = number};
    ply_text text = ply_text_fixed(action.text, sizeof action.text);
    ply_text label = ply_text_fixed(action.label, sizeof action.label);
    ply_text_format(&text, "%d", number);
    ply_text_format(&label, "%d fifth move%s", number, number > 1 ? "s" : "");
    return visitor->visit(visitor->context, &action);
}

static bool visit_cell(ply_opening_act act, int cell, const action_visitor *visitor)
{
    ply_opening_action action = {.act = act, .move = gomoku_move(cell)};
    ply_text text = ply_text_fixed(action.text, sizeof action.text);
    gomoku_format_cell(cell, &text);
    strcpy(action.label, action.text);
    return visitor->visit(visitor->context, &action);
}

void gomoku_opening_actions(const ply_rules *rules, const void *procedure,
                            bool (*visit)(void *context, const ply_opening_action *action),
                            void *context)
{
    static const ply_opening_act on_cells[] = {PLY_OPENING_PLACE, PLY_OPENING_OFFER,
                                               PLY_OPENING_CHOOSE};
    const opening *o = procedure;
    action_visitor visitor = {visit, context};
    for (size_t i = 0; i < WORDS; i++)
        if (is_possible(o, words[i].act) && !visit_word(rules, o, i, &visitor))
            return;
    for (int i = 1; is_possible(o, PLY_OPENING_DECLARE) && i <= o->limit; i++)
        if (!visit_number(i, &visitor))
            return;
    for (size_t k = 0; k < sizeof on_cells / sizeof on_cells[0]; k++) {
        if (!is_possible(o, on_cells[k]))
            continue;
        for (int y = 0; y < gomoku_height(rules); y++)
            for (int x = 0; x < gomoku_width(rules); x++) {
                request r = {on_cells[k], gomoku_cell(x, y)};
                if (!objection(rules, o, r) && !visit_cell(r.act, r.value, &visitor))
                    return;
            }
    }
}

static ply_status parse_request(const ply_rules *rules, const opening *o, ply_cursor *cursor,
                                request *r)
{
    for (size_t i = 0; i < WORDS; i++)
        if (ply_cursor_accept_word(cursor, words[i].text)) {
            *r = (request){words[i].act, 0};
            return PLY_OK;
        }
    uint64_t number;
    if (ply_cursor_number(cursor, INT32_MAX, &number)) {
        *r = (request){PLY_OPENING_DECLARE, (int)number};
        return PLY_OK;
    }
    r->act = is_possible(o, PLY_OPENING_OFFER)    ? PLY_OPENING_OFFER
             : is_possible(o, PLY_OPENING_CHOOSE) ? PLY_OPENING_CHOOSE
                                                  : PLY_OPENING_PLACE;
    return gomoku_parse_cell(rules, cursor, &r->value);
}

static void place_stone(opening *o, int cell)
{
    o->stones[o->stone_count++] = (uint16_t)cell;
}

/* Carries out a request without objection; returns the step that follows. */
static int carry_out(opening *o, request r)
{
    step now = current_step(o);
    int next = o->step + 1;
    switch (r.act) {
    case PLY_OPENING_PLACE:
    case PLY_OPENING_CHOOSE:
        place_stone(o, r.value);
        break;
    case PLY_OPENING_OFFER:
        o->offers[o->offer_count++] = (uint16_t)r.value;
        if (o->offer_count < o->wanted)
            return o->step;
        if (o->wanted == 1) { /* nothing to choose from */
            place_stone(o, r.value);
            next++;
        }
        break;
    case PLY_OPENING_DECLARE:
        o->wanted = (uint8_t)r.value;
        break;
    case PLY_OPENING_SWAP:
        o->black = !o->black;
        break;
    default:
        break;
    }
    bool extends = r.act == PLY_OPENING_EXTEND;
    bool jumps = (now.kind == STEP_SWAP_OR_EXTEND && !extends) ||
                 (now.kind == STEP_SWAP_OR_OFFER && extends);
    return jumps ? now.argument : next;
}

ply_status gomoku_opening_perform(const ply_rules *rules, void *procedure, ply_cursor *cursor)
{
    opening *o = procedure;
    ply_cursor at_action = *cursor;
    request r = {0};
    ply_status status = parse_request(rules, o, cursor, &r);
    if (status != PLY_OK)
        return status;
    const char *reason = objection(rules, o, r);
    if (reason)
        return ply_cursor_fail(&at_action, PLY_ILLEGAL_MOVE, "%s", reason);
    int player = gomoku_opening_to_act(rules, o);
    o->step = (uint8_t)carry_out(o, r);
    o->last = (uint8_t)player;
    return PLY_OK;
}

/* --- what has been settled ------------------------------------------------------------------- */
static size_t list_moves(const uint16_t *cells, size_t count, ply_move *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = gomoku_move(cells[i]);
    return count;
}

size_t gomoku_opening_moves(const ply_rules *rules, const void *procedure, ply_move *out)
{
    (void)rules;
    const opening *o = procedure;
    return list_moves(o->stones, o->stone_count, out);
}

size_t gomoku_opening_offers(const ply_rules *rules, const void *procedure, ply_move *out)
{
    (void)rules;
    const opening *o = procedure;
    return list_moves(o->offers, o->offer_count, out);
}

static void describe_step(const opening *o, ply_text *out)
{
    step now = current_step(o);
    switch (now.kind) {
    case STEP_PLACE_FIRST:
    case STEP_PLACE_SECOND:
    case STEP_PLACE_OWNER:
        ply_text_format(out, "place a %s stone", next_colour(o) ? "white" : "black");
        if (now.argument == CENTRE)
            ply_text_string(out, " in the centre");
        else if (now.argument > 0)
            ply_text_format(out, " within the central %dx%d", 2 * now.argument + 1,
                            2 * now.argument + 1);
        break;
    case STEP_SWAP:
        ply_text_string(out, "swap colours, or stay");
        break;
    case STEP_SWAP_OR_EXTEND:
        ply_text_string(out, "swap colours, stay, or place two more stones (more)");
        break;
    case STEP_SWAP_OR_OFFER:
        ply_text_format(out, "swap colours, stay, or offer %d fifth moves (more)", o->wanted);
        break;
    case STEP_DECLARE:
        ply_text_format(out, "declare how many fifth moves will be offered, 1 to %d", o->limit);
        break;
    case STEP_OFFER:
        ply_text_format(out, "offer fifth move %d of %d", o->offer_count + 1, o->wanted);
        break;
    default:
        ply_text_string(out, "choose one of");
        for (int i = 0; i < o->offer_count; i++) {
            ply_text_char(out, ' ');
            gomoku_format_cell(o->offers[i], out);
        }
    }
}

void gomoku_opening_describe(const ply_rules *rules, const void *procedure, ply_text *out)
{
    const opening *o = procedure;
    const char *const *names = rules->game->player_names;
    int player = gomoku_opening_to_act(rules, o);
    if (player < 0) {
        ply_text_format(out, "The opening is over; player %d has %s.\n", o->black + 1, names[0]);
        return;
    }
    ply_text_format(out, "Player %d (%s): ", player + 1, names[player != o->black]);
    describe_step(o, out);
    ply_text_string(out, ".\n");
}
