"""Games by their names."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from . import _quincunx
from ._quincunx import State


@lru_cache(maxsize=1)
def _games() -> dict[str, dict[str, Any]]:
    return {game["name"]: game for game in json.loads(_quincunx.games())}


def games() -> list[str]:
    """The names of the games."""
    return list(_games())


class Game:
    """A game under a ruleset.

    >>> Game("othello").num_actions
    65
    """

    def __init__(self, name: str, ruleset: str | None = None) -> None:
        start = State(name, ruleset)
        about = _games()[name]
        self.name: str = name
        self.ruleset: str = start.ruleset
        self.title: str = about["title"]
        self.summary: str = about["summary"]
        self.sides: tuple[str, str] = (about["sides"][0], about["sides"][1])
        self.rulesets: list[str] = about["rulesets"]
        self.agents: list[str] = about["agents"]
        self.num_actions: int = start.num_actions
        self.observation_shape: tuple[int, ...] = tuple(start.observation_shape)
        self.symmetries: int = start.symmetries

    def new(self, position: str | None = None, moves: str = "") -> State:
        """A new game, from the start or from a position, with moves played."""
        return State(self.name, self.ruleset, position, moves)

    def __repr__(self) -> str:
        return f"Game({self.name!r}, ruleset={self.ruleset!r})"
