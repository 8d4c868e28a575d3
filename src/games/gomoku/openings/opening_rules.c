/* SPDX-License-Identifier: MIT */
/* opening_rules.c - see opening_rules.h. Each rule is a list of steps; the state is the place in the list. */
#include "games/gomoku/openings/opening_rules.h"
#include <string.h>

enum { ANYWHERE = -1, CENTRE = 0 };

typedef enum step_kind {
    STEP_END,
    STEP_PLACE_FIRST,  /* by player 0 */
    STEP_PLACE_SECOND, /* by player 1 */
    STEP_PLACE_OWNER,  /* by the player of the stone's colour */
    STEP_SWAP,         /* by the player who did not act last */
    STEP_SWAP_OR_MORE, /* the same; `more` goes on with the next step, the others go to `jump` */
    STEP_SWAP_OR_TEN,  /* the same; `more` goes to `jump`, the others go on */
    STEP_DECLARE,      /* by the player who put the fourth stone */
    STEP_OFFER,        /* by Black, as many as wanted */
    STEP_CHOOSE,       /* by White */
} step_kind;

typedef struct step {
    step_kind kind;
    int area; /* PLACE: how far from the centre; SWAP_OR_*: the step to jump to */
} step;

enum { STEPS = 14, TEN = 10, MOST_DECLARED = 12 };

