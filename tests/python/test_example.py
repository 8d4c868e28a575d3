# SPDX-License-Identifier: MIT
"""examples/alphazero_neighbours.py: its parts are right, and a small run, always the same, learns to beat random play."""
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
        cls.games = example.SelfPlay(3, games=16)
        cls.network = example.Network(1)
        cls.planes, cls.policies, cls.results = cls.games.run(cls.network, steps=60)

    def test_boards(self):
        """The features of a position are its pieces: products by sums of rows and by the matrix are equal."""
        boards = example.Boards(self.planes)
        matrix = boards.matrix()
        own, enemy = matrix.reshape(-1, 2, 6, 36).sum(2).transpose(1, 0, 2)
        planes = self.planes.reshape(-1, 3, 36)
        np.testing.assert_array_equal(own, planes[:, 0])
        np.testing.assert_array_equal(enemy, planes[:, 1])
        distances = (matrix.reshape(-1, 2, 6, 36).sum(1) * np.arange(6)[:, None]).sum(1)
        np.testing.assert_array_equal(distances, np.minimum(planes[:, 2], 5) * (own + enemy))
        weights = np.random.default_rng(1).normal(size=(example.FEATURES, 5))
        np.testing.assert_allclose(boards.times(weights), matrix @ weights)

    def test_lookahead(self):
        """Every legal move is tried, and its value is that of the position it leads to."""
        batch, values = self.games.batch, self.games.lookahead.values(self.network, self.games.batch)
        np.testing.assert_array_equal(np.isfinite(values), batch.mask_bytes)
        for game, state in enumerate(batch):
            for action in np.flatnonzero(batch.mask_bytes[game])[:3]:
                after = state.copy()
                after.play(batch.move(game, int(action)))
                single = ply.Batch(example.RULES, 1, outputs=["observations"], start=after)
                hidden = self.network.hidden(example.Boards(single.observations))[1]
                expected = -self.network.values(hidden)[0] if after.outcome is None else 1
                self.assertAlmostEqual(float(values[game, action]), float(expected), 5)

    def test_self_play(self):
        """Policies are about legal moves; results are those of the games, from the view of the player to move."""
        np.testing.assert_allclose(self.policies.sum(1), 1, rtol=1e-5)
        batch = ply.Batch(example.RULES, 1, outputs=["observations", "mask_bytes"])
        np.testing.assert_array_equal(batch.observations[0].reshape(-1), self.planes[0])
        self.assertFalse((self.policies[0] > 0)[~batch.mask_bytes[0]].any())
        self.assertGreater(self.games.played, 4)
        results = self.results.reshape(60, 16)
        starts = (self.planes.reshape(60, 16, -1) == self.planes[0]).all(2)
        for game in range(16):
            begins = [*np.flatnonzero(starts[:, game]), 60]
            for begin, end in zip(begins, begins[1:]):
                signs = (-1.0) ** np.arange(end - begin)
                np.testing.assert_allclose(results[begin:end, game], signs * results[begin, game], rtol=1e-6)

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
        data = example.Boards(self.planes[:6]), self.policies[:6].astype(np.float64), self.results[:6]
        slopes = network.slopes(*data)[1]
        for name, weights in network.weights.items():
            for place in chance.integers(weights.size, size=8):
                losses = []
                for step in (1e-6, -2e-6):
                    weights.reshape(-1)[place] += step
                    losses.append(sum(network.slopes(*data)[0]))
                weights.reshape(-1)[place] += 1e-6
                self.assertAlmostEqual((losses[0] - losses[1]) / 2e-6, slopes[name].reshape(-1)[place], 5, name)

    def test_learns(self):
        """A few hundred games are enough to beat random play."""
        lines = []
        network, curve = example.learn(5, seed=1, measure=100, every=5, say=lines.append)
        self.assertEqual([len(curve), len(lines)], [2, 2])
        self.assertGreater(curve[1][0], 300)
        self.assertGreaterEqual(curve[1][2], 0.9, curve)
        self.assertGreater(curve[1][2], curve[0][2])
        self.assertGreaterEqual(example.match(network, 4, "random:seed=1", simulations=20), 0.75)
        with tempfile.TemporaryDirectory() as folder:
            example.plot(f"{folder}/curve.svg", curve)
            self.assertTrue(xml.parse(f"{folder}/curve.svg").getroot().tag.endswith("svg"))

    def test_run_is_reproducible(self):
        def run():
            network, curve = example.learn(1, seed=4, measure=10, say=lambda line: None)
            return curve, {name: w.tobytes() for name, w in network.weights.items()}

        self.assertEqual(run(), run())


if __name__ == "__main__":
    unittest.main()
