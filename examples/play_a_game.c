/* SPDX-License-Identifier: MIT */
/* play_a_game.c - rules, moves, playing, taking back, saving: the everyday functions. */
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    ply_rules rules;
    ply_state state;
    ply_error error;

    /* A typo is an error value, not a crash. */
    if (ply_rules_make(&rules, ply_game_find("chekers"), NULL, &error) != PLY_OK)
        printf("error: %s (%s)\n", error.message, ply_status_name(error.status));

    if (ply_rules_make(&rules, ply_game_find("checkers"), "russian", &error) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK)
        return EXIT_FAILURE;

    /* The legal moves. */
    ply_move moves[256];
    size_t count = ply_state_moves(&state, moves, 256);
    printf("%zu moves:", count);
    for (size_t i = 0; i < count; i++) {
        char buffer[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(buffer, sizeof buffer);
        ply_state_move_text(&state, moves[i], &text);
        printf(" %s", buffer);
    }
    printf("\n");

    /* Playing: a move from the list, or moves from text. A bad one changes nothing. */
    const char *opening = "c3-d4 d6-c5";
    if (ply_state_play_text(&state, opening, strlen(opening), &error) != PLY_OK)
        return EXIT_FAILURE;
    if (ply_state_play_text(&state, "a1-a8", 5, &error) != PLY_OK)
        printf("error at column %u: %s\n", error.column, error.message);
    printf("ply %zu, %s to move, %s\n", state.plies,
           ply_game_player_name(&rules, ply_state_side(&state)),
           ply_result_name(ply_state_outcome(&state).result));

    ply_text text = ply_text_growing();
    ply_state_draw(&state, PLY_DRAW_ASCII, &text);
    fputs(ply_text_cstr(&text), stdout);

    /* Saving the whole game as text, and a copy made from it. */
    ply_state copy;
    ply_text_clear(&text);
    if (ply_state_save(&state, &text) != PLY_OK || ply_state_init(&copy, &rules) != PLY_OK)
        return EXIT_FAILURE;
    printf("saved: %s\n", ply_text_cstr(&text));
    if (ply_state_load(&copy, ply_text_cstr(&text), text.length, &error) != PLY_OK)
        return EXIT_FAILURE;
    printf("loaded: %s\n", ply_state_key(&copy) == ply_state_key(&state) ? "equal" : "different");

    /* A random game to the end. */
    ply_rng rng = ply_rng_make(1, 0);
    while (ply_state_outcome(&copy).result == PLY_ONGOING) {
        count = ply_state_moves(&copy, moves, 256);
        if (ply_state_play(&copy, moves[ply_rng_below(&rng, (uint32_t)count)]) != PLY_OK)
            return EXIT_FAILURE;
    }
    ply_outcome outcome = ply_state_outcome(&copy);
    printf("after %zu plies: %s, %s\n", copy.plies, ply_result_score(outcome.result),
           outcome.reason);

    ply_text_free(&text);
    ply_state_free(&copy);
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