static const struct {
    const char *name;
    bool centred; /* begins in the middle of the board */
    step steps[STEPS];
} programs[GOMOKU_OPENING_RULES] = {
    [GOMOKU_OPENING_SWAP] = {"swap",
                             false,
                             {{STEP_PLACE_FIRST, ANYWHERE},
                              {STEP_PLACE_FIRST, ANYWHERE},
                              {STEP_PLACE_FIRST, ANYWHERE},
                              {STEP_SWAP, 0},
                              {STEP_END, 0}}},
    [GOMOKU_OPENING_SWAP2] = {"swap2",
                              false,
                              {{STEP_PLACE_FIRST, ANYWHERE},
                               {STEP_PLACE_FIRST, ANYWHERE},
                               {STEP_PLACE_FIRST, ANYWHERE},
                               {STEP_SWAP_OR_MORE, 7},
                               {STEP_PLACE_SECOND, ANYWHERE},
                               {STEP_PLACE_SECOND, ANYWHERE},
                               {STEP_SWAP, 0},
                               {STEP_END, 0}}},
    [GOMOKU_OPENING_RIF] = {"rif",
                            true,
                            {{STEP_PLACE_FIRST, CENTRE},
                             {STEP_PLACE_FIRST, 1},
                             {STEP_PLACE_FIRST, 2},
                             {STEP_SWAP, 0},
                             {STEP_PLACE_OWNER, ANYWHERE},
                             {STEP_OFFER, 0},
                             {STEP_CHOOSE, 0},
                             {STEP_END, 0}}},
    [GOMOKU_OPENING_SOOSORV] = {"soosorv",
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
    [GOMOKU_OPENING_TARAGUCHI] = {"taraguchi-10",
                                  true,
                                  {{STEP_PLACE_OWNER, CENTRE},
                                   {STEP_SWAP, 0},
                                   {STEP_PLACE_OWNER, 1},
                                   {STEP_SWAP, 0},
                                   {STEP_PLACE_OWNER, 2},
                                   {STEP_SWAP, 0},
                                   {STEP_PLACE_OWNER, 3},
                                   {STEP_SWAP_OR_TEN, 11},
                                   {STEP_PLACE_OWNER, 4},
                                   {STEP_SWAP, 0},
                                   {STEP_END, 0},
                                   {STEP_OFFER, 0},
                                   {STEP_CHOOSE, 0},
                                   {STEP_END, 0}}},
};

static step step_of(const gomoku_opening *o)
{
    return programs[o->rule].steps[o->step];
}

ply_status gomoku_opening_start(gomoku_opening *opening, const ply_rules *rules, const char *name,
                                ply_error *error)
{
    *opening = (gomoku_opening){.rules = rules, .rule = GOMOKU_OPENING_RULES, .last = 1};
    size_t stem = strlen(programs[GOMOKU_OPENING_SOOSORV].name);
    for (int r = 0; r < GOMOKU_OPENING_RULES; r++)
        if (strcmp(name, programs[r].name) == 0 && r != GOMOKU_OPENING_SOOSORV)
            opening->rule = (enum gomoku_opening_rule)r;
    if (strncmp(name, "soosorv-", stem + 1) == 0) {
        ply_cursor number = ply_cursor_make(name + stem + 1, strlen(name) - stem - 1, NULL);
        uint64_t limit;
        if (ply_cursor_number(&number, MOST_DECLARED, &limit) && limit > 0 &&
            ply_cursor_done(&number)) {
            opening->rule = GOMOKU_OPENING_SOOSORV;
            opening->limit = (uint8_t)limit;
        }
    }
    if (opening->rule == GOMOKU_OPENING_RULES)
        return ply_error_set(error, PLY_BAD_OPTION,
                             "no opening rule '%.40s'; there are swap, swap2, rif, soosorv-1 to "
                             "soosorv-%d and taraguchi-10",
                             name, MOST_DECLARED);
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (programs[opening->rule].centred &&
        (width % 2 == 0 || height % 2 == 0 || width < 9 || height < 9))
        return ply_error_set(error, PLY_BAD_OPTION,
                             "%s wants an odd number of rows and of columns, nine at least", name);
    opening->wanted = opening->rule == GOMOKU_OPENING_TARAGUCHI ? TEN : 2;
    return PLY_OK;
}

void gomoku_opening_name(const gomoku_opening *opening, ply_text *out)
{
    ply_text_string(out, programs[opening->rule].name);
    if (opening->rule == GOMOKU_OPENING_SOOSORV)
        ply_text_format(out, "-%d", opening->limit);
}

bool gomoku_opening_done(const gomoku_opening *opening)
{
    return step_of(opening).kind == STEP_END;
}

int gomoku_opening_black(const gomoku_opening *opening)
{
    return opening->black;
}

int gomoku_opening_colour(const gomoku_opening *opening)
{
    return opening->stone_count % 2;
}

int gomoku_opening_player(const gomoku_opening *opening)
{
    int black = opening->black;
    switch (step_of(opening).kind) {
    case STEP_END:
        return -1;
    case STEP_PLACE_FIRST:
        return 0;
    case STEP_PLACE_SECOND:
        return 1;
    case STEP_PLACE_OWNER:
        return gomoku_opening_colour(opening) == GOMOKU_BLACK ? black : !black;
    case STEP_DECLARE:
        return opening->last;
    case STEP_OFFER:
        return black;
    case STEP_CHOOSE:
        return !black;
    default:
        return !opening->last;
    }
}

unsigned gomoku_opening_acts(const gomoku_opening *opening)
{
    unsigned swap = 1u << GOMOKU_ACT_SWAP | 1u << GOMOKU_ACT_STAY;
    switch (step_of(opening).kind) {
    case STEP_END:
        return 0;
    case STEP_PLACE_FIRST:
    case STEP_PLACE_SECOND:
    case STEP_PLACE_OWNER:
        return 1u << GOMOKU_ACT_PLACE;
    case STEP_SWAP:
        return swap;
    case STEP_SWAP_OR_MORE:
    case STEP_SWAP_OR_TEN:
        return swap | 1u << GOMOKU_ACT_MORE;
    case STEP_DECLARE:
        return 1u << GOMOKU_ACT_DECLARE;
    case STEP_OFFER:
        return 1u << GOMOKU_ACT_OFFER;
    default:
        return 1u << GOMOKU_ACT_CHOOSE;
    }
}

/* --- points ---------------------------------------------------------------------------------- */
static bool is_among(const uint16_t *cells, size_t count, int cell)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i] == cell)
            return true;
    return false;
}

static bool is_on_board(const gomoku_opening *o, int cell)
{
    return cell >= 0 && cell < GOMOKU_MAX_CELLS && gomoku_x(cell) < gomoku_width(o->rules) &&
           gomoku_y(cell) < gomoku_height(o->rules);
}

static bool is_empty(const gomoku_opening *o, int cell)
{
    return is_on_board(o, cell) && !is_among(o->stones, o->stone_count, cell);
}

