# SPDX-License-Identifier: MIT
"""Tablebases on a machine that fails: for every n, the n-th system call of a kind, or the n-th allocation, fails."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from command import BUILD, PLYVERSE

LONG = os.environ.get("PLY_TIER") == "long"
with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as cache:
    SANITIZED = re.search(r"^PLY_SANITIZE:STRING=\S", cache.read(), re.M) is not None
CALLS = ("open", "map", "write", "sync", "rename")


class Faults(unittest.TestCase):
    UP_TO = "2v1" if LONG else "1v1"

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="plyverse-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = os.path.join(self.folder, "log")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def tables(self, action, folder, *more, fault=None):
        """Runs a command on the tables in a folder; returns status, stdout, stderr and whether the fault occurred."""
        environment = dict(os.environ)
        if fault and fault.startswith("allocation:"):
            environment.update(LD_PRELOAD=os.environ["PLYVERSE_MEMORY_FAULTS"], PLY_FAULT_LOG=self.log,
                               PLY_FAULT_ALLOCATION=fault.split(":")[1])
        elif fault:
            environment.update(LD_PRELOAD=os.environ["PLYVERSE_FAULTS"], PLY_FAULT_LOG=self.log, PLY_FAULT=fault,
                               PLY_FAULT_FOLDER=folder,
                               ASAN_OPTIONS="verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""))
        done = subprocess.run([PLYVERSE, "tables", action, "neighbours", "--dir", folder, "--quiet", *more],
                              capture_output=True, text=True, env=environment)
        occurred = False
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8") as log:
                occurred = fault.startswith("allocation:") or "failed " in log.read()
            os.unlink(self.log)
        return done.returncode, done.stdout, done.stderr, occurred

    def build(self, folder, fault=None):
        # One thread, so that the calls come in the same order every time; a checkpoint as often as possible.
        return self.tables("build", folder, "--up-to", self.UP_TO, "--threads", "1", "--checkpoint", "0", fault=fault)

    def files(self, folder):
        """The content of every finished table."""
        content = {}
        for where, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(where, name), "rb") as file:
                    content[name] = file.read()
        return content

    def failed_well(self, result, what):
        """Status 2 and one line that says why."""
        status, out, err, _ = result
        self.assertEqual((status, out), (2, ""), (what, err))
        self.assertEqual(err.count("\n"), 1, (what, err))
        self.assertRegex(err, r"^plyverse tables: .*(Input/output error|No space left on device|[Oo]ut of memory|"
                              r"Cannot allocate memory)", what)

    def every_fault(self, prepare):
        """Builds with every fault, each from a folder that prepare made; then completes the build without."""
        plain = self.path("plain")
        self.assertEqual(self.build(plain)[0], 0)
        wanted = self.files(plain)
        self.assertTrue(wanted)
        kinds = CALLS if SANITIZED else (*CALLS, "allocation")
        faults = dict.fromkeys(kinds, 0)
        for kind in kinds:
            for n in range(1, 100000):
                what = f"{kind}:{n}"
                folder = self.path("faulty")
                prepare(folder)
                result = self.build(folder, fault=what)
                if not result[3]:
                    self.assertEqual(result[0], 0, (what, result))
                    shutil.rmtree(folder)
                    break
                faults[kind] += 1
                if result[0] != 0:
                    self.failed_well(result, what)
                # What is there is complete, and nothing else is: at most the checkpoint before.
                for name, content in self.files(folder).items():
                    if name.endswith(".plt"):
                        self.assertEqual(content, wanted[name], what)
                    else:
                        self.assertRegex(name, r"\.part$", what)
                self.assertEqual(self.build(folder)[::2], (0, ""), what)
                self.assertEqual(self.files(folder), wanted, what)
                shutil.rmtree(folder)
        return faults

    def test_build(self):
        faults = self.every_fault(lambda folder: os.makedirs(folder))
        self.assertTrue(all(faults.values()), faults)

    def test_resume(self):
        """The same, continuing from a checkpoint."""
        begun = self.path("begun")
        # The disk is full from the fourth file on.
        self.failed_well(self.build(begun, fault="rename:4+"), "begun")
        self.assertTrue([name for name in self.files(begun) if name.endswith(".part")])
        faults = self.every_fault(lambda folder: shutil.copytree(begun, folder))
        self.assertTrue(all(faults.values()), faults)

    def test_read(self):
        """verify, info and probe: whatever fails, the answer is right or there is none."""
        folder = self.path("tables")
        self.assertEqual(self.build(folder)[0], 0)
        kinds = ("open", "map") if SANITIZED else ("open", "map", "allocation")
        for action, more in (("verify", ("--up-to", self.UP_TO, "--threads", "1")), ("info", ()),
                             ("probe", ("--position", "6/6/2b3/3w2/6/6 w"))):
            right = self.tables(action, folder, *more)
            self.assertEqual(right[0], 0)
            for kind in kinds:
                for n in range(1, 100000):
                    what = f"{action} {kind}:{n}"
                    result = self.tables(action, folder, *more, fault=f"{kind}:{n}")
                    if result[0] != 0:
                        self.failed_well(result, what)
                    elif action != "verify":
                        self.assertEqual(result[1:3], right[1:3], what)
                    if not result[3]:
                        break


if __name__ == "__main__":
    unittest.main()
