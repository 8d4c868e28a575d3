# SPDX-License-Identifier: MIT
"""The installation: the library, its package files, the man page and the completions."""
import glob
import os
import re
import subprocess
import tempfile
import unittest

from command import BUILD, SOURCE, run

PROGRAM = """
#include <plyverse/plyverse.h>
#include <stdio.h>
int main(void)
{
    ply_rules rules;
    ply_state state;
    uint64_t nodes;
    ply_perft_options options = {.threads = 2};
    if (ply_rules_make(&rules, ply_game_find("neighbours"), NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK ||
        ply_perft(&state, 4, &options, &nodes, NULL, NULL) != PLY_OK)
        return 1;
    printf("%llu\\n", (unsigned long long)nodes);
    ply_state_free(&state);
    return 0;
}
"""


PREFIX = r"(?:ply|checkers|fived|gomoku|neighbours|shogi)_"


def declared():
    """The functions that the public headers declare."""
    names = set()
    for path in glob.glob(os.path.join(SOURCE, "include/plyverse/*.h")):
        with open(path) as file:
            names |= set(re.findall(r"PLY_API[^;]*?\b(" + PREFIX + r"\w+)\(", file.read()))
    return names


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = cls.folder.name
        subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr"], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": cls.root})

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def find(self, name):
        found = [os.path.join(folder, name) for folder, _, files in os.walk(self.root)
                 if name in files]
        self.assertEqual(len(found), 1, (name, found))
        return found[0]

    def test_files(self):
        for name in ("plyverse.1", "_plyverse", "plyverse.pc", "plyverseConfig.cmake",
                     "plyverseConfigVersion.cmake", "libplyverse.a", "game.h", "checkers.h", "gomoku.h"):
            self.find(name)
        completion = os.path.join(self.root, "usr/share/bash-completion/completions/plyverse")
        self.assertTrue(os.path.exists(completion))
        subprocess.run(["bash", "-n", completion], check=True)

    def test_exports(self):
        library = glob.glob(os.path.join(self.root, "usr/lib/**/libplyverse.so"), recursive=True)[0]
        out = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                             capture_output=True, text=True).stdout
        exported = {line.split()[2].split("@")[0] for line in out.splitlines()
                    if line.split()[1] in "TDBR"}
        with open(os.path.join(SOURCE, "src/plyverse.map")) as file:
            listed = set(re.findall(r"^\s+(" + PREFIX + r"\w+);", file.read(), re.M))
        self.assertEqual(listed, declared())
        self.assertEqual({name for name in exported if re.match(PREFIX, name)}, declared())
        self.assertIn("PLYVERSE_0.1", out)

    def output_of(self, compiler, source):
        """Compiles a program against the installed library, runs it and returns what it prints."""
        with open(os.path.join(BUILD, "CMakeCache.txt")) as file:
            sanitized = re.search(r"^PLY_SANITIZE:STRING=(\S+)", file.read(), re.M)
        flags = ["-fsanitize=" + sanitized[1]] if sanitized else []
        package = os.path.dirname(self.find("plyverse.pc"))
        config = subprocess.run(["pkg-config", "--cflags", "--libs", "plyverse"], check=True,
                                capture_output=True, text=True,
                                env={**os.environ, "PKG_CONFIG_PATH": package}).stdout.split()
        program = os.path.join(self.root, "use")
        subprocess.run([*compiler, *flags, source, "-x", "none", "-o", program, *config], check=True)
        library = glob.glob(os.path.join(self.root, "usr/lib/**/libplyverse.so"), recursive=True)[0]
        return subprocess.run([program], check=True, capture_output=True, text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": os.path.dirname(library)}).stdout

    def test_linking(self):
        source = os.path.join(self.root, "use.c")
        with open(source, "w") as file:
            file.write(PROGRAM)
        self.assertEqual(self.output_of(["cc"], source), "43630\n")

    def test_notes(self):
        """The programs written from the design notes, as C and as C++, without a warning."""
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        sources = glob.glob(os.path.join(SOURCE, "examples/note_*.c"))
        self.assertGreaterEqual(len(sources), 2)
        for source in sources:
            with open(source[:-2] + ".out", encoding="utf-8") as file:
                expected = file.read()
            for compiler in (["gcc", "-std=c11"], ["g++", "-std=c++17", "-x", "c++"]):
                with self.subTest(source=os.path.basename(source), compiler=compiler[0]):
                    self.assertEqual(self.output_of([*compiler, *strict], source), expected)

    def test_cmake_package(self):
        folder = os.path.join(self.root, "consumer")
        os.makedirs(folder)
        with open(os.path.join(folder, "use.c"), "w") as file:
            file.write(PROGRAM)
        with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\nproject(use C)\n"
                       "find_package(plyverse REQUIRED)\nadd_executable(use use.c)\n"
                       "target_link_libraries(use plyverse::plyverse_static)\n")
        package = os.path.dirname(self.find("plyverseConfig.cmake"))
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["cmake", "-S", folder, "-B", folder + "/b", "-Dplyverse_DIR=" + package],
                       **quiet)
        subprocess.run(["cmake", "--build", folder + "/b"], **quiet)
        out = subprocess.run([folder + "/b/use"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(out, "43630\n")


class Description(unittest.TestCase):
    def test_one_source(self):
        """The man page and both completions have every command and option of --help."""
        pages = {kind: run("describe", kind)[1] for kind in ("man", "bash", "zsh")}
        commands = re.findall(r"^  (\w+)  ", run("--help")[1], re.M)
        self.assertIn("perft", commands)
        for command in commands:
            options = re.findall(r"^  (--[\w-]+)", run(command, "--help")[1], re.M)
            self.assertIn("--help", options)
            for word in [command, *options]:
                self.assertIn(word.replace("-", "\\-"), pages["man"])
                self.assertIn(word, pages["bash"])
                self.assertIn(word, pages["zsh"])


if __name__ == "__main__":
    unittest.main()
