# SPDX-License-Identifier: MIT
"""The installation: the library, its headers in C and C++, its package files, the man page and the completions."""
import glob
import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest

from command import BUILD, SOURCE, run

GAMES = ("checkers", "fived", "gomoku", "neighbours", "shogi")
PREFIX = rf"(?:ply|{'|'.join(GAMES)})_"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
LANGUAGES = {"C": ["cc", "-std=c11", "-x", "c"], "C++": ["c++", "-std=c++17", "-x", "c++"]}

# Valid C and valid C++.
PROGRAM = """
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    ply_rules rules;
    ply_state state;
    uint64_t nodes;
    ply_perft_options options;
    memset(&options, 0, sizeof options);
    options.threads = 2;
    if (ply_rules_make(&rules, ply_game_find("neighbours"), NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK ||
        ply_perft(&state, 4, &options, &nodes, NULL, NULL) != PLY_OK)
        return 1;
    printf("%llu\\n", (unsigned long long)nodes);
    ply_state_free(&state);
    return 0;
}
"""


def declared():
    """The functions that the public headers declare."""
    names = set()
    for path in glob.glob(os.path.join(SOURCE, "include/plyverse/*.h")):
        with open(path) as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        names |= set(re.findall(r"^PLY_API[^;]*?\b(" + PREFIX + r"\w+)\(", text, re.M))
    return names


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


SANITIZED = re.search(r"^PLY_SANITIZE:STRING=(\S+)", read(BUILD, "CMakeCache.txt"), re.M)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = cls.folder.name
        subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr"], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": cls.root})
        cls.shared = glob.glob(os.path.join(cls.root, "usr/lib/**/libplyverse.so"), recursive=True)[0]
        cls.libraries = os.path.dirname(cls.shared)
        cls.headers = sorted(glob.glob(os.path.join(cls.root, "usr/include/plyverse/*.h")))
        cls.flags = ["-fsanitize=" + SANITIZED[1]] if SANITIZED else []

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def find(self, name):
        found = [os.path.join(folder, name) for folder, _, files in os.walk(self.root)
                 if name in files]
        self.assertEqual(len(found), 1, (name, found))
        return found[0]

    def package_flags(self, *which):
        """What the installed pkg-config file says a program needs."""
        package = os.path.dirname(self.find("plyverse.pc"))
        out = subprocess.run(["pkg-config", *which, "plyverse"], check=True, capture_output=True, text=True,
                             env={**os.environ, "PKG_CONFIG_PATH": package}).stdout
        return shlex.split(out)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def each_build(self, source, warnings=WARNINGS):
        """Builds a program in both languages with both libraries; yields (what, its output)."""
        static = [self.find("libplyverse.a") if word == "-lplyverse" else word
                  for word in self.package_flags("--libs", "--static")]
        for language, compiler in LANGUAGES.items():
            for kind, libraries in {"shared": self.package_flags("--libs"), "static": static}.items():
                program = os.path.join(self.root, "program")
                subprocess.run([*compiler, *warnings, *self.flags, *self.package_flags("--cflags"), source,
                                "-x", "none", "-o", program, *libraries], check=True)
                out = subprocess.run([program], check=True, capture_output=True, text=True,
                                     env={**os.environ, "LD_LIBRARY_PATH": self.libraries}).stdout
                yield f"{os.path.basename(source)}, {language}, {kind}", out

    def test_files(self):
        for name in ("plyverse.1", "_plyverse", "plyverse.pc", "plyverseConfig.cmake",
                     "plyverseConfigVersion.cmake", "libplyverse.a"):
            self.find(name)
        completion = os.path.join(self.root, "usr/share/bash-completion/completions/plyverse")
        self.assertTrue(os.path.exists(completion))
        subprocess.run(["bash", "-n", completion], check=True)
        self.assertEqual([os.path.basename(path) for path in self.headers],
                         sorted(os.listdir(os.path.join(SOURCE, "include/plyverse"))))

    def test_exports(self):
        out = subprocess.run(["nm", "-D", "--defined-only", self.shared], check=True,
                             capture_output=True, text=True).stdout
        exported = {line.split()[2].split("@")[0] for line in out.splitlines()
                    if line.split()[1] in "TDBR"}
        listed = set(re.findall(r"^\s+(\w+);", read(SOURCE, "src/plyverse.map"), re.M))
        self.assertEqual(listed, declared())
        self.assertEqual({name for name in exported if re.match(PREFIX, name)}, declared())
        self.assertIn("PLYVERSE_0.1", out)

    def test_each_header_alone(self):
        """Each installed header compiles by itself, twice over, as C and as C++."""
        for header in self.headers:
            line = f"#include <plyverse/{os.path.basename(header)}>\n"
            source = self.write("alone", line + line + "extern int plyverse_unused;\n")
            for language, compiler in LANGUAGES.items():
                done = subprocess.run([*compiler, *WARNINGS, *self.package_flags("--cflags"), "-fsyntax-only", source],
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (header, language))

    def test_one_header_has_all(self):
        """plyverse.h includes every other header."""
        included = set(re.findall(r"#include <plyverse/(\w+\.h)>", "".join(map(read, self.headers))))
        self.assertEqual(included, {os.path.basename(path) for path in self.headers} - {"plyverse.h"})

    def test_every_function_links(self):
        """Every declared function can be called from C and from C++, in both libraries."""
        names = sorted(declared())
        self.assertGreater(len(names), 100)
        includes = "".join(f"#include <plyverse/{os.path.basename(path)}>\n" for path in self.headers)
        source = self.write("functions", includes + "#include <stdio.h>\ntypedef void function(void);\n"
                            "int main(void)\n{\n    function *const all[] = {\n" +
                            "".join(f"        (function *){name},\n" for name in names) +
                            "    };\n    unsigned found = 0;\n"
                            "    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)\n"
                            "        found += all[i] != 0;\n"
                            "    printf(\"%u\\n\", found);\n    return 0;\n}\n")
        for what, out in self.each_build(source, warnings=["-Wall"]):  # -Wextra warns of these casts
            self.assertEqual(out, f"{len(names)}\n", what)

    def test_linking(self):
        for what, out in self.each_build(self.write("use", PROGRAM)):
            self.assertEqual(out, "43630\n", what)

    def test_design_notes(self):
        """The programs written from the design notes, one for each game's header, print what the notes say."""
        sources = sorted(glob.glob(os.path.join(SOURCE, "examples/note_*.c")))
        games = [name for name in GAMES if os.path.join(self.root, f"usr/include/plyverse/{name}.h") in self.headers]
        self.assertEqual([os.path.basename(source) for source in sources], [f"note_{name}.c" for name in games])
        for source in sources:
            expected = read(source[:-2] + ".out")
            for what, out in self.each_build(source):
                self.assertEqual(out, expected, what)

    def test_cmake_package(self):
        folder = os.path.join(self.root, "consumer")
        os.makedirs(folder)
        self.write("consumer/use.c", PROGRAM)
        self.write("consumer/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(use C)\n"
                   "find_package(plyverse REQUIRED)\nadd_executable(use use.c)\n"
                   "target_link_libraries(use plyverse::plyverse)\nadd_executable(alone use.c)\n"
                   "target_link_libraries(alone plyverse::plyverse_static)\n")
        package = os.path.dirname(self.find("plyverseConfig.cmake"))
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["cmake", "-S", folder, "-B", folder + "/b", "-Dplyverse_DIR=" + package],
                       **quiet)
        subprocess.run(["cmake", "--build", folder + "/b"], **quiet)
        for program in ("use", "alone"):
            out = subprocess.run([folder + "/b/" + program], check=True, capture_output=True, text=True).stdout
            self.assertEqual(out, "43630\n")


