# SPDX-License-Identifier: MIT
"""The layers of docs/architecture.md, enforced: no include and no symbol reaches up.

The table in that page is the authority: one row per folder, with the folders it may use. Every folder of src/ has a row; a
folder may always use itself and the public headers.
"""
import collections
import os
import re
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ["PLYVERSE_BUILD"]
PREFIXES = ("ply_", "shogi_", "checkers_", "fived_", "gomoku_", "neighbours_")


def read_layers():
    """folder -> set of folders it may use, from the table between the two markers of architecture.md."""
    layers = {}
    with open(os.path.join(ROOT, "docs/architecture.md"), encoding="utf-8") as page:
        table = page.read().split("<!-- layers -->")[1].split("<!-- end of layers -->")[0]
    for row in table.splitlines():
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        if len(cells) < 3 or not cells[0].startswith("`src/"):
            continue
        folder = cells[0].strip("`").removeprefix("src/").rstrip("/")
        layers[folder] = set(re.findall(r"`([A-Za-z/]+)`", cells[1]))
    return layers


LAYERS = read_layers()


def layer_of(path):
    """The layer of a source path below src/: the longest folder with a row; each game is a layer of its own."""
    game = re.match(r"games/([a-z]+)/", path)
    if game:
        return "games/" + game.group(1)
    folder = os.path.dirname(path)
    while folder and folder not in LAYERS:
        folder = os.path.dirname(folder)
    return folder


def may_use(user, used):
    if user == used:
        return True
    allowed = LAYERS["games/GAME" if user.startswith("games/") else user]
    if used.startswith("games/"):
        return "games/GAME" in allowed
    return used in allowed


def sources():
    for folder, _, files in os.walk(os.path.join(ROOT, "src")):
        for file in files:
            if file.endswith((".c", ".h", ".inc", ".cu")):
                yield os.path.relpath(os.path.join(folder, file), os.path.join(ROOT, "src"))


def objects():
    """(source path below src/, object file) of everything that is built."""
    targets = os.path.join(BUILD, "CMakeFiles")
    for target in sorted(os.listdir(targets)):
        if not re.fullmatch(r"(ply_objects|ply_isa_\w+|ply_server|plyverse)\.dir", target):
            continue
        base = os.path.join(targets, target, "src")
        for folder, _, files in os.walk(base):
            for file in files:
                if file.endswith(".c.o"):
                    path = os.path.join(folder, file)
                    yield os.path.relpath(path, base)[:-2], path


def symbols(paths):
    """(file, name, is defined) of the global names in object files."""
    out = subprocess.run(["nm", "-A", "-g", "--format=posix", *paths], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        file, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        yield file, name, kind not in "Uw"


class Layers(unittest.TestCase):
    maxDiff = None

    def test_every_folder_has_a_row(self):
        folders = {os.path.dirname(path) for path in sources()}
        self.assertEqual([f for f in sorted(folders) if not layer_of(f + "/x.c")], [])
        for folder, used in LAYERS.items():
            self.assertEqual([u for u in used if u not in LAYERS], [], f"row {folder} names unknown folders")
            if "GAME" not in folder:
                self.assertTrue(os.path.isdir(os.path.join(ROOT, "src", folder)), f"row {folder}: no such folder")

    def test_layers_have_no_cycle(self):
        done, path = set(), []

        def visit(layer):
            self.assertNotIn(layer, path, " -> ".join(path + [layer]))
            if layer in done:
                return
            path.append(layer)
            for used in LAYERS[layer]:
                visit(used)
            path.pop()
            done.add(layer)

        for layer in LAYERS:
            visit(layer)

    def test_includes_go_down(self):
        wrong = []
        for path in sources():
            with open(os.path.join(ROOT, "src", path), encoding="utf-8") as file:
                for included in re.findall(r'^#include "([^"]+)"', file.read(), re.M):
                    if not os.path.exists(os.path.join(ROOT, "src", included)):
                        continue  # generated at build time, next to its generator
                    if not may_use(layer_of(path), layer_of(included)):
                        wrong.append(f"{path} includes {included}")
                    elif included.endswith("_internal.h") and os.path.dirname(included) != os.path.dirname(path):
                        wrong.append(f"{path} includes the private header {included}")
        self.assertEqual(wrong, [])

    def test_symbols_go_down(self):
        owner, needed = {}, collections.defaultdict(set)
        source_of = {path: source for source, path in objects()}
        for path, name, is_defined in symbols(source_of):
            if is_defined:
                owner[name] = layer_of(source_of[path])
            else:
                needed[name].add(source_of[path])
        self.assertGreater(len(owner), 500)
        wrong = sorted(f"{source} uses {name} of {owner[name]}" for name, users in needed.items() if name in owner
                       for source in users if not may_use(layer_of(source), owner[name]))
        self.assertEqual(wrong, [])


class Symbols(unittest.TestCase):
    maxDiff = None

    def test_static_library_has_only_prefixed_names(self):
        found = symbols([os.path.join(BUILD, "libplyverse.a")])
        names = {name for _, name, is_defined in found if is_defined and not name.startswith("_")}
        self.assertGreater(len(names), 500)
        self.assertEqual(sorted(n for n in names if not n.startswith(PREFIXES)), [])

    def test_shared_library_exports_the_public_headers(self):
        declared = set()
        folder = os.path.join(ROOT, "include/plyverse")
        for file in os.listdir(folder):
            with open(os.path.join(folder, file), encoding="utf-8") as header:
                text = re.sub(r"/\*.*?\*/|^#.*?[^\\\\]$", "", header.read(), flags=re.S | re.M)
            for declaration in re.findall(r"PLY_API[^;]*;", text):
                declared.update(re.findall(r"\b(\w+)\s*\(", declaration.replace("PLY_PRINTF", ""))[:1])
        out = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", os.path.join(BUILD, "libplyverse.so")],
                             check=True, capture_output=True, text=True).stdout
        exported = {line.split()[0].split("@")[0] for line in out.splitlines() if line.split()[1] in "TDRB"}
        self.assertEqual(sorted(exported), sorted(declared))


class Sizes(unittest.TestCase):
    """The limits of CONTRIBUTING.md."""

    def test_folders_files_and_functions(self):
        wrong = []
        per_folder = collections.Counter(os.path.dirname(path) for path in sources())
        wrong += [f"src/{folder} has {count} files" for folder, count in per_folder.items() if count > 25]
        for path in sources():
            with open(os.path.join(ROOT, "src", path), encoding="utf-8") as file:
                lines = file.read().split("\n")
            if len(lines) > 601:
                wrong.append(f"src/{path} has {len(lines) - 1} lines")
            start = None
            for number, line in enumerate(lines, 1):
                if line == "{":
                    start = number
                elif line == "}" and start:
                    if number - start > 100:
                        wrong.append(f"src/{path}:{start}: a function of {number - start} lines")
                    start = None
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
