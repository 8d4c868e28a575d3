# SPDX-License-Identifier: MIT
"""200 open connections, 16 analyses and a steady flow of moves must cause no error. Times are checked by bench/server-load."""
import os
import subprocess
import unittest

from support import LONG, SOURCE


class Load(unittest.TestCase):
    def test_no_error_under_load(self):
        done = subprocess.run([os.path.join(SOURCE, "bench", "server-load"), "60" if LONG else "4"], capture_output=True, text=True,
                              timeout=600, env={**os.environ, "PLY_LOAD_TIMES": "0"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("connections 200, analyses 16", done.stdout)
        self.assertIn("errors 0", done.stdout)


if __name__ == "__main__":
    unittest.main()
