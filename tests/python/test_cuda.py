# SPDX-License-Identifier: MIT
"""Batches on a CUDA device from Python, on the emulated driver, whose device memory is the host's."""
import ctypes
import gc
import os
import subprocess
import sys
import unittest

EMULATED = os.path.join(os.environ["PLYVERSE_BUILD"], "emulated")
if __name__ == "__main__" and os.environ.get("LD_LIBRARY_PATH") != EMULATED:  # read when a process starts
    os.execve(sys.executable, [sys.executable, *sys.argv], dict(os.environ, LD_LIBRARY_PATH=EMULATED))

import numpy as np
import plyverse as ply

OUTPUTS = ["observations", "mask_bits", "mask_bytes", "legal_actions", "keys"]
ALWAYS = ["rewards", "terminated", "truncated", "illegal", "players", "results", "plies", "legal_counts"]


class OnDevice:
    """A stand-in for another framework's array on the device."""

    def __init__(self, array, device=(2, 0)):
        self.array, self.device, self.streams = array, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()


def both(rules, games=20, **options):
    options = {"outputs": OUTPUTS, "seed": 5, "max_plies": 60, "illegal": "loses", **options}
    return ply.Batch(rules, games, **options), ply.Batch(rules, games, device="cuda", **options)


class Cuda(unittest.TestCase):
    def compare(self, host, device, names=tuple(ALWAYS + OUTPUTS)):
        for name in names:
            np.testing.assert_array_equal(device.read(name), host.read(name), name)

    def test_games(self):
        """The same games as on the CPU, whether actions come from the device or from the host."""
        for game in ("neighbours", "checkers", "gomoku", "shogi"):
            host, device = both(game)
            self.assertEqual((host.device, device.device, host.stream), ("cpu", "cuda:0", None))
            self.compare(host, device)
            for step in range(80):
                actions = host.sample()
                chosen = device.sample()
                np.testing.assert_array_equal(device.read("choices"), actions)
                host.step(actions)
                device.step([chosen, actions, OnDevice(actions), list(actions)][step % 4])
                self.compare(host, device)
            self.assertEqual(device[3].history(), host[3].history())
            self.assertEqual(device.save(4), host.save(4))

    def test_reset_and_random_steps(self):
        host, device = both("neighbours")
        self.assertEqual(host.random_steps(50), device.random_steps(50))
        self.compare(host, device)
        which = np.arange(20) % 3 == 0
        for batch in (host, device):
            batch.reset(256 * which.astype(int))
        self.compare(host, device)
        host.reset()
        device.reset(OnDevice(np.ones(20, np.uint8)))
        device.wait()
        self.compare(host, device)
        self.assertGreater(sum(host.random_steps(100)[1:]), 20)

    def test_dlpack(self):
        """A framework gets the address on the device, and keeps the batch alive."""
        _, device = both("gomoku")
        tensor = device.tensor("observations")
        self.assertEqual(tensor.__dlpack_device__(), (2, 0))
        self.assertRaises(BufferError, tensor.numpy)
        self.assertRaises(BufferError, lambda: device.observations)
        for stream in (None, -1, 1, device.stream):
            borrowed = ply.dlpack.Borrowed(tensor, (2, 0), stream)
            self.assertEqual((borrowed.address, borrowed.shape, borrowed.dtype),
                             (tensor.address, (20, 5, 15, 15), np.uint8))
        expected = device.read("observations").tobytes()
        del device, tensor
        gc.collect()
        self.assertEqual(ctypes.string_at(borrowed.address, len(expected)), expected)
        self.assertRaises(BufferError, ply.from_dlpack, both("gomoku")[1].tensor("plies"))

    def test_streams(self):
        """Arrays that come in are ordered before our work, in the stream of the batch."""
        actions = OnDevice(np.full(20, -1, np.int32))
        _, device = both("neighbours")
        device.step(actions)
        self.assertEqual(actions.streams, [device.stream])
        for given, stream in ((0, 1), (1, 1), (2, 2)):
            self.assertEqual(ply.Batch("neighbours", device="cuda", stream=given).stream, stream)

    def test_lent_arrays(self):
        own = np.zeros((20, 288), np.uint8)
        host = ply.Batch("neighbours", 20, outputs=["mask_bytes"], seed=5)
        device = ply.Batch("neighbours", 20, outputs=["mask_bytes"], seed=5, device="cuda",
                           arrays={"mask_bytes": OnDevice(own)})
        for batch in (host, device):
            batch.step(batch.sample())
        device.wait()
        np.testing.assert_array_equal(own, host.mask_bytes)
        for bad in (np.zeros((20, 287), np.uint8), np.zeros((20, 288), np.int8),
                    np.zeros((20, 576), np.uint8)[:, ::2]):
            with self.assertRaises(ValueError):
                ply.Batch("neighbours", 20, outputs=["mask_bytes"], device="cuda", arrays={"mask_bytes": OnDevice(bad)})

    def test_misuse(self):
        _, device = both("neighbours")
        for bad, expected in ((OnDevice(np.zeros(20, np.int64)), ValueError), (OnDevice(np.zeros(3, "i4")), ValueError),
                              (OnDevice(np.zeros(20, np.int32), (2, 1)), BufferError),
                              (OnDevice(np.zeros(40, np.int32)[::2]), ValueError),
                              (np.zeros(3, np.int32), ValueError), ([0.5] * 20, TypeError), (None, TypeError)):
            self.assertRaises(expected, device.step, bad)
        for name in ("gpu", "cuda:", "cuda:x", "cuda:-1", 3, None):
            self.assertRaises(ValueError, ply.Batch, "shogi", device=name)
        with self.assertRaisesRegex(ply.Error, "illegal actions"):
            ply.Batch("shogi", device="cuda", illegal="fails")
        self.assertRaises(ValueError, ply.Batch, "shogi", stream=1)
        device.close()
        self.assertRaises(ValueError, device.wait)

    def test_failures(self):
        """Without a device, one sentence says what is missing."""
        program = "import plyverse; plyverse.Batch('shogi', 4096, device='cuda')"
        failures = [("no-device", "this machine has no CUDA device"), ("no-code", "this build has no code"),
                    ("small", "out of memory")]
        if os.path.getsize(os.path.join(os.environ["PLYVERSE_BUILD"], "generated/cuda/modules.inc")):
            failures.append(("old", "the NVIDIA driver is too old"))  # for the kernels that nvcc has compiled
        for mode, message in failures:
            result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                                    env=dict(os.environ, PLY_EMULATED_CUDA=mode))
            self.assertRegex(result.stderr.splitlines()[-1], f"^(plyverse\\.|Memory)Error: cuda: .*{message}")


if __name__ == "__main__":
    unittest.main()