static bool is_within(const gomoku_opening *o, int cell, int area)
{
    int x = 2 * gomoku_x(cell) - (gomoku_width(o->rules) - 1);
    int y = 2 * gomoku_y(cell) - (gomoku_height(o->rules) - 1);
    return area == ANYWHERE || (x >= -2 * area && x <= 2 * area && y >= -2 * area && y <= 2 * area);
}

/* Image i of the board leaves the stones where they are, colour by colour. */
static bool keeps_stones(const gomoku_opening *o, uint32_t i)
{
    for (int s = 0; s < o->stone_count; s++) {
        int image =
            gomoku_image_cell(gomoku_width(o->rules), gomoku_height(o->rules), i, o->stones[s]);
        bool same = false;
        for (int k = s % 2; k < o->stone_count; k += 2)
            same = same || o->stones[k] == image;
        if (!same)
            return false;
    }
    return true;
}

/* The same fifth as one already offered, or its mirror image. */
static bool is_offered(const gomoku_opening *o, int cell)
{
    for (uint32_t i = 0; i < o->rules->symmetries; i++) {
        int image = gomoku_image_cell(gomoku_width(o->rules), gomoku_height(o->rules), i, cell);
        if (keeps_stones(o, i) && is_among(o->offers, o->offer_count, image))
            return true;
    }
    return false;
}

/* NULL when it may be done, else why not. */
static const char *objection(const gomoku_opening *o, gomoku_opening_action action)
{
    if (!(gomoku_opening_acts(o) >> action.act & 1))
        return gomoku_opening_done(o) ? "the opening is over" : "that cannot be done now";
    switch (action.act) {
    case GOMOKU_ACT_PLACE:
        return !is_empty(o, action.value) ? "the point is not empty"
               : !is_within(o, action.value, step_of(o).area)
                   ? "the point is too far from the centre"
                   : NULL;
    case GOMOKU_ACT_OFFER:
        return !is_empty(o, action.value) ? "the point is not empty"
               : is_offered(o, action.value)
                   ? "the point is offered already, or its mirror image is"
                   : NULL;
    case GOMOKU_ACT_CHOOSE:
        return is_among(o->offers, o->offer_count, action.value) ? NULL
                                                                 : "the point was not offered";
    case GOMOKU_ACT_DECLARE:
        return action.value >= 1 && action.value <= o->limit ? NULL
                                                             : "so many fifths cannot be declared";
    default:
        return NULL;
    }
}

bool gomoku_opening_may(const gomoku_opening *opening, gomoku_opening_action action)
{
    return objection(opening, action) == NULL;
}

static void choose(gomoku_opening *o, int cell)
{
    o->stones[o->stone_count++] = (uint16_t)cell;
}

ply_status gomoku_opening_do(gomoku_opening *opening, gomoku_opening_action action,
                             ply_error *error)
{
    const char *why = objection(opening, action);
    if (why)
        return ply_error_set(error, PLY_ILLEGAL_MOVE, "%s", why);
    step now = step_of(opening);
    int player = gomoku_opening_player(opening), next = opening->step + 1;
    bool more = action.act == GOMOKU_ACT_MORE;
    switch (action.act) {
    case GOMOKU_ACT_PLACE:
        opening->stones[opening->stone_count++] = (uint16_t)action.value;
        break;
    case GOMOKU_ACT_OFFER:
        opening->offers[opening->offer_count++] = (uint16_t)action.value;
        if (opening->offer_count < opening->wanted) {
            next = opening->step;
        } else if (opening->wanted == 1) {
            choose(opening, action.value); /* nothing to choose from */
            next++;
        }
        break;
    case GOMOKU_ACT_CHOOSE:
        choose(opening, action.value);
        break;
    case GOMOKU_ACT_DECLARE:
        opening->wanted = (uint8_t)action.value;
        break;
    case GOMOKU_ACT_SWAP:
        opening->black = !opening->black;
        break;
    default:
        break;
    }
    if ((now.kind == STEP_SWAP_OR_MORE && !more) || (now.kind == STEP_SWAP_OR_TEN && more))
        next = now.area;
    opening->step = (uint8_t)next;
    opening->last = (uint8_t)player;
    return PLY_OK;
}

size_t gomoku_opening_moves(const gomoku_opening *opening, ply_move *out)
{
    for (size_t i = 0; i < opening->stone_count; i++)
        out[i] = gomoku_move(opening->stones[i]);
    return opening->stone_count;
}

