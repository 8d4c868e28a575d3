# SPDX-License-Identifier: MIT
"""examples/alphazero_neighbours.py: its parts are right, and a tiny run is reproducible. Learning takes minutes."""
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import numpy as np
import plyverse as ply

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "examples"))

import alphazero_neighbours as example


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.planes, cls.policies, cls.results = example.self_play((example.Network(1), 8, 3))

    def test_self_play(self):
        """The policies are about legal moves, and the winner's positions are worth 1."""
        np.testing.assert_allclose(self.policies.sum(1), 1, rtol=1e-5)
        self.assertTrue(set(self.results) <= {-1.0, 0.0, 1.0})
        batch = ply.Batch(example.RULES, 1, outputs=["observations", "mask_bytes"], reset="never")
        self.assertTrue((batch.observations[0].reshape(-1) == self.planes[0]).all())
        self.assertFalse((self.policies[0] > 0)[~batch.mask_bytes[0]].any())
        self.assertEqual(len(set(self.results[::2])), 1)

    def test_mirror(self):
        image, policy = example.mirrored(self.planes, self.policies)
        self.assertFalse((image == self.planes).all())
        again = example.mirrored(image, policy)
        self.assertTrue((again[0] == self.planes).all() and (again[1] == self.policies).all())

    def test_slopes(self):
        """The slopes are those of the loss, by finite differences in double precision."""
        network, chance = example.Network(2), np.random.default_rng(1)
        network.weights = {name: w.astype(np.float64) + chance.normal(0, 0.05, w.shape)
                           for name, w in network.weights.items()}
        data = example.as_input(self.planes[:6]).astype(np.float64), self.policies[:6].astype(np.float64), self.results[:6]
        slopes = network.slopes(*data)[1]
        for name, weights in network.weights.items():
            for place in chance.integers(weights.size, size=8):
                losses = []
                for step in (1e-6, -2e-6):
                    weights.reshape(-1)[place] += step
                    losses.append(sum(network.slopes(*data)[0]))
                weights.reshape(-1)[place] += 1e-6
                self.assertAlmostEqual((losses[0] - losses[1]) / 2e-6, slopes[name].reshape(-1)[place], 5, name)

    def test_training_fits(self):
        network = example.Network(1)
        data = example.as_input(self.planes), self.policies, self.results
        first = sum(network.train(*data))
        for _ in range(60):
            last = sum(network.train(*data))
        self.assertLess(last, first / 2)

    def test_run_is_reproducible(self):
        def run():
            lines = []
            network, curve = example.learn(1, 2, 6, 1, seed=4, measure=20, say=lines.append)
            return curve, len(lines), {name: w.tobytes() for name, w in network.weights.items()}

        once = run()
        self.assertEqual(once, run())
        self.assertEqual((len(once[0]), once[1]), (2, 2))
        with tempfile.TemporaryDirectory() as folder:
            example.plot(f"{folder}/curve.svg", once[0])
            self.assertTrue(xml.parse(f"{folder}/curve.svg").getroot().tag.endswith("svg"))


if __name__ == "__main__":
    unittest.main()
