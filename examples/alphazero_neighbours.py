#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Learns Neighbours 6x6 from nothing but the rules, as AlphaZero does, in NumPy: self-play, training, measuring.

    self-play   MCTS asks the network about many positions at a time (plyverse.Searcher with an evaluator); the visits
                of the root become the policy to learn, the result of the game the value
    training    a small network with two heads, Adam, positions and their mirror images
    measuring   against random play: the network without any search, hundreds of games at a time (plyverse.Batch), and
                the network with the search

Usage: alphazero_neighbours.py [--iterations N] [--games N] [--simulations N] [--workers N] [--seed S] [--plot FILE.svg]
"""
from __future__ import annotations

import argparse
import multiprocessing
import time

import numpy as np
import plyverse as ply

RULES = ply.Rules("neighbours")
PLANES, CELLS, ACTIONS = 3, 36, RULES.actions
MAX_PLIES = 120


def as_input(planes):
    """Observations as the network takes them: own pieces, enemy pieces, and how far each moves, up to 8 squares."""
    return (planes.reshape(-1, PLANES, CELLS) * np.array([[1], [1], [0.25]], np.float32)).reshape(-1, PLANES * CELLS)


class Network:
    """Planes -> two hidden layers -> logits of the actions, and the expected result for the player to move."""

    SHAPES = {"w1": (PLANES * CELLS, 128), "w2": (128, 128), "wp": (128, ACTIONS), "wv": (128, 1)}

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.weights = {}
        for name, (rows, columns) in self.SHAPES.items():
            scale = np.sqrt(2 / rows) if name < "wp" else 0.01
            self.weights[name] = chance.normal(0, scale, (rows, columns)).astype(np.float32)
            self.weights["b" + name[1:]] = np.zeros(columns, np.float32)
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.steps = 0

    def __getstate__(self):
        return {"weights": self.weights}  # all that self-play in another process needs

    def forward(self, planes):
        """Logits, values, and what the backward pass needs. planes: what `as_input` returns."""
        w = self.weights
        first = np.maximum(planes @ w["w1"] + w["b1"], 0)
        second = np.maximum(first @ w["w2"] + w["b2"], 0)
        return second @ w["wp"] + w["bp"], np.tanh(second @ w["wv"] + w["bv"])[:, 0], (planes, first, second)

    def slopes(self, planes, policy, result):
        """The losses of the policy (cross-entropy) and of the value (mean square), and the slopes of their sum."""
        w, n = self.weights, len(planes)
        logits, value, (planes, first, second) = self.forward(planes)
        logits = logits - logits.max(1, keepdims=True)
        log_p = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        loss_p, loss_v = float(-(policy * log_p).sum() / n), float(((value - result) ** 2).mean())
        d_policy = (np.exp(log_p) - policy) / n
        d_value = (2 * (value - result) * (1 - value**2) / n)[:, None]
        d_second = (d_policy @ w["wp"].T + d_value @ w["wv"].T) * (second > 0)
        d_first = (d_second @ w["w2"].T) * (first > 0)
        slopes = {"wp": second.T @ d_policy, "bp": d_policy.sum(0), "wv": second.T @ d_value, "bv": d_value.sum(0),
                  "w2": first.T @ d_second, "b2": d_second.sum(0), "w1": planes.T @ d_first, "b1": d_first.sum(0)}
        return (loss_p, loss_v), slopes

    def train(self, planes, policy, result, rate=2e-3, decay=1e-4):
        """One step of Adam; returns the losses."""
        losses, slopes = self.slopes(planes, policy, result)
        self.steps += 1
        for name, slope in slopes.items():
            slope = slope + decay * self.weights[name]
            mean, square = self.moments[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            unbiased = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            self.weights[name] -= (rate * unbiased * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return losses


def evaluator(network: Network, chance: np.random.Generator | None):
    """What MCTS calls: fills in priors and values of many positions at once; noise at the root, if asked for."""

    def evaluate(leaves):
        planes = np.empty((len(leaves), PLANES, 6, 6), np.uint8)
        for leaf, board in zip(leaves, planes):
            leaf.observe(board)
        logits, values, _ = network.forward(as_input(planes))
        for leaf, row, value in zip(leaves, logits, values):
            row = row[leaf.actions]
            priors = np.exp(row - row.max())
            if chance is not None and leaf.is_root:
                priors = 0.75 * priors / priors.sum() + 0.25 * chance.dirichlet(np.full(len(row), 0.5))
            leaf.priors, leaf.value = priors, float(value)

    return evaluate


def self_play(job):
    """Plays one game; returns its positions as planes, policies and results."""
    network, simulations, seed = job
    chance = np.random.default_rng(seed)
    searcher = ply.Searcher(RULES, evaluator=evaluator(network, chance), memory_mb=4, seed=seed)
    batch = ply.Batch(RULES, 1, outputs=["observations"], reset="never", max_plies=MAX_PLIES)
    planes, policies, players = [], [], []
    while not (batch.terminated[0] or batch.truncated[0]):
        searcher.clear()
        found = searcher.run(batch[0], nodes=simulations)
        policy = found.policy(ACTIONS, temperature=0.5)  # with so few simulations, sharper targets teach more
        planes.append(batch.observations[0].reshape(-1).copy())
        policies.append(policy)
        players.append(int(batch.players[0]))
        sharp = policy if batch.plies[0] < 12 else policy == policy.max()
        batch.step([chance.choice(ACTIONS, p=sharp / sharp.sum(dtype=np.float64))])
    return np.array(planes), np.array(policies, np.float32), batch.rewards[0][players].astype(np.float32)


def mirrored(planes, policies):
    """The mirror images of positions and their policies."""
    cells, actions = ply.symmetries(RULES)[1]
    image, policy = np.empty_like(planes), np.empty_like(policies)
    image.reshape(-1, PLANES, CELLS)[:, :, cells] = planes.reshape(-1, PLANES, CELLS)
    policy[:, actions] = policies
    return image, policy


def against_random(network: Network, games: int, seed: int) -> float:
    """The network's points per game against random play: its most likely move, no search; both sides equally often."""
    batch = ply.Batch(RULES, games, outputs=["observations", "mask_bytes"], seed=seed, reset="never",
                      max_plies=MAX_PLIES, illegal="passes")
    ours, points = np.arange(games) % 2, np.full(games, 0.5)
    while not (batch.terminated | batch.truncated).all():
        logits = network.forward(as_input(batch.observations))[0]
        best = np.where(batch.mask_bytes, logits, -np.inf).argmax(1)
        batch.step(np.where(batch.players == ours, best, batch.sample()))
        points += batch.rewards[np.arange(games), ours] / 2
    return float(points.mean())


