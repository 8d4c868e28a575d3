#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py - compares a network as the library evaluates it with plynet.py, position by position.

    plyverse_train eval GAME NET FILE... | tools/train/check.py SAMPLES NET
    plyverse_train policy GAME NET FILE... | tools/train/check.py SAMPLES NET --policy

The games must be those the samples were made of, with the same options. With --policy, the logits of the policy head are
compared. Exit status 1: the values differ.
"""
import os
import sys

import numpy as np

import plynet


def check_policy(net, own, enemy, lines):
    """A line has the cells and logits of the legal moves of a position: CELL:LOGIT ..."""
    ours, wrong = net.logits(own, enemy), []
    for i, line in enumerate(lines):
        pairs = [tuple(map(int, word.split(":"))) for word in line.split()]
        if not pairs or any(cell >= ours.shape[1] or ours[i, cell] != logit for cell, logit in pairs):
            wrong.append(i)
    if wrong:
        sys.exit(f"check.py: the logits of {len(wrong)} of {len(lines)} positions differ, first in sample {wrong[0]}")
    print(f"the logits of {len(lines)} positions are equal")


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--policy"]):
        sys.exit(__doc__)
    folder, path = sys.argv[1:3]
    with open(os.path.join(folder, "meta.txt"), encoding="utf-8") as file:
        meta = dict(line.split() for line in file)
    images, per_cell = int(meta["images"]), int(meta.get("per-cell", 0))
    lines = sys.stdin.read().splitlines()
    library = np.zeros(len(lines)) if sys.argv[3:] else np.array(lines, np.int64)

    def load(name):
        return np.load(os.path.join(folder, name + ".npy"), mmap_mode="r")[:len(library) * images:images]

    own, phase, own_eval = (load(name) for name in ("own", "phase", "eval"))
    enemy = np.load(os.path.join(folder, "exchanged.npy"))[own] if per_cell else load("enemy")
    if len(library) == 0 or len(phase) != len(library):
        sys.exit(f"check.py: {len(library)} values for {len(phase)} samples")
    net = plynet.read(path, per_cell)
    if sys.argv[3:]:
        check_policy(net, np.array(own), enemy, lines)
        return
    ours = net.evaluate(own, enemy, phase, own_eval)
    wrong = np.flatnonzero(ours != library)
    if len(wrong):
        first = wrong[0]
        sys.exit(f"check.py: {len(wrong)} of {len(library)} values differ; sample {first}: "
                 f"{library[first]} in the library, {ours[first]} here")
    print(f"{len(library)} values are equal")


if __name__ == "__main__":
    main()
