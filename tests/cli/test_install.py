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


STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
LANGUAGES = [["gcc", "-x", "c", "-std=c11", *STRICT], ["g++", "-x", "c++", "-std=c++17", *STRICT]]
PREFIX = "(?:ply|fived|shogi|checkers|neighbours|gomoku)"


def declared():
    """The functions that the public headers declare."""
    names = set()
    for path in glob.glob(os.path.join(SOURCE, "include/plyverse/*.h")):
        with open(path) as file:
            names |= set(re.findall(rf"PLY_API[^;]*?\b({PREFIX}_\w+)\(", file.read()))
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
                     "plyverseConfigVersion.cmake", "libplyverse.a", "game.h"):
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
            listed = set(re.findall(rf"^\s+({PREFIX}_\w+);", file.read(), re.M))
        self.assertEqual(listed, declared())
        self.assertEqual({name for name in exported if re.match(PREFIX + "_", name)}, declared())
        self.assertIn("PLYVERSE_0.1", out)

    def output(self, compiler, source):
        """Compiles a program against the installed headers and library and returns what it prints."""
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
        self.assertEqual(self.output(["cc"], source), "43630\n")

    def test_headers(self):
        """Each public header compiles by itself, in C and in C++."""
        headers = sorted(glob.glob(os.path.join(self.root, "usr/include/plyverse/*.h")))
        self.assertGreater(len(headers), 15)
        for header in headers:
            for language in LANGUAGES:
                subprocess.run([*language, "-fsyntax-only", "-I", os.path.join(self.root, "usr/include"), "-include",
                                header, "-"], check=True, input="int something;", text=True)

    def test_examples(self):
        """The programs written from the design notes print the same in C and in C++."""
        programs = sorted(glob.glob(os.path.join(SOURCE, "examples/note_*.c")))
        self.assertGreaterEqual(len(programs), 2)
        for program in programs:
            with open(program[:-2] + ".out", encoding="utf-8") as file:
                expected = file.read()
            for language in LANGUAGES:
                self.assertEqual(self.output(language, program), expected, program)

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


class VectorWidths(unittest.TestCase):
    """The CMake setting PLYVERSE_VEC4_BITS."""

    def configure(self, bits, folder):
        header = os.path.join(folder, "plyverse/fived_widths.h")
        done = subprocess.run(["cmake", "-DPLYVERSE_VEC4_BITS=" + bits, "-DVEC4_HEADER=" + header, "-P",
                               os.path.join(SOURCE, "tools/vec4_widths.cmake")], capture_output=True, text=True)
        return done.returncode, " ".join(done.stderr.split())

    def test_impossible_widths(self):
        for bits, words in (("3,5,12,12", "x and y hold 0 to 7 and a sign, so each needs 4 bits or more"),
                            ("5,3,12,12", "x and y hold 0 to 7"), ("4,4,12,13", "add up to 33, not to 32"),
                            ("8,8,8,4", "t and l need 6 to 16 bits each"), ("4,4,7,17", "6 to 16 bits"),
                            ("8,8,8", "expected four numbers"), ("8,8,8,8,8", "expected four numbers"),
                            ("", "expected four numbers"), ("a,b,c,d", "expected four numbers")):
            with tempfile.TemporaryDirectory() as folder:
                status, errors = self.configure(bits, folder)
                self.assertNotEqual(status, 0, bits)
                self.assertIn(words, errors)
                self.assertEqual(os.listdir(folder), [])

    def test_possible_widths(self):
        for bits in ("4,4,12,12", "8,8,8,8", "4,4,16,8", "10,10,6,6"):
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(self.configure(bits, folder), (0, ""))
                x, y, t, limit = bits.split(",")
                source = os.path.join(folder, "use.c")
                with open(source, "w") as file:
                    file.write("#include <plyverse/fived.h>\n"
                               f"_Static_assert(FIVED_X_BITS == {x} && FIVED_Y_BITS == {y} && FIVED_T_BITS == {t} && "
                               f"FIVED_L_BITS == {limit}, \"widths\");\n")
                subprocess.run(["gcc", "-fsyntax-only", "-I", folder, "-I", os.path.join(SOURCE, "include"), source],
                               check=True)

    def test_header_refuses(self):
        """So does the header itself, should someone edit it."""
        for bits in ((3, 5, 12, 12), (4, 4, 12, 13), (8, 8, 11, 5)):
            defines = [f"-DFIVED_{name}_BITS={width}" for name, width in zip("XYTL", bits)]
            done = subprocess.run(["gcc", "-fsyntax-only", "-DPLYVERSE_FIVED_WIDTHS_H", *defines, "-I",
                                   os.path.join(SOURCE, "include"), "-include", "plyverse/fived_vec4.h", "-x", "c",
                                   "/dev/null"], capture_output=True, text=True)
            self.assertIn("#error", done.stderr)

    def test_library_agrees(self):
        """The header of this build has the widths it was configured with."""
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            bits = re.search(r"^PLYVERSE_VEC4_BITS:STRING=(\S+)", file.read(), re.M)[1].split(",")
        with open(os.path.join(BUILD, "generated/plyverse/fived_widths.h"), encoding="utf-8") as file:
            self.assertEqual(re.findall(r"#define FIVED_[XYTL]_BITS (\d+)", file.read()), bits)


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
