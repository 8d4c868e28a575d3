#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    (void)argc;
    ply_rules r;
    ply_rules_make(&r, ply_game_find("neighbours"), argc > 2 ? argv[2] : "", NULL);
    ply_state s;
    ply_state_init(&s, &r);
    uint64_t n;
    ply_perft_options o = {.threads = argc > 3 ? 2 : 1};
    ply_perft(&s, atoi(argv[1]), &o, &n, NULL, NULL);
    printf("nodes %lu\n", n);
    ply_playout_totals t;
    ply_playout_options po = {.games = argc > 4 ? 100000 : 1000, .seed = 1, .max_plies = 10000};
    ply_playouts(&s, &po, &t);
    printf("plies %lu %lu %lu %lu %lu long %zu\n", t.plies, t.results[0], t.results[1],
           t.results[2], t.results[3], t.longest);
}
