# SPDX-License-Identifier: MIT
"""Batches in Python: views, DLPack both ways, and misuse."""
import gc
import unittest

import numpy as np
import plyverse as ply

OUTPUTS = ["observations", "mask_bits", "mask_bytes", "legal_actions", "keys"]


class Other:
    """An array of another framework: all that a consumer may use is DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Batches(unittest.TestCase):
    def test_views_agree_with_states(self):
        for game in ply.games():
            batch = ply.Batch(game, 3, outputs=OUTPUTS, seed=5, reset="never")
            for _ in range(8):
                batch.step(batch.sample())
            for g in range(3):
                state = batch[g]
                legal = np.flatnonzero(batch.mask_bytes[g])
                self.assertEqual((batch.keys[g], batch.plies[g], batch.players[g]), (state.key, state.plies, state.side))
                self.assertEqual(list(batch.legal_actions[g][:len(legal)]), list(legal))
                self.assertEqual(batch.legal_counts[g], len(legal))
                bits = np.unpackbits(batch.mask_bits[g].view(np.uint8), bitorder="little")[:batch.actions]
                self.assertEqual(list(np.flatnonzero(bits)), list(legal))
                moves = {batch.move(g, int(action)) for action in legal}
                self.assertTrue(moves <= set(state.moves()))
                if game != "5dchess":  # whose numbering is bounded
                    self.assertEqual(moves, set(state.moves()))
                action = int(legal[0])
                self.assertEqual(batch.action(g, batch.move(g, action)), action)
            self.assertIsNone(batch.move(0, -1))

    def test_other_observation(self):
        batch = ply.Batch("shogi", 2, outputs=["observations"], observation="pgx")
        self.assertEqual(batch.observations.shape, (2, 119, 9, 9))
        self.assertEqual(batch.observations[0, 0].sum(), 9)  # pawns, all on the third row from below
        self.assertEqual(batch.observations[0, 0, 6].sum(), 9)
        with self.assertRaisesRegex(ply.Error, "shogi has no observation 'none'"):
            ply.Batch("shogi", 2, observation="none")

    def test_views_are_read_only_and_live(self):
        batch = ply.Batch("neighbours", 4, outputs=["observations"])
        view = batch.observations
        self.assertRaises(ValueError, view.__setitem__, 0, 1)
        self.assertRaises(ValueError, setattr, view.flags, "writeable", True)
        before = view.copy()
        address = view.ctypes.data
        self.assertEqual(address % 64, 0)
        batch.step(batch.sample())
        self.assertEqual(batch.observations.ctypes.data, address)
        self.assertFalse((view == before).all())

    def test_views_keep_the_batch_alive(self):
        batch = ply.Batch("gomoku", 2000, outputs=["observations"], seed=1)
        batch.step(batch.sample())
        view, tensor = batch.observations[5:], batch.tensor("observations")
        wanted = view.copy()
        batch.close()
        del batch
        gc.collect()
        for _ in range(5):  # would reuse the memory
            ply.Batch("gomoku", 2000, outputs=["observations"])
        self.assertTrue((view == wanted).all())
        self.assertTrue((tensor.numpy()[5:] == wanted).all())

    def test_dlpack_out(self):
        batch = ply.Batch("neighbours", 4, outputs=["observations", "keys"])
        for name in ("observations", "keys", "rewards", "plies"):
            tensor = batch.tensor(name)
            self.assertEqual(tensor.__dlpack_device__(), (1, 0))
            for consume in (np.from_dlpack, ply.from_dlpack):
                array = consume(tensor)
                self.assertEqual((array.ctypes.data, array.shape, array.dtype),
                                 (tensor.address, tensor.shape, tensor.dtype))
        exported = __import__("plyverse.dlpack").dlpack._exported
        del array
        gc.collect()
        self.assertEqual(len(exported), 0)
        capsule = batch.tensor("keys").__dlpack__()  # never consumed
        self.assertEqual(len(exported), 1)
        del capsule
        self.assertEqual(len(exported), 0)
        array = np.from_dlpack(batch.tensor("keys"))
        wanted = array.copy()
        batch.close()
        del batch
        gc.collect()
        self.assertTrue((array == wanted).all())

    def test_dlpack_in(self):
        own = np.zeros((4, 3, 6, 6), np.uint8)
        batch = ply.Batch("neighbours", 4, outputs=["observations"], arrays={"observations": Other(own)})
        batch.step(Other(batch.sample()))
        self.assertTrue(own.any() and (batch.observations == own).all())
        back = ply.from_dlpack(Other(own[:, ::2]))  # strides
        back[:] = 7
        self.assertTrue((own[:, ::2] == 7).all())
        self.assertRaises(TypeError, ply.from_dlpack, [1, 2])

        class Device(Other):
            def __dlpack_device__(self):
                return (2, 0)  # CUDA

        self.assertRaises(BufferError, ply.from_dlpack, Device(own))
        device = ply.Tensor(None, 4096, (2,), "u1", (2, 0))  # what a batch on a device will export
        self.assertEqual(device.__dlpack_device__(), (2, 0))
        self.assertRaises(BufferError, device.numpy)

    def test_threads_and_seeds(self):
        def play(threads):
            batch = ply.Batch("checkers", 300, outputs=OUTPUTS, seed=9, threads=threads)
            for _ in range(60):
                batch.step(batch.sample())
            return [getattr(batch, name).tobytes() for name in OUTPUTS + ["rewards", "plies", "results"]]

        self.assertEqual(play(1), play(3))

    def test_single_games(self):
        batch, other = ply.Batch("shogi", 3, seed=1), ply.Batch("shogi", 2)
        for _ in range(5):
            batch.step(batch.sample())
        other.copy_game(1, batch, 2)
        self.assertEqual(other[1].history(), batch[2].history())
        other.copy_games([1, 0], batch, np.array([0, 0]))
        self.assertEqual([game.history() for game in other], 2 * [batch[0].history()])
        for bad, expected in ((([2], [0]), IndexError), (([0], [3]), IndexError), (([0], [-1]), IndexError),
                              (([0, 1], [0]), ValueError), (([0.5], [0]), TypeError), ((0, 0), TypeError)):
            self.assertRaises(expected, other.copy_games, bad[0], batch, bad[1])
        other.copy_games([], batch, [])
        other.load(0, batch.save(1))
        self.assertEqual(other[0].key, batch[1].key)
        other[0] = ply.State("shogi", moves="7g7f")
        self.assertEqual(other[0].history(), ["7g7f"])
        self.assertEqual(len(list(batch)), 3)
        batch.reset([0, 1, 0])
        self.assertEqual(list(batch.plies), [5, 0, 5])

    def test_endings(self):
        batch = ply.Batch("neighbours", 50, seed=2, outputs=["observations", "final_observations"])
        ended = 0
        for _ in range(400):
            batch.step(batch.sample())
            over = batch.terminated
            ended += int(over.sum())
            self.assertTrue((np.abs(batch.rewards).sum(1) == 2 * (over & (batch.results != 3))).all())
            self.assertTrue((batch.rewards.sum(1) == 0).all())
        self.assertGreater(ended, 50)

    def test_symmetries(self):
        found = ply.symmetries("gomoku")
        self.assertEqual(len(found), 8)
        for cells, actions in found:
            self.assertEqual(sorted(cells), list(range(225)))
            self.assertEqual(sorted(actions), list(range(len(actions))))
        batch = ply.Batch("gomoku", 1, outputs=["observations"])
        batch[0] = ply.State("gomoku", moves="h8 a2")
        cells, actions = found[3]
        image = np.empty_like(batch.observations[0]).reshape(-1, 225)
        image[:, cells] = batch.observations[0].reshape(-1, 225)
        twin = ply.Batch("gomoku", 1, outputs=["observations"])
        for move in ("h8", "a2"):
            twin.step([actions[twin.action(0, move)]])
        self.assertTrue((twin.observations[0].reshape(-1, 225) == image).all())

    def test_bad(self):
        for arguments, error in (({"games": 0}, ValueError), ({"games": -1}, ValueError), ({"games": 1.5}, TypeError),
                                 ({"games": None}, TypeError), ({"outputs": "keys"}, TypeError),
                                 ({"outputs": ["typo"]}, ValueError), ({"reset": None}, ValueError),
                                 ({"illegal": "typo"}, ValueError), ({"threads": 0}, ValueError),
                                 ({"history": -1}, ValueError), ({"start": "x"}, TypeError),
                                 ({"arrays": {"typo": np.zeros(1)}}, ValueError),
                                 ({"arrays": {"keys": np.zeros(1, np.uint64)}}, ValueError),
                                 ({"arrays": {"rewards": np.zeros((1, 2))}}, ValueError),
                                 ({"arrays": {"rewards": np.zeros((2, 1), np.float32)}}, ValueError),
                                 ({"arrays": {"rewards": None}}, TypeError)):
            with self.subTest(arguments):
                self.assertRaises(error, ply.Batch, "shogi", **arguments)
        batch = ply.Batch("shogi", 2)
        for actions, error in ((None, TypeError), ([1], ValueError), ([[1, 2]], ValueError), ([0.5, 1], TypeError),
                               (["a", "b"], TypeError), ([-1, -1], ply.Error), ([2**40, 2**40], ply.Error),
                               (np.array([2**63, 1], np.uint64), ply.Error), ([-2**40, 1], ply.Error)):
            with self.subTest(actions):
                self.assertRaises(error, batch.step, actions)
        self.assertEqual(list(batch.plies), [0, 0])
        self.assertRaises(IndexError, batch.__getitem__, 2)
        self.assertRaises(TypeError, batch.__getitem__, "a")
        self.assertRaises(ValueError, batch.__setitem__, 0, ply.State("gomoku"))
        self.assertRaises(TypeError, batch.__setitem__, 0, None)
        self.assertRaises(ply.Error, batch.load, 0, "nonsense")
        self.assertRaisesRegex(ValueError, "without the output", getattr, batch, "keys")
        self.assertRaisesRegex(ValueError, "no array", batch.tensor, "typo")
        self.assertRaises(ValueError, batch.reset, [1])
        self.assertRaises(TypeError, batch.copy_game, 0, None, 0)
        batch.close()
        batch.close()
        for call in (batch.sample, batch.reset, lambda: batch.step([0, 0]), lambda: batch[0], lambda: batch.plies,
                     lambda: batch.save(0)):
            self.assertRaisesRegex(ValueError, "closed", call)


if __name__ == "__main__":
    unittest.main()
