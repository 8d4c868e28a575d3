# SPDX-License-Identifier: MIT
"""The adapters for Gymnasium and PettingZoo, against a minimal fake of the published interfaces (fake/)."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake"))

import numpy as np
import plyverse as ply
from plyverse.gymnasium import PlyverseVectorEnv
from plyverse.pettingzoo import PlyverseAECEnv


class Gymnasium(unittest.TestCase):
    def play(self, agent, seed):
        env = PlyverseVectorEnv("neighbours", 16, agent=agent, seed=seed)
        chance = np.random.default_rng(seed)
        observations, infos = env.reset(seed=seed)
        seen, ended = [], 0
        for _ in range(120):
            self.assertTrue(env.observation_space.contains(observations))
            mask = infos["action_mask"]
            self.assertTrue(mask.any(1).all())  # the agent can move in every game
            actions = np.array([chance.choice(np.flatnonzero(row)) for row in mask])
            observations, rewards, terminated, truncated, infos = env.step(actions)
            self.assertFalse(infos["illegal"].any())
            self.assertTrue(((rewards == 0) | terminated).all())
            over = terminated | truncated
            ended += int(over.sum())
            if over.any():
                self.assertTrue((infos["_final_obs"] == over).all())
                self.assertEqual(infos["final_obs"].shape, observations.shape)
            seen.append((observations.sum(), rewards.tolist()))
        env.close()
        self.assertGreater(ended, 16)
        return seen

    def test_games(self):
        for agent in (0, 1):
            self.assertEqual(self.play(agent, 3), self.play(agent, 3))
        self.assertNotEqual(self.play(0, 3), self.play(0, 4))

    def test_opponent(self):
        env = PlyverseVectorEnv("neighbours", 4, agent=1, opponent=lambda batch: batch.mask_bytes.argmax(1))
        observations, infos = env.reset()
        self.assertEqual(observations.shape, (4, 3, 6, 6))
        self.assertTrue((infos["action_mask"] == infos["action_mask"][0]).all())  # the opponent moved alike everywhere
        before = observations
        observations, rewards, *_, infos = env.step(np.full(4, -1))
        self.assertTrue(infos["illegal"].all() and (observations == before).all() and not rewards.any())
        self.assertRaises(ValueError, PlyverseVectorEnv, "neighbours", 4, agent=2)
        bad = PlyverseVectorEnv("neighbours", 4, agent=1, opponent=lambda batch: np.full(4, 287))
        self.assertRaisesRegex(ValueError, "opponent", bad.reset)


class PettingZoo(unittest.TestCase):
    def test_games(self):
        for game in ("neighbours", "checkers"):
            env = PlyverseAECEnv(game, render_mode="ansi")
            chance = np.random.default_rng(1)
            env.reset(seed=1)
            totals, state = dict.fromkeys(env.possible_agents, 0.0), ply.State(game)
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, _ = env.last()
                totals[agent] += reward
                if terminated or truncated:
                    action = None
                else:
                    self.assertTrue(env.observation_space(agent).contains(observation))
                    self.assertEqual(agent, f"player_{state.side}")
                    self.assertEqual(env.render(), state.draw())
                    action = chance.choice(np.flatnonzero(observation["action_mask"]))
                    self.assertTrue(env.action_space(agent).contains(action))
                    state.play(env._batch.move(0, int(action)))
                env.step(action)
            winner = state.outcome.winner
            wanted = {f"player_{p}": 0.0 if winner is None else 1.0 if p == winner else -1.0 for p in (0, 1)}
            self.assertEqual(totals, wanted)

    def test_illegal_loses(self):
        env = PlyverseAECEnv("neighbours", render_mode="svg")
        env.reset()
        self.assertTrue(env.render().startswith("<svg"))
        self.assertRaises(ValueError, env.step, None)
        env.step(287)
        self.assertEqual((env.rewards, env.terminations["player_0"]), ({"player_0": -1.0, "player_1": 1.0}, True))


if __name__ == "__main__":
    unittest.main()
