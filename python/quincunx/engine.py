"""Agents and engines: moves, analyses, exact values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._quincunx import EngineCore, State


@dataclass(frozen=True)
class Answer:
    """A move of an agent and what it says about it."""

    move: str
    action: int
    score: float | None
    win_probability: float | None
    depth: int
    nodes: int
    seconds: float
    pv: list[str]


@dataclass(frozen=True)
class Line:
    """A move with its score for the side to move and what is expected to follow."""

    move: str
    score: float
    win_probability: float
    pv: list[str]


@dataclass(frozen=True)
class Analysis:
    """The best lines of a position, the best first."""

    depth: int
    nodes: int
    seconds: float
    lines: list[Line]


@dataclass(frozen=True)
class Solution:
    """The exact value of a position for the side to move, and a move that reaches it."""

    score: int
    move: str | None
    nodes: int


class Engine:
    """An agent by its spec string, as everywhere else: `engine:level=7`, `engine:nodes=100000`, `mcts:playouts=2000`.

    >>> state = State("othello")
    >>> Engine("engine:depth=4,book=off").choose(state).move in state.legal_moves()
    True
    """

    def __init__(self, spec: str = "engine:level=10", *, seed: int = 0) -> None:
        self.spec = spec
        self.seed = seed
        self._cores: dict[tuple[str, str], EngineCore] = {}

    def _core(self, state: State) -> EngineCore:
        key = (state.game, state.ruleset)
        if key not in self._cores:
            self._cores[key] = EngineCore(self.spec, state.game, state.ruleset, self.seed)
        return self._cores[key]

    def choose(self, state: State) -> Answer:
        """The move the agent makes where the game stands."""
        told = json.loads(self._core(state).choose(state))
        return Answer(action=state.move_to_action(told["move"]), **told)

    def new_game(self) -> None:
        """Forgets what belongs to the game before."""
        for core in self._cores.values():
            core.new_game()

    def __call__(self, state: State) -> int:
        """The action the agent chooses, so that an engine can stand where a function may."""
        return self.choose(state).action

    def __repr__(self) -> str:
        return f"Engine({self.spec!r})"


def _analysis(text: str) -> Analysis:
    told: dict[str, Any] = json.loads(text)
    lines = [Line(**line) for line in told.pop("lines")]
    return Analysis(lines=lines, **told)


def analyse(
    state: State,
    lines: int = 1,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    megabytes: int = 64,
    threads: int = 1,
    tell: Callable[[Analysis], object] | None = None,
) -> Analysis:
    """The best moves of a position with scores and lines, searched deeper and deeper; `tell` gets each deeper one.

    Without any limit it takes one second.
    """
    if seconds is None and nodes is None and depth is None:
        seconds = 1.0
    stream = None if tell is None else lambda text: tell(_analysis(text))
    return _analysis(EngineCore.analyse(state, lines, seconds, nodes, depth, megabytes, threads, stream))


def solve(state: State, *, winner: bool = False, megabytes: int = 64, threads: int = 1) -> Solution:
    """The exact value of a position, in games that have a solver; with `winner` only who wins."""
    return Solution(**json.loads(EngineCore.solve(state, winner, megabytes, threads)))
