# SPDX-License-Identifier: MIT
"""A vector environment for Gymnasium (https://gymnasium.farama.org): many games at once.

Needs the package gymnasium, which Plyverse itself does not.
"""
from __future__ import annotations

from typing import Any, Callable

import gymnasium
import numpy as np
import numpy.typing as npt

from plyverse.batch import NO_ACTION, Batch
from plyverse.rules import Rules

__all__ = ["PlyverseVectorEnv"]

Opponent = Callable[[Batch], npt.ArrayLike]


class PlyverseVectorEnv(gymnasium.vector.VectorEnv):
    """Games against an opponent, as Gymnasium's VectorEnv.

    The agent is player `agent` in every game. `opponent` is a function that takes the Batch and returns an action for
    every game; None plays at random. A game that ends starts again in the same step (AutoresetMode.SAME_STEP), and
    `infos["final_obs"]` then holds its last observation. `infos["action_mask"]` says which actions are legal; an
    illegal action is not played, and `infos["illegal"]` says so.
    """

    def __init__(self, rules: Rules | str, num_envs: int, variant: str = "", *, agent: int = 0,
                 opponent: Opponent | None = None, seed: int = 0, threads: int = 1, max_plies: int = 0) -> None:
        if agent not in (0, 1):
            raise ValueError(f"agent must be 0 or 1, not {agent!r}")
        self._arguments = {"rules": rules, "games": num_envs, "variant": variant, "threads": threads,
                           "max_plies": max_plies, "reset": "never", "illegal": "passes",
                           "outputs": ["observations", "mask_bytes"]}
        self._agent, self._opponent = agent, opponent
        self._batch = Batch(seed=seed, **self._arguments)  # type: ignore[arg-type]
        self.num_envs = num_envs
        shape = self._batch.observations.shape[1:]
        self.single_observation_space = gymnasium.spaces.Box(0, 255, shape, np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self._batch.actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        mode = getattr(gymnasium.vector, "AutoresetMode", None)
        self.metadata = {"autoreset_mode": mode.SAME_STEP if mode else "SameStep"}

    def _over(self) -> npt.NDArray[np.bool_]:
        return self._batch.terminated | self._batch.truncated

    def _reply(self) -> npt.NDArray[np.float32]:
        """Lets the opponent move until the agent is to move everywhere; returns the agent's rewards."""
        total = np.zeros(self.num_envs, np.float32)
        while True:
            waiting = (self._batch.players != self._agent) & ~self._over()
            if not waiting.any():
                return total
            chosen = self._batch.sample() if self._opponent is None else np.asarray(self._opponent(self._batch))
            if self._opponent is not None and not self._batch.mask_bytes[waiting, chosen[waiting]].all():
                raise ValueError("the opponent chose an illegal action")
            self._batch.step(np.where(waiting, chosen, NO_ACTION))
            total += np.where(waiting, self._batch.rewards[:, self._agent], 0)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._batch.mask_bytes.copy()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Starts all games again; returns observations and infos."""
        if seed is not None:
            self._batch = Batch(seed=seed, **self._arguments)  # type: ignore[arg-type]
        self._batch.reset()
        self._reply()
        return self._batch.observations.copy(), self._infos()

    def step(self, actions: Any) -> Any:
        """Plays the agent's actions and the opponent's replies."""
        batch = self._batch
        batch.step(actions)
        illegal = batch.illegal.copy()
        rewards = batch.rewards[:, self._agent].copy()
        rewards += self._reply()
        terminated, truncated = batch.terminated.copy(), batch.truncated.copy()
        over, final = terminated | truncated, None
        if over.any():
            final = batch.observations.copy()
            batch.reset(over)
            self._reply()
        infos = self._infos()
        infos["illegal"] = illegal
        if final is not None:
            infos["final_obs"], infos["_final_obs"] = final, over
        return batch.observations.copy(), rewards, terminated, truncated, infos

    def close(self, **_: Any) -> None:
        """Frees the games."""
        self._batch.close()
