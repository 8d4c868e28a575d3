#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Learns Neighbours 6x6 from nothing but the rules, as AlphaZero does, in NumPy: self-play, training, measuring.

    self-play   128 games at a time (plyverse.Batch). Every legal move of every game is tried in a second batch, and the
                network values the positions it leads to: a search with one simulation for each move. The policy to
                learn is the network's own, improved by these values, as in Gumbel AlphaZero. Moves are drawn from it.
    training    a small network with two heads, Adam, positions and their mirror images. The value to learn is the
                result of the game, or the network's own value where the game goes on after the last step seen.
    measuring   against random play: the policy alone, and the best move by the search of one ply

Usage: alphazero_neighbours.py [--iterations N] [--seed S] [--plot FILE.svg] [--match GAMES]
"""
from __future__ import annotations

import argparse
import time

import numpy as np
import plyverse as ply

RULES = ply.Rules("neighbours")
CELLS, ACTIONS = 36, RULES.actions
DISTANCES = 6  # a piece moves 0 to 5 squares; if it should move further, it cannot
FEATURES = 2 * DISTANCES * CELLS
HIDDEN = 128, 128
MAX_PLIES, MOST_MOVES = 200, 48


class Boards:
    """Positions as the network takes them: one feature for each piece, by its owner, its distance and its cell."""

    def __init__(self, planes) -> None:
        planes = np.asarray(planes).reshape(-1, 3, CELLS)
        self.count = len(planes)
        self.rows, cells = np.nonzero(planes[:, 0] | planes[:, 1])
        _, enemy, distance = planes[self.rows, :, cells].astype(np.int64).T
        self.features = (DISTANCES * enemy + np.minimum(distance, DISTANCES - 1)) * CELLS + cells

    def times(self, weights):
        """The product with a matrix: a sum of its rows, because a position has at most twelve features."""
        starts = np.searchsorted(self.rows, np.arange(self.count))
        return np.add.reduceat(weights[self.features], starts)

    def matrix(self):
        """A row of zeros and ones for each position."""
        matrix = np.zeros((self.count, FEATURES), np.float32)
        matrix[self.rows, self.features] = 1
        return matrix


class Network:
    """Features -> two hidden layers -> logits of the actions, and the expected result for the player to move."""

    SHAPES = {"w1": (FEATURES, HIDDEN[0]), "w2": HIDDEN, "wp": (HIDDEN[1], ACTIONS), "wv": (HIDDEN[1], 1)}

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.weights = {}
        for name, (rows, columns) in self.SHAPES.items():
            scale = np.sqrt(2 / rows) if name < "wp" else 0.01
            self.weights[name] = chance.normal(0, scale, (rows, columns)).astype(np.float32)
            self.weights["b" + name[1:]] = np.zeros(columns, np.float32)
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.steps = 0

    def hidden(self, boards: Boards):
        w = self.weights
        first = np.maximum(boards.times(w["w1"]) + w["b1"], 0)
        return first, np.maximum(first @ w["w2"] + w["b2"], 0)

    def logits(self, second):
        return second @ self.weights["wp"] + self.weights["bp"]

    def values(self, second):
        return np.tanh(second @ self.weights["wv"] + self.weights["bv"])[:, 0]

    def slopes(self, boards: Boards, policy, result):
        """The losses of the policy (cross-entropy) and of the value (mean square), and the slopes of their sum."""
        w, n = self.weights, boards.count
        first, second = self.hidden(boards)
        logits, value = self.logits(second), self.values(second)
        logits = logits - logits.max(1, keepdims=True)
        log_p = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        loss_p, loss_v = float(-(policy * log_p).sum() / n), float(((value - result) ** 2).mean())
        d_policy = (np.exp(log_p) - policy) / n
        d_value = (2 * (value - result) * (1 - value**2) / n)[:, None]
        d_second = (d_policy @ w["wp"].T + d_value @ w["wv"].T) * (second > 0)
        d_first = (d_second @ w["w2"].T) * (first > 0)
        slopes = {"wp": second.T @ d_policy, "bp": d_policy.sum(0), "wv": second.T @ d_value, "bv": d_value.sum(0),
                  "w2": first.T @ d_second, "b2": d_second.sum(0), "w1": boards.matrix().T @ d_first,
                  "b1": d_first.sum(0)}
        return (loss_p, loss_v), slopes

    def train(self, boards: Boards, policy, result, rate=1e-3):
        """One step of Adam; returns the losses."""
        losses, slopes = self.slopes(boards, policy, result)
        self.steps += 1
        unbiased = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            mean, square = self.moments[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            self.weights[name] -= (rate * unbiased * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return losses


class Lookahead:
    """Tries every legal move of every game of a batch: what is each worth to the player to move?"""

    def __init__(self, games: int) -> None:
        self.after = ply.Batch(RULES, games * MOST_MOVES, outputs=["observations"], reset="never", illegal="passes",
                               max_plies=MAX_PLIES + 1)

    def values(self, network: Network, batch: ply.Batch):
        """[games, actions]: 1 wins, -1 loses; minus infinity for moves that are not legal."""
        after, worth = self.after, np.full((batch.games, ACTIONS), -np.inf, np.float32)
        games, actions = np.nonzero(batch.mask_bytes)
        if len(games) == 0:
            return worth
        rows = np.arange(len(games))
        after.copy_games(rows, batch, games)
        players, chosen = batch.players[games], np.full(after.games, ply.NO_ACTION, np.int32)
        chosen[rows] = actions
        after.step(chosen)
        values = -network.values(network.hidden(Boards(after.observations[rows]))[1])
        worth[games, actions] = np.where(after.terminated[rows], after.rewards[rows, players], values)
        return worth


def softmax(logits):
    policy = np.exp(logits - logits.max(1, keepdims=True))
    return policy / policy.sum(1, keepdims=True)


class SelfPlay:
    """Games of the network against itself, all at the same time."""

    def __init__(self, seed: int, games=128) -> None:
        self.batch = ply.Batch(RULES, games, outputs=["observations", "mask_bytes"], seed=seed, max_plies=MAX_PLIES)
        self.lookahead = Lookahead(games)
        self.chance = np.random.default_rng(seed)
        self.played = 0

    def run(self, network: Network, steps=32, sharpness=8.0):
        """Plays some steps of all games; returns planes, improved policies and results."""
        batch = self.batch
        every = np.arange(batch.games)
        planes = np.empty((steps, *batch.observations.shape), np.uint8)
        policies = np.empty((steps, batch.games, ACTIONS), np.float32)
        rewards, ended = np.empty((2, steps, batch.games), np.float32)
        for t in range(steps):
            planes[t] = batch.observations
            logits = network.logits(network.hidden(Boards(planes[t]))[1])
            policies[t] = softmax(logits + sharpness * self.lookahead.values(network, batch))
            summed = policies[t].cumsum(1)
            drawn = self.chance.random((batch.games, 1), np.float32) * summed[:, -1:]
            players = batch.players.copy()
            batch.step((summed <= drawn).sum(1))
            ended[t] = batch.terminated | batch.truncated
            rewards[t] = batch.rewards[every, players]
            self.played += int(ended[t].sum())
        results = np.empty_like(rewards)
        later = network.values(network.hidden(Boards(batch.observations))[1])
        for t in reversed(range(steps)):
            later = results[t] = np.where(ended[t], rewards[t], -later)
        return planes.reshape(-1, 3 * CELLS), policies.reshape(-1, ACTIONS), results.reshape(-1)


def mirrored(planes, policies):
    """The mirror images of positions and their policies."""
    cells, actions = ply.symmetries(RULES)[1]
    image, policy = np.empty_like(planes), np.empty_like(policies)
    image.reshape(-1, 3, CELLS)[:, :, cells] = planes.reshape(-1, 3, CELLS)
    policy[:, actions] = policies
    return image, policy


def against_random(network: Network, games: int, seed: int, lookahead: bool) -> float:
    """The network's points per game against random play, by its best move; both sides equally often."""
    batch = ply.Batch(RULES, games, outputs=["observations", "mask_bytes"], seed=seed, reset="never",
                      max_plies=MAX_PLIES, illegal="passes")
    search = Lookahead(games)
    ours, points = np.arange(games) % 2, np.full(games, 0.5)
    while not (batch.terminated | batch.truncated).all():
        if lookahead:
            worth = search.values(network, batch)
        else:
            logits = network.logits(network.hidden(Boards(batch.observations))[1])
            worth = np.where(batch.mask_bytes, logits, -np.inf)
        batch.step(np.where(batch.players == ours, worth.argmax(1), batch.sample()))
        points += batch.rewards[np.arange(games), ours] / 2
    return float(points.mean())


