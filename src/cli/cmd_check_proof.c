/* SPDX-License-Identifier: MIT */
/* cmd_check_proof.c - plyverse check-proof: replays a proof using only the rules. */
#include "cli/cli.h"
#include "core/text/json_write.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile bool interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = true;
}

static void print(const cli_args *args, const ply_game *game, const ply_proof_summary *s,
                  const ply_text *position)
{
    ply_text out = ply_text_growing();
    bool win = s->verdict == PLY_VERDICT_WIN;
    if (cli_has(args, "--json")) {
        ply_json_open(&out, '{');
        ply_json_member_string(&out, "game", game->id);
        ply_json_member_string(&out, "variant", s->variant);
        ply_json_member_string(&out, "goal", s->goal);
        ply_json_member_string(&out, "position", ply_text_cstr(position));
        ply_json_member_string(&out, "verdict", win ? "win" : "no");
        ply_text_format(&out,
                        ",\"attacker\":%d,\"plies\":%" PRIu32 ",\"nodes\":%" PRIu64
                        ",\"labels\":%" PRIu64 ",\"depth\":%zu",
                        s->attacker, s->plies, s->nodes, s->labels, s->depth);
        ply_json_close(&out, '}');
        ply_text_char(&out, '\n');
    } else {
        ply_text_format(&out, "variant %s\ngoal %s\nposition %s\n", s->variant, s->goal,
                        ply_text_cstr(position));
        ply_text_format(&out, "attacker %s\nnodes %" PRIu64 "\nlabels %" PRIu64 "\ndepth %zu\n",
                        game->player_names[s->attacker], s->nodes, s->labels, s->depth);
        if (win)
            ply_text_format(&out, "proved win in %" PRIu32 "\n", s->plies);
        else
            ply_text_string(&out, "proved no\n");
    }
    cli_print_text(&out);
}

int cli_check_proof(const cli_args *args)
{
    const ply_game *game = cli_find_game(args);
    const char *path = args->operands[1];
    if (!game)
        return CLI_BAD;
    ply_proof_source source;
    FILE *file = cli_source_open(path, &source);
    if (!file)
        return cli_fail(args, "%s: %s", path, strerror(errno));
    struct sigaction action = {.sa_handler = on_interrupt}, old;
    sigaction(SIGINT, &action, &old);
    ply_proof_summary summary;
    ply_error error = {0};
    ply_text position = ply_text_growing();
    ply_status status =
        ply_proof_check(game, &source, 0, &interrupted, &summary, &position, &error);
    sigaction(SIGINT, &old, NULL);
    fclose(file);
    int result = CLI_OK;
    if (status == PLY_OK)
        print(args, game, &summary, &position);
    else if (status == PLY_STOPPED)
        result = CLI_STOPPED;
    else
        result = cli_fail(args, "%s: %s", path,
                          error.message[0] ? error.message : ply_status_text(status));
    ply_text_free(&position);
    return result;
}
