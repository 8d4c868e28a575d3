# SPDX-License-Identifier: MIT
"""docs/python.md: every line of code runs, and every output is what the page says. The docstrings' examples as well."""
import doctest
import importlib
import os
import pkgutil
import re
import tempfile
import unittest

import plyverse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Tutorial(unittest.TestCase):
    def run_examples(self, text, names, source):
        test = doctest.DocTestParser().get_doctest(text, names, source, source, 0)
        self.assertTrue(test.examples)
        out = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=out.append)
        self.assertEqual(runner.failures, 0, "".join(out))

    def test_page(self):
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
            page = file.read()
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
        self.assertGreater(len(blocks), 10)
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            self.run_examples("\n".join(blocks), {}, "docs/python.md")
        for path in re.findall(r"\]\(([^)#:]+)\)", page):
            self.assertTrue(os.path.exists(os.path.join(ROOT, "docs", path)), path)

    def test_docstrings(self):
        names = dict(vars(plyverse))
        found = 0
        for module in pkgutil.iter_modules(plyverse.__path__):
            if module.name in ("gymnasium", "pettingzoo", "_plyverse"):
                continue
            loaded = importlib.import_module(f"plyverse.{module.name}")
            for test in doctest.DocTestFinder().find(loaded, extraglobs=names):
                if test.examples and test.name.startswith(loaded.__name__):
                    found += 1
                    self.assertEqual(doctest.DocTestRunner().run(test).failed, 0, test.name)
        self.assertGreaterEqual(found, 4)


if __name__ == "__main__":
    unittest.main()