def search_against_random(job) -> float:
    """The points of one game of the network with search against random play."""
    network, simulations, number = job
    searcher = ply.Searcher(RULES, evaluator=evaluator(network, None), memory_mb=4)

    def ours(state):
        searcher.clear()
        return searcher.run(state, nodes=simulations).move

    result = ply.match(RULES, *((ours, f"random:seed={number}")[:: 1 if number % 2 else -1]), 1, seed=number,
                       max_plies=MAX_PLIES)
    return result.score if number % 2 else 1 - result.score


def plot(path: str, curve: list[tuple[float, float, float]]) -> None:
    """Draws the learning curve as SVG: points per game, alone and with search, by games of self-play."""
    width, height, left, top = 640, 300, 60, 20
    last = max(1.0, curve[-1][0])
    x = [left + (width - left - 20) * point[0] / last for point in curve]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="13"><title>Points per game against random play</title>'
             f'<rect width="{width}" height="{height}" fill="#fffefb"/>']
    for score in (0, 0.25, 0.5, 0.75, 1):
        level = top + (height - top - 50) * (1 - score)
        parts.append(f'<path d="M{left} {level:.1f}H{width - 20}" stroke="#dcd7cc"/>'
                     f'<text x="{left - 8}" y="{level + 4:.1f}" text-anchor="end" fill="#23211d">{score:.0%}</text>')
    for games in (0, last / 2, last):
        parts.append(f'<text x="{left + (width - left - 20) * games / last:.1f}" y="{height - 28}" text-anchor="middle" '
                     f'fill="#23211d">{games:.0f}</text>')
    parts.append(f'<text x="{(left + width) / 2}" y="{height - 8}" text-anchor="middle" fill="#625d54">games of '
                 'self-play; points per game against random play, with search and without</text>')
    for which, colour in ((1, "#8a5a3c"), (2, "#0b6e69")):
        y = [top + (height - top - 50) * (1 - point[which]) for point in curve]
        line = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y))
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>' for a, b in zip(x, y)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")


def learn(iterations=12, games=60, simulations=48, workers=2, seed=1, measure=400, path=None, say=print):
    """The whole loop; returns the network and its curve: (games played, points alone, points with search)."""
    network, chance = Network(seed), np.random.default_rng(seed)
    curve: list[tuple[float, float, float]] = []
    memory: list[tuple[np.ndarray, ...]] = []
    begin = time.monotonic()
    with multiprocessing.get_context("fork").Pool(workers) if workers > 1 else Alone() as pool:

        def note(played, text):
            searched = pool.map(search_against_random, [(network, simulations, i) for i in range(measure // 10)])
            curve.append((played, against_random(network, measure, seed), float(np.mean(searched))))
            say(f"{played:5d} games{text}  points per game against random play: {curve[-1][1]:.3f} alone, "
                f"{curve[-1][2]:.3f} with search  {time.monotonic() - begin:.0f} s")
            if path:
                plot(path, curve)

        note(0, "")
        for iteration in range(1, iterations + 1):
            jobs = [(network, simulations, int(s)) for s in chance.integers(2**32, size=games)]
            for planes, policies, results in pool.map(self_play, jobs):
                memory += [(planes, policies, results), (*mirrored(planes, policies), results)]
            memory = memory[-2 * 6 * games:]  # the last six iterations
            planes, policies, results = (np.concatenate(part) for part in zip(*memory))
            losses = []
            for _ in range(4 * len(planes) // 128 + 1):
                pick = chance.integers(len(planes), size=128)
                losses.append(network.train(as_input(planes[pick]), policies[pick], results[pick]))
            policy_loss, value_loss = np.mean(losses, 0)
            note(iteration * games, f"  loss {policy_loss:.3f} + {value_loss:.3f}")
    return network, curve


class Alone:
    """A pool of one."""

    map = staticmethod(lambda function, jobs: [function(job) for job in jobs])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Learns Neighbours 6x6 by self-play.")
    for name, default in (("iterations", 12), ("games", 60), ("simulations", 48), ("workers", 2), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--plot", help="write the learning curve to this SVG file")
    args = parser.parse_args()
    learn(args.iterations, args.games, args.simulations, args.workers, args.seed, path=args.plot)