def evaluator(network: Network):
    """What plyverse.Searcher calls: fills in priors and values of many positions at once."""

    def evaluate(leaves):
        planes = np.empty((len(leaves), 3, 6, 6), np.uint8)
        for leaf, board in zip(leaves, planes):
            leaf.observe(board)
        second = network.hidden(Boards(planes))[1]
        for leaf, logits, value in zip(leaves, network.logits(second), network.values(second)):
            leaf.priors, leaf.value = softmax(logits[None, leaf.actions])[0], float(value)

    return evaluate


def match(network: Network, games: int, opponent: str, simulations=200) -> float:
    """The points per game of MCTS with the network against a player of the library, such as "alphabeta:depth=4"."""
    searcher = ply.Searcher(RULES, evaluator=evaluator(network), memory_mb=16)

    def player(state):
        searcher.clear()
        return searcher.run(state, nodes=simulations).move

    return ply.match(RULES, player, opponent, games, max_plies=MAX_PLIES).score


def plot(path: str, curve: list[tuple[float, float, float]]) -> None:
    """Draws the learning curve as SVG: points per game by policy and by search, against games of self-play."""
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
                 'self-play; points per game against random play</text>')
    for which, colour, label in ((1, "#8a5a3c", "policy alone"), (2, "#0b6e69", "with search")):
        y = [top + (height - top - 50) * (1 - point[which]) for point in curve]
        line = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y))
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>' for a, b in zip(x, y)]
        parts.append(f'<text x="{width - 20}" y="{height - 74 - 18 * which}" text-anchor="end" fill="{colour}">{label}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n</svg>\n")


def learn(iterations=60, seed=1, measure=400, every=10, path=None, say=print):
    """The whole loop; returns the network and its curve: (games played, points by policy alone, points by search)."""
    network, chance, games = Network(seed), np.random.default_rng(seed), SelfPlay(seed)
    curve: list[tuple[float, float, float]] = []
    memory: list[tuple[np.ndarray, ...]] = []
    losses = [(0.0, 0.0)]
    begin = time.monotonic()
    for iteration in range(iterations + 1):
        if iteration % every == 0 or iteration == iterations:
            curve.append((games.played, *(against_random(network, measure, seed, ahead) for ahead in (False, True))))
            loss = " + ".join(f"{mean:.2f}" for mean in np.mean(losses, 0))
            say(f"{games.played:6d} games {time.monotonic() - begin:4.0f} s  loss {loss}  points per game against "
                f"random play: {curve[-1][1]:.3f} by policy, {curve[-1][2]:.3f} by search")
            if path:
                plot(path, curve)
        if iteration == iterations:
            return network, curve
        planes, policies, results = games.run(network)
        memory = memory[-7:] + [(planes, policies, results), (*mirrored(planes, policies), results)]
        losses = []
        for _ in range(len(planes) // 128):
            planes, policies, results = memory[chance.integers(len(memory))]
            pick = chance.integers(len(planes), size=256)
            losses.append(network.train(Boards(planes[pick]), policies[pick], results[pick]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Learns Neighbours 6x6 by self-play.")
    parser.add_argument("--iterations", type=int, default=60, help="of self-play and training (default 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", help="write the learning curve to this SVG file")
    parser.add_argument("--match", type=int, default=0, metavar="GAMES", help="play against the library at the end")
    parser.add_argument("--opponent", default="alphabeta:depth=4", help="in that match (default alphabeta:depth=4)")
    args = parser.parse_args()
    learned, _ = learn(args.iterations, args.seed, path=args.plot)
    if args.match:
        print(f"points per game against {args.opponent}: {match(learned, args.match, args.opponent):.3f}")
