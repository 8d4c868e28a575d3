#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py - compares a network as the library evaluates it with plynet.py, position by position.

    plyverse_train eval GAME NET FILE... | tools/train/check.py SAMPLES NET

The games must be those the samples were made of, with the same options. Exit status 1: the values differ.
"""
import os
import sys

import numpy as np

import plynet


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, path = sys.argv[1:]
    with open(os.path.join(folder, "meta.txt"), encoding="utf-8") as file:
        meta = dict(line.split() for line in file)
    images, per_cell = int(meta["images"]), int(meta.get("per-cell", 0))
    library = np.array(sys.stdin.read().split(), np.int64)

    def load(name):
        return np.load(os.path.join(folder, name + ".npy"), mmap_mode="r")[:len(library) * images:images]

    own, phase, own_eval = (load(name) for name in ("own", "phase", "eval"))
    enemy = np.load(os.path.join(folder, "exchanged.npy"))[own] if per_cell else load("enemy")
    if len(library) == 0 or len(phase) != len(library):
        sys.exit(f"check.py: {len(library)} values for {len(phase)} samples")
    ours = plynet.read(path, per_cell).evaluate(own, enemy, phase, own_eval)
    wrong = np.flatnonzero(ours != library)
    if len(wrong):
        first = wrong[0]
        sys.exit(f"check.py: {len(wrong)} of {len(library)} values differ; sample {first}: "
                 f"{library[first]} in the library, {ours[first]} here")
    print(f"{len(library)} values are equal")


if __name__ == "__main__":
    main()
