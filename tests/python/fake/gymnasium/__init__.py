# SPDX-License-Identifier: MIT
"""The few names of Gymnasium's published interface (version 1) that the adapter uses; Gymnasium is not in Debian 12.

https://gymnasium.farama.org/api/vector/ and https://gymnasium.farama.org/api/spaces/
"""
import enum
import types

import numpy as np


class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, tuple(shape), np.dtype(dtype)

    def contains(self, x):
        return x.shape == self.shape and x.dtype == self.dtype and (x >= self.low).all() and (x <= self.high).all()


class Discrete:
    def __init__(self, n):
        self.n = n

    def contains(self, x):
        return 0 <= x < self.n


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces

    def contains(self, x):
        return x.keys() == self.spaces.keys() and all(space.contains(x[name]) for name, space in self.spaces.items())


class MultiDiscrete:
    def __init__(self, nvec):
        self.nvec = np.asarray(nvec)


def batch_space(space, n):
    if isinstance(space, Box):
        return Box(space.low, space.high, (n, *space.shape), space.dtype)
    return MultiDiscrete([space.n] * n)


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class VectorEnv:
    metadata = {}
    num_envs = 0


spaces = types.SimpleNamespace(Box=Box, Discrete=Discrete, Dict=Dict, MultiDiscrete=MultiDiscrete)
vector = types.SimpleNamespace(VectorEnv=VectorEnv, AutoresetMode=AutoresetMode,
                               utils=types.SimpleNamespace(batch_space=batch_space))
