# SPDX-License-Identifier: MIT
"""null_calls.py HEADERS OUT: writes the calls of test_null.c, made from the declarations in the public headers.

Every function is called with NULL for all of its pointers, then with NULL for each pointer in turn and valid values
for the others, and last with numbers that are too large. A parameter of a type that VALID does not know is an error,
so that a new function cannot be forgotten.
"""
import glob
import os
import re
import sys

# The games' own headers describe representations; their functions trust their arguments.
HEADERS_OF_GAMES = {"checkers.h", "fived.h", "fived_vec4.h", "fived_widths.h", "gomoku.h", "neighbours.h", "shogi.h"}
# What the writer of a game or of a solver calls; docs/c-api.md says that these trust their arguments.
TRUSTING = re.compile(r"ply_(cursor_(?!make)|game_(?!count$|at$|find$|register$|player_name$)|layout_(section|add)$|"
                      r"solve_(continue|stop_reason)$|proof_(?!check$|memory))")
LENGTHS = {"length", "name_length", "value_length", "bytes", "size", "capacity", "room", "count"}

# A valid value for a parameter, by its type or by its type and name. f is the fixture of test_null.c.
VALID = {
    "char *": "f->buffer", "const char *": '"1"', "const char *dir": "f->folder", "const char *format": '"ply"',
    "const int32_t *": "f->numbers", "int32_t *": "f->numbers", "int *": "&f->number", "size_t *": "&f->count",
    "const uint32_t *": "f->indices", "uint32_t *": "f->indices", "const uint64_t *": "f->words",
    "uint64_t *": "f->words", "const uint8_t *": "f->bytes", "const volatile bool *": "&f->stop",
    "const void *": "f->state.position", "void *": "f->bytes", "void *memory": "&f->memory",
    "void *context": "&f->memory", "ply_batch **": "&f->other_batch", "ply_batch *": "f->batch",
    "ply_book *": "f->book", "ply_book **": "&f->book",
    "ply_book_move *": "&f->book_move", "ply_book_options *": "&f->book_options", "ply_rng *": "&f->rng",
    "ply_batch_options *": "&f->batch_options", "ply_batch_totals *": "&f->batch_totals", "ply_error *": "&f->error",
    "ply_format *": "ply_format_at(f->rules.game, 0)", "ply_game *": "f->rules.game",
    "ply_goal *": "ply_goal_at(f->rules.game, 0)", "ply_layout *": "f->layout", "ply_layout **layout": "&f->layouts[0]",
    "ply_layout **before": "&f->layouts[1]", "ply_move *": "&f->moves[0]", "ply_network *": "f->network",
    "ply_network **": "&f->other_network", "ply_perft_options *": "&f->perft_options", "ply_perft_entry *": "f->entries",
    "ply_player *": "f->player", "ply_player_answer *": "&f->answer", "ply_player_spec *": "&f->spec",
    "ply_playout_options *": "&f->playout_options", "ply_playout_totals *": "&f->totals",
    "ply_progress *": "&f->progress", "ply_proof_memory *": "&f->memory", "ply_proof_sink *": "ply_proof_memory_sink",
    "ply_proof_source *": "&f->source", "ply_proof_summary *": "&f->summary", "ply_record *": "&f->record",
    "ply_result *": "&f->result", "ply_rules *": "&f->rules", "ply_search_kind *": "&f->kind",
    "ply_search_limits *": "&f->limits", "ply_search_listener *": "NULL", "ply_search_options *": "&f->search_options",
    "ply_search_report *": "&f->report", "ply_searcher *": "f->searcher", "ply_session *": "f->session",
    "ply_session_options *": "&f->session_options", "ply_solve_limits *": "&f->solve_limits",
    "ply_solve_listener *": "NULL", "ply_solve_options *": "&f->solve_options", "ply_solve_report *": "&f->verdict",
    "ply_solve_try *": "&f->attempt", "ply_solver *": "f->solver", "ply_state *": "&f->state",
    "ply_tablebase *": "f->tablebase", "ply_tablebase **": "&f->other_tablebase", "ply_tablebase_info **": "&f->infos",
    "ply_tablebase_job *": "&f->job", "ply_tablebase_move *": "f->table_moves", "ply_tablebase_value *": "&f->value",
    "ply_text *": "&f->text", "ply_variant *": "f->rules.variant",
}


def declarations(folder):
    """(name, [parameters]) of every function that does not trust its arguments."""
    for path in sorted(glob.glob(os.path.join(folder, "*.h"))):
        if os.path.basename(path) in HEADERS_OF_GAMES:
            continue
        with open(path) as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        text = re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.M)
        for name, parameters in re.findall(r"PLY_API[^;{(]*?\b(ply_\w+)\(([^;]*?)\)\s*(?:PLY_PRINTF\([^)]*\))?\s*;", text):
            found = [" ".join(parameter.split()) for parameter in parameters.split(",")]
            if not TRUSTING.match(name) and found != ["void"]:
                if found[-1] == "...":  # the compiler itself objects to a format that is NULL
                    found = [parameter for parameter in found[:-1] if parameter != "const char *format"] + ["TEXT"]
                yield name, found


def valid(parameter, number):
    """A valid argument; `number` stands for an index."""
    if parameter == "TEXT":
        return '"text"'
    kind, name = re.fullmatch(r"(.*?)(\w+)", parameter).groups()
    if "*" in kind:
        plain = kind.replace("const ", "") if "ply_" in kind else kind
        for key in (kind + name, plain + name, kind, plain):
            if key in VALID:
                return VALID[key]
        sys.exit(f"null_calls.py: no valid value for '{parameter}'")
    if kind.strip() == "ply_move":
        return "f->moves[0]"
    if kind.strip() == "ply_tablebase_value":
        return "f->value"
    return f"({kind.strip()}){1 if name in LENGTHS else number}"


def calls(name, parameters):
    """The arguments of each call of a function."""
    pointers = [i for i, parameter in enumerate(parameters) if "*" in parameter]
    good = [valid(parameter, 0) for parameter in parameters]
    if pointers:
        yield ["NULL" if i in pointers else argument for i, argument in enumerate(good)]
    for i in pointers:
        yield good[:i] + ["NULL"] + good[i + 1:]
    if len(pointers) < len(parameters):
        yield [valid(parameter, 9) for parameter in parameters]


def main(folder, out):
    made = [f"{name}({', '.join(arguments)})" for name, parameters in declarations(folder)
            for arguments in calls(name, parameters)]
    with open(out, "w") as file:
        file.writelines(f"CALL({number}, {call})\n" for number, call in enumerate(made))


if __name__ == "__main__":
    main(*sys.argv[1:])
