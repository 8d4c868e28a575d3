# SPDX-License-Identifier: MIT
"""An environment for PettingZoo's AEC interface (https://pettingzoo.farama.org): one game, two agents.

Needs the packages pettingzoo and gymnasium, which Plyverse itself does not.
"""
from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from plyverse.batch import Batch
from plyverse.rules import Rules, rules_of

__all__ = ["PlyverseAECEnv"]


class PlyverseAECEnv(pettingzoo.AECEnv):
    """A game as an AEC environment with the agents player_0 and player_1.

    Observations are {"observation": planes as the agent sees them, "action_mask": legal actions}. The agent to move is
    asked; an illegal action loses the game. As PettingZoo prescribes, an agent whose game is over is stepped once more
    with None.
    """

    metadata = {"render_modes": ["ansi", "svg"], "name": "plyverse_v0", "is_parallelizable": False}

    def __init__(self, rules: Rules | str, variant: str = "", *, max_plies: int = 0,
                 render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "svg"):
            raise ValueError(f"render_mode must be 'ansi' or 'svg', not {render_mode!r}")
        self.rules, self.render_mode = rules_of(rules, variant), render_mode
        self._batch = Batch(self.rules, 1, max_plies=max_plies, reset="never", illegal="loses",
                            outputs=["observations", "mask_bytes"])
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        shape = self._batch.observations.shape[1:]
        self._action_space = gymnasium.spaces.Discrete(self._batch.actions)
        self._observation_space = gymnasium.spaces.Dict({
            "observation": gymnasium.spaces.Box(0, 255, shape, np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (self._batch.actions,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        """The space of observations, the same for both agents."""
        return self._observation_space

    def action_space(self, agent: str) -> Any:
        """The space of actions, the same for both agents."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts the game again. There is no chance in it, so the seed changes nothing."""
        self._batch.reset()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[int(self._batch.players[0])]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent to move sees; the other agent gets the same board with no legal action."""
        mask = self._batch.mask_bytes[0].astype(np.int8)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._batch.observations[0].copy(), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Plays the action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move and needs an action")
        self._batch.step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        for player, name in enumerate(self.possible_agents):
            self.rewards[name] = float(self._batch.rewards[0, player])
            self.terminations[name] = bool(self._batch.terminated[0])
            self.truncations[name] = bool(self._batch.truncated[0])
        self.agent_selection = self.possible_agents[int(self._batch.players[0])]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text or SVG, by render_mode."""
        state = self._batch[0]
        if self.render_mode is None:
            return None
        return state.svg() if self.render_mode == "svg" else state.draw()

    def close(self) -> None:
        """Frees the game."""
        self._batch.close()
