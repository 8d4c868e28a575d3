#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Batches on a CUDA device from Python, with PyTorch and JAX: run by hand on a machine with a device.

Plays the same random games on the device and on the CPU. PyTorch sees the arrays of the device without a copy and
chooses the actions, in its own stream; what it sees must be equal to the batch on the CPU after every step. Then JAX
sees the same memory. Last come steps per second, with mask and observations. Status 1 if anything differs.

    cmake --build build-cuda --target ply_python      # after tools/cuda-check, or any build with CUDA
    PYTHONPATH=build-cuda/python python3 tests/cuda/python_check.py [--games N] [--steps N] [--speed-games N]
"""
import argparse
import sys
import time

import numpy as np
import plyverse as ply
import torch

RULES = [("neighbours", ""), ("checkers", ""), ("gomoku", "freestyle"), ("gomoku", "renju"), ("shogi", "")]
OUTPUTS = ["observations", "mask_bytes"]
COMPARED = ["observations", "mask_bytes", "rewards", "terminated", "truncated", "players", "results"]


def current_stream():
    return torch.cuda.current_stream().cuda_stream


def views(batch, names):
    """The batch's own memory as tensors of PyTorch."""
    return {name: torch.from_dlpack(batch.tensor(name)) for name in names}


def differences(seen, host):
    """The arrays in which what PyTorch sees differs from the batch on the CPU."""
    return [name for name, tensor in seen.items() if not np.array_equal(tensor.cpu().numpy(), host.read(name))]


def compare(game, variant, games, steps):
    """Plays by the actions that PyTorch chooses: the first, the last, or the middle one of the mask."""
    options = {"outputs": OUTPUTS, "seed": 1, "max_plies": 300, "illegal": "loses"}
    host = ply.Batch(game, games, variant, **options)
    device = ply.Batch(game, games, variant, device="cuda", stream=current_stream(), **options)
    seen = views(device, COMPARED)
    noise = torch.Generator(device="cuda")
    noise.manual_seed(1)
    for step in range(steps):
        bad = differences(seen, host)
        if bad:
            return f"step {step}: PyTorch sees another {', '.join(bad)}"
        scores = torch.rand((games, device.actions), generator=noise, device="cuda")
        actions = (scores * seen["mask_bytes"]).argmax(1).to(torch.int32)
        device.step(actions)
        host.step(actions.cpu().numpy())
    device.step(device.sample())
    host.step(host.sample())
    bad = differences(seen, host)
    return f"sample: another {', '.join(bad)}" if bad else see_with_jax(device, host)


def lend(games=64):
    """The batch writes into a tensor of PyTorch's, from a stream of its own."""
    own = torch.zeros((games, 288), dtype=torch.uint8, device="cuda")
    host = ply.Batch("neighbours", games, outputs=["mask_bytes"], seed=2)
    device = ply.Batch("neighbours", games, outputs=["mask_bytes"], seed=2, device="cuda", arrays={"mask_bytes": own})
    for _ in range(40):
        device.step(device.sample())
        host.step(host.sample())
    device.wait()
    return "" if np.array_equal(own.cpu().numpy(), host.read("mask_bytes")) else "a lent tensor differs"


def see_with_jax(device, host):
    try:
        import jax
    except ImportError:
        return ""
    array = jax.dlpack.from_dlpack(device.tensor("observations"))
    if array.devices().pop().platform == "cpu":
        return "JAX has no device"
    return "" if np.array_equal(np.asarray(array), host.read("observations")) else "JAX sees another observation"


def speed(game, variant, games):
    """Million steps per second: random actions by the batch, and actions that PyTorch draws from the mask."""
    batch = ply.Batch(game, games, variant, outputs=OUTPUTS, device="cuda", stream=current_stream(), max_plies=300)
    mask = torch.from_dlpack(batch.tensor("mask_bytes"))
    everything = torch.arange(batch.actions, 0, -1, dtype=torch.int16, device="cuda")

    def by_torch():
        batch.step((mask * everything).argmax(1).to(torch.int32))

    figures = []
    for play in (lambda: batch.step(batch.sample()), by_torch):
        for count in (5, 50):
            batch.wait()
            begin = time.perf_counter()
            for _ in range(count):
                play()
            batch.wait()
        figures.append(50 * games / (time.perf_counter() - begin) / 1e6)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--speed-games", type=int, default=65536)
    args = parser.parse_args()
    print(f"Plyverse {ply.__version__}, PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
    problem = lend()
    failed = bool(problem)
    print(f"{'FAILED' if problem else 'equal'}  arrays lent by PyTorch {problem}")
    for game, variant in RULES:
        problem = compare(game, variant, args.games, args.steps)
        failed |= bool(problem)
        print(f"{'FAILED' if problem else 'equal'}  {game} {variant}: {args.games} games, {args.steps} steps {problem}",
              flush=True)
    for game, variant in RULES:
        own, by_torch = speed(game, variant, args.speed_games)
        print(f"{game} {variant}: {own:.1f} million steps/s by sample, {by_torch:.1f} by PyTorch", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
