# SPDX-License-Identifier: MIT
"""Types and installation of the Python package: mypy accepts it, and pip installs it."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = os.path.join(SOURCE, "python")


def run(*args, **more):
    done = subprocess.run(args, capture_output=True, text=True, timeout=600, **more)
    return done.returncode, done.stdout + done.stderr


# What a user writes: every line is right.
PROGRAM = """
import numpy as np
import numpy.typing as npt
import plyverse as ply

def evaluate(leaves: list[ply.Leaf]) -> None:
    for leaf in leaves:
        leaf.priors = [1.0] * len(leaf.moves)
        leaf.priors[0] = 2
        leaf.value = 0.0

def progress(done: int, total: int) -> None:
    print(done, total)

game: ply.State = ply.State("gomoku", "renju", moves="h8 i9")
found: ply.SearchResult = ply.search(game, evaluator=evaluate, nodes=50)
policy: npt.NDArray[np.float32] = found.policy(game.rules.actions)
leaves: int = ply.perft(game, 2, progress=progress)
batch = ply.Batch("shogi", games=4, outputs=["observations"])
batch.step(batch.sample())
plane: np.uint8 = batch.observations[0, 0, 0, 0]
verdict: str = ply.solve(game, proof=True).verdict
text: str = ply.Record(game).write("ply")
"""


class Types(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "no mypy")
    def test_types_for_users(self):
        check = lambda text: run("mypy", "--cache-dir", os.devnull, "-c", text, cwd=PYTHON)
        self.assertEqual(check(PROGRAM), (0, "Success: no issues found in 1 source file\n"))
        status, out = check(PROGRAM.replace("nodes=50", "nodez=50"))
        self.assertEqual(status, 1, out)
        self.assertIn('Unexpected keyword argument "nodez"', out)

    @unittest.skipUnless(shutil.which("mypy"), "no mypy")
    def test_types(self):
        status, out = run("mypy", "--cache-dir", os.devnull, "plyverse", cwd=PYTHON)
        self.assertEqual((status, out.split(":")[0]), (0, "Success"), out)


class Install(unittest.TestCase):
    def test_pip(self):
        if run(sys.executable, "-c", "import pip, wheel")[0]:
            self.skipTest("no pip or wheel")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(PYTHON, f"{folder}/src", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
            os.symlink(f"{SOURCE}/include", f"{folder}/include")
            status, out = run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index",
                              "--target", f"{folder}/site", f"{folder}/src", env={**os.environ, "PYTHONPATH": ""})
            self.assertEqual(status, 0, out)
            self.assertTrue(os.path.exists(f"{folder}/site/plyverse/py.typed"))
            program = "import plyverse; print(plyverse.__file__, plyverse.perft(plyverse.State('shogi'), 3))"
            status, out = run(sys.executable, "-c", program, env={**os.environ, "PYTHONPATH": f"{folder}/site"}, cwd="/")
            self.assertEqual((status, out), (0, f"{folder}/site/plyverse/__init__.py 25470\n"))

    def test_a_new_library_is_linked_again(self):
        """setuptools links again what depends on a file that is newer."""
        program = "import build_ffi; print(*build_ffi.builder()._assigned_source[3]['depends'])"
        status, out = run(sys.executable, "-c", program, cwd=PYTHON)
        self.assertEqual(status, 0, out)
        self.assertIn("libplyverse.a", [os.path.basename(path) for path in out.split()])

    def test_interface_comes_from_the_headers(self):
        """Every function that the shared library exports can be called."""
        with open(f"{SOURCE}/src/plyverse.map") as file:
            names = [line.strip().rstrip(";") for line in file if line.startswith("    ") and "*" not in line]
        from plyverse._plyverse import lib
        self.assertEqual([name for name in names if not hasattr(lib, name)], [])


if __name__ == "__main__":
    unittest.main()
