"""Many games at once, stepped natively into arrays that are allocated once."""

from __future__ import annotations

import os

import numpy as np
import numpy.typing as npt

from ._quincunx import VecEnvCore


class VecEnv:
    """`games` games of one kind, stepped together.

    The arrays are the same objects after every step; copy what you keep. A game that ends begins anew at once: its
    `dones` and `rewards` tell of the end, its observation and mask of the new game.

    observations  uint8 (games, *observation_shape), seen by the side to move
    masks         bool (games, num_actions), the legal actions
    rewards       float32 (games,), 1, 0 or -1 for the side that has just moved
    dones         bool (games,)
    to_move       uint8 (games,), 0 or 1
    actions       int64 (games,), where `sample` writes

    >>> env = VecEnv("othello", 4, seed=1)
    >>> observations, masks = env.reset()
    >>> for _ in range(100):
    ...     observations, masks, rewards, dones = env.step(env.sample())
    """

    def __init__(
        self, game: str, games: int, *, ruleset: str | None = None, seed: int = 0, threads: int | None = None
    ) -> None:
        self._core = VecEnvCore(game, ruleset, games, seed)
        self.game = game
        self.games = games
        self.threads = threads if threads is not None else (os.cpu_count() or 1)
        self.num_actions: int = self._core.actions()
        self.observation_shape: tuple[int, ...] = tuple(self._core.observation_shape())
        self.observations: npt.NDArray[np.uint8] = np.zeros((games, *self.observation_shape), np.uint8)
        self._masks = np.zeros((games, self.num_actions), np.uint8)
        self._dones = np.zeros(games, np.uint8)
        self.masks: npt.NDArray[np.bool_] = self._masks.view(np.bool_)
        self.rewards: npt.NDArray[np.float32] = np.zeros(games, np.float32)
        self.dones: npt.NDArray[np.bool_] = self._dones.view(np.bool_)
        self.to_move: npt.NDArray[np.uint8] = np.zeros(games, np.uint8)
        self.actions: npt.NDArray[np.int64] = np.zeros(games, np.int64)
        self.reset()

    def reset(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """Begins all games anew; returns observations and masks."""
        self._core.reset(self.observations, self._masks, self.rewards, self._dones, self.to_move)
        return self.observations, self.masks

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Plays an action in each game; returns observations, masks, rewards and dones.

        If one action is not legal nothing is played, and a ValueError names it.
        """
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        self._core.step(
            chosen, self.observations, self._masks, self.rewards, self._dones, self.to_move, self.threads
        )
        return self.observations, self.masks, self.rewards, self.dones

    def sample(self) -> npt.NDArray[np.int64]:
        """A uniformly random legal action for each game."""
        self._core.sample(self.actions)
        return self.actions

    def position(self, game: int) -> str:
        """The text of the position of one of the games."""
        return self._core.position(game)