/* --- words ----------------------------------------------------------------------------------- */
static const struct {
    const char *word;
    enum gomoku_opening_act act;
} words[] = {{"swap", GOMOKU_ACT_SWAP}, {"stay", GOMOKU_ACT_STAY}, {"more", GOMOKU_ACT_MORE}};

ply_status gomoku_opening_parse(const gomoku_opening *opening, ply_cursor *cursor,
                                gomoku_opening_action *action)
{
    ply_cursor at_act = *cursor;
    unsigned acts = gomoku_opening_acts(opening);
    uint64_t number;
    *action = (gomoku_opening_action){.act = GOMOKU_ACTS};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ply_cursor_accept_word(cursor, words[i].word))
            action->act = words[i].act;
    if (action->act == GOMOKU_ACTS && ply_cursor_number(cursor, INT32_MAX, &number)) {
        action->act = GOMOKU_ACT_DECLARE;
        action->value = (int)number;
    } else if (action->act == GOMOKU_ACTS) {
        action->act = acts >> GOMOKU_ACT_OFFER & 1    ? GOMOKU_ACT_OFFER
                      : acts >> GOMOKU_ACT_CHOOSE & 1 ? GOMOKU_ACT_CHOOSE
                                                      : GOMOKU_ACT_PLACE;
        ply_status status = gomoku_parse_cell(opening->rules, cursor, &action->value);
        if (status != PLY_OK)
            return status;
    }
    const char *why = objection(opening, *action);
    return why ? ply_cursor_fail(&at_act, PLY_ILLEGAL_MOVE, "%s", why) : PLY_OK;
}

void gomoku_opening_describe(const gomoku_opening *opening, ply_text *out)
{
    static const char *const colours[2] = {"Black", "White"};
    int player = gomoku_opening_player(opening);
    if (player < 0) {
        ply_text_format(out, "The opening is over; player %d has Black.\n", opening->black + 1);
        return;
    }
    ply_text_format(out, "Player %d (%s): ", player + 1, colours[player != opening->black]);
    step now = step_of(opening);
    switch (now.kind) {
    case STEP_PLACE_FIRST:
    case STEP_PLACE_SECOND:
    case STEP_PLACE_OWNER:
        ply_text_format(out, "put a %s stone", gomoku_opening_colour(opening) ? "white" : "black");
        if (now.area == CENTRE)
            ply_text_string(out, " in the centre");
        else if (now.area > 0)
            ply_text_format(out, " within the middle %dx%d", 2 * now.area + 1, 2 * now.area + 1);
        break;
    case STEP_SWAP:
        ply_text_string(out, "swap colours, or stay");
        break;
    case STEP_SWAP_OR_MORE:
        ply_text_string(out, "swap colours, stay, or put two more stones (more)");
        break;
    case STEP_SWAP_OR_TEN:
        ply_text_format(out, "swap colours, stay, or offer %d fifth stones (more)",
                        opening->wanted);
        break;
    case STEP_DECLARE:
        ply_text_format(out, "say how many fifth stones are to be offered, 1 to %d",
                        opening->limit);
        break;
    case STEP_OFFER:
        ply_text_format(out, "offer fifth stone %d of %d", opening->offer_count + 1,
                        opening->wanted);
        break;
    default:
        ply_text_string(out, "choose one of");
        for (int i = 0; i < opening->offer_count; i++) {
            ply_text_char(out, ' ');
            gomoku_format_cell(opening->offers[i], out);
        }
    }
    ply_text_string(out, ".\n");
}

const ply_opening_rule gomoku_opening_rules[] = {
    {"swap", "Swap", "The opener puts three stones; the other takes a colour."},
    {"swap2", "Swap2",
     "The opener puts three stones; the other takes a colour, or puts two more and leaves the "
     "choice."},
    {"rif", "RIF (renju)", "One of the 26 openings, a swap, and two fifth stones to choose from."},
    {"soosorv-8", "Soosorv-8 (renju)",
     "One of the 26 openings, a swap, a fourth stone with a number of fifths, a swap, the fifths, "
     "and a choice."},
    {"taraguchi-10", "Taraguchi-10 (renju)",
     "Stones within growing squares, a swap after each; or ten fifths to choose from."},
    {0},
};
