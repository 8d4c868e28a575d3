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


class Types(unittest.TestCase):
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

    def test_interface_comes_from_the_headers(self):
        """Every function that the shared library exports can be called."""
        with open(f"{SOURCE}/src/plyverse.map") as file:
            names = [line.strip().rstrip(";") for line in file if line.startswith("    ") and "*" not in line]
        from plyverse._plyverse import lib
        self.assertEqual([name for name in names if not hasattr(lib, name)], [])


if __name__ == "__main__":
    unittest.main()