@unittest.skipIf(SANITIZED, "the same in every build tree")
class Configure(unittest.TestCase):
    """Which flags the files are compiled with, and what is built by default."""

    def configure(self, *options):
        """Configures a build tree; returns its compile commands."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        environment = {name: value for name, value in os.environ.items() if name not in ("CFLAGS", "LDFLAGS")}
        subprocess.run(["cmake", "-S", SOURCE, "-B", folder.name, *options], check=True, stdout=subprocess.DEVNULL,
                       cwd=SOURCE, env=environment)
        with open(os.path.join(folder.name, "compile_commands.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_by_default(self):
        """What a packager gets: an optimised build without the tests, in which a warning is just a warning."""
        commands = self.configure()
        self.assertEqual([entry["file"] for entry in commands
                          if os.path.relpath(entry["file"], SOURCE).split(os.sep)[0] in ("tests", "examples", "bench")], [])
        for entry in commands:
            self.assertIn("-O3 -DNDEBUG", entry["command"])
            self.assertNotIn("-Werror", entry["command"])

    def test_make_install(self):
        """`make install` builds what is installed and no test, also in a tree that has them."""
        dry = subprocess.run(["make", "-n", "install"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        targets = [word + ".dir" for word in re.search(r"cmake --build build .*--target (.*)", dry)[1].split()]
        rules = read(BUILD, "CMakeFiles", "Makefile2")
        self.assertIn("\ntests/CMakeFiles/test_wire.dir/all:", rules)
        needed = {f"CMakeFiles/{target}" for target in targets}
        for target in (pending := list(needed)):
            for found in re.findall(rf"^{re.escape(target)}/all: (\S+)/all$", rules, re.M):
                if found not in needed:
                    needed.add(found)
                    pending.append(found)
        self.assertIn("CMakeFiles/plyverse.dir", needed)
        self.assertEqual([target for target in needed if not target.startswith("CMakeFiles/")], [])

    def test_flags_of_the_user(self):
        for entry in self.configure("-DCMAKE_C_FLAGS=-march=native -DMINE", "-DCMAKE_C_FLAGS_RELEASE=-Os -g1"):
            self.assertIn("-march=native -DMINE -Os -g1 ", entry["command"])
            self.assertNotRegex(entry["command"], "-O3|-DNDEBUG")

    def test_debug_preset(self):
        """Without optimisation, gcc warns about loops that it cannot unroll. Here a warning is an error."""
        commands = self.configure("--preset", "debug")
        self.assertTrue(any("/tests/" in entry["file"] for entry in commands))
        compiled = 0
        for entry in commands:
            words = shlex.split(entry["command"])
            if os.path.exists(entry["file"]) and "#pragma GCC unroll" in read(entry["file"]) and \
                    not {"-DPLY_ISA_SUFFIX=_v3", "-DPLY_ISA_SUFFIX=_v4"} & set(words):
                self.assertIn("-Werror", words)
                words = [word for word in words if "ccache" not in word]
                words[words.index("-o") + 1] = "/dev/null"
                # The tables that are generated at build time come from this build.
                subprocess.run([*words, "-I", os.path.join(BUILD, "generated")], check=True)
                compiled += 1
        self.assertGreater(compiled, 5)


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
