"""A Gymnasium environment of one side of a game against an agent (needs `gymnasium`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ._quincunx import State
from .engine import Engine
from .game import Game


class AgainstEnv(gymnasium.Env):
    """You play one side, an agent the other; the reward is 1, 0 or -1 at the end.

    `info["action_mask"]` has the legal actions. An action that is not legal raises a ValueError.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        game: str,
        opponent: str | Callable[[State], int | str] = "engine:level=3",
        *,
        side: int | None = 0,
        ruleset: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = Game(game, ruleset)
        self.opponent = opponent
        self.side = side
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 255, self.game.observation_shape, np.uint8)
        self.action_space = spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins a game; with `side=None` the sides are drawn by lot."""
        super().reset(seed=seed)
        self.seat = int(self.np_random.integers(2)) if self.side is None else self.side
        drawn = int(self.np_random.integers(1 << 32))
        self._answer = Engine(self.opponent, seed=drawn) if isinstance(self.opponent, str) else self.opponent
        self.state = self.game.new()
        self._reply()
        return self._seen()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Plays an action, and the answers of the opponent."""
        self.state.apply(int(action))
        self._reply()
        observation, info = self._seen()
        reward = self.state.returns()[self.seat] if self.state.is_over else 0.0
        return observation, reward, self.state.is_over, False, info

    def _reply(self) -> None:
        while not self.state.is_over and self.state.to_move != self.seat:
            self.state.apply(self._answer(self.state.clone()))

    def _seen(self) -> tuple[np.ndarray, dict[str, Any]]:
        return self.state.observation(), {"action_mask": self.state.legal_mask()}

    def render(self) -> str | None:  # type: ignore[override]
        """The board as text, or as a picture."""
        return self.state.svg() if self.render_mode == "svg" else str(self.state)
