"""A PettingZoo AEC environment of any game (needs `pettingzoo`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .game import Game


class QuincunxEnv(AECEnv):
    """Two agents, `player_0` and `player_1`, in turns; illegal actions raise a ValueError."""

    metadata = {"name": "quincunx_v0", "is_parallelizable": False, "render_modes": ["ansi", "svg"]}

    def __init__(self, game: str, ruleset: str | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = Game(game, ruleset)
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        shape, actions = self.game.observation_shape, self.game.num_actions
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game."""
        self.state_ = self.game.new()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.state_.to_move]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees; who is not to move has no legal action."""
        turn = self.possible_agents[self.state_.to_move] == agent and not self.state_.is_over
        mask = self.state_.legal_mask() if turn else np.zeros(self.game.num_actions, np.bool_)
        observation = self.state_.observation()
        if self.possible_agents[self.state_.to_move] != agent:
            # The first half of the planes of stones is that of the side to move.
            cells = _stone_planes(observation.shape)
            observation = np.concatenate([observation[cells : 2 * cells], observation[:cells], observation[2 * cells :]])
        return {"observation": observation, "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Plays an action of the agent whose turn it is."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.state_.apply(int(action))  # type: ignore[arg-type]
        self._clear_rewards()
        if self.state_.is_over:
            for agent, value in zip(self.possible_agents, self.state_.returns()):
                self.rewards[agent] = value
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.state_.to_move]
        self._accumulate_rewards()
        if self.render_mode is not None:
            self.render()

    def render(self) -> str | None:
        """The board as text, or as a picture."""
        if self.render_mode is None:
            return None
        return self.state_.svg() if self.render_mode == "svg" else str(self.state_)

    def close(self) -> None:
        """Nothing is held open."""


def _stone_planes(shape: tuple[int, ...]) -> int:
    """The planes of one side's stones: one, or one for each board."""
    return shape[0] // 2 if shape[0] in (2, 8) else 1


def env(game: str, ruleset: str | None = None, render_mode: str | None = None) -> AECEnv:
    """The environment of a game."""
    return QuincunxEnv(game, ruleset, render_mode)
