# SPDX-License-Identifier: MIT
"""The part of PettingZoo's published AECEnv that the adapter inherits; PettingZoo is not in Debian 12.

https://pettingzoo.farama.org/api/aec/
"""


class AECEnv:
    def __init__(self):
        pass

    def last(self, observe=True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def _accumulate_rewards(self):
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action):
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        for values in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del values[agent]
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]
