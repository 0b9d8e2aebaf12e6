"""Matches and tournaments between agents: spec strings, engines, or functions from a state to an action."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from . import _quincunx
from ._quincunx import State
from .files import GameRecord

Agent = Union[str, Callable[[State], Union[int, str]]]
"""Who plays: `"engine:level=3"`, or a function that gets its own copy of the state and returns an action or a move."""


@dataclass(frozen=True)
class Match:
    """How a match ended, seen by the first agent. Elo and likelihood of superiority are estimated from pairs of games."""

    agents: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    likelihood_of_superiority: float | None
    seed: int
    version: str
    statistics: dict[str, Any] = field(repr=False)
    records: list[GameRecord] = field(repr=False)


@dataclass(frozen=True)
class Standing:
    """The place of one agent in a tournament; Elo with half the width of its 95 % interval."""

    agent: str
    elo: float
    error: float
    games: int
    points: float


@dataclass(frozen=True)
class Tournament:
    """How a round robin ended; `cross_table[a][b]` are the points of `a` against `b`."""

    standings: list[Standing]
    cross_table: list[list[float | None]]
    causes: dict[str, int]
    seed: int
    version: str
    records: list[GameRecord] = field(repr=False)


def match(
    game: str,
    a: Agent,
    b: Agent,
    games: int = 100,
    *,
    ruleset: str | None = None,
    openings: str = "start",
    seed: int = 1,
) -> Match:
    """Plays `a` against `b`, colours swapped in pairs over the same openings.

    An answer that is no legal move loses the game; an exception in a function ends the match.

    >>> result = match("othello", "random", lambda state: state.legal_actions()[0], games=10)
    >>> result.wins + result.draws + result.losses
    10
    """
    told = json.loads(_quincunx.play_match(game, a, b, games, ruleset, openings, seed))
    records = [GameRecord.of(record) for record in told.pop("records")]
    agents = told.pop("agents")
    return Match(
        agents=(agents[0], agents[1]),
        games=told["games"],
        wins=told["a_wins"],
        draws=told["draws"],
        losses=told["b_wins"],
        score=told["a_points"] / told["games"],
        elo=told["elo"],
        elo_low=told["elo_low"],
        elo_high=told["elo_high"],
        likelihood_of_superiority=told["los"],
        seed=told.pop("seed"),
        version=told.pop("version"),
        statistics=told,
        records=records,
    )


def tournament(
    game: str,
    agents: Sequence[Agent],
    games: int = 10,
    *,
    ruleset: str | None = None,
    openings: str = "start",
    seed: int = 1,
) -> Tournament:
    """Plays all agents against each other, `games` (an even number) between two."""
    told = json.loads(_quincunx.play_tournament(game, list(agents), games, ruleset, openings, seed))
    records = [GameRecord.of(record) for record in told.pop("records")]
    standings = [Standing(**standing) for standing in told.pop("standings")]
    return Tournament(standings=standings, records=records, **told)
