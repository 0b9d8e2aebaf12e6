"""Files of games: everybody's formats, recognised by content and checked by the rules."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from . import _quincunx
from ._quincunx import State


@dataclass(frozen=True)
class GameRecord:
    """A recorded game, or a position if it has no moves."""

    game: str
    ruleset: str
    players: tuple[str, str]
    start: str
    moves: list[str]
    position: str
    winner: int | None
    cause: str
    fault: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    scores: list[tuple[str, int]] = field(default_factory=list)

    @classmethod
    def of(cls, told: dict[str, Any]) -> GameRecord:
        """The record of a line of `games.jsonl`."""
        moves = [*told.get("opening", []), *(turn["move"] for turn in told["moves"])]
        return cls(
            game=told["game"],
            ruleset=told["ruleset"],
            players=(told["agents"][0], told["agents"][1]),
            start=told["start"],
            moves=moves,
            position=told["position"],
            winner={"first": 0, "second": 1}.get(told["winner"]),
            cause=told["cause"],
            fault=told.get("fault"),
            tags=told.get("tags", {}),
            scores=[(move, score) for move, score in told.get("scores", [])],
        )

    @property
    def is_over(self) -> bool:
        """Whether it has a result: a winner, or a draw."""
        return self.cause != "unfinished"

    def state(self, ply: int | None = None) -> State:
        """The game replayed, to its end or up to a ply."""
        moves = self.moves if ply is None else self.moves[:ply]
        return State(self.game, self.ruleset, self.start, " ".join(moves))


def read_games(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    game: str | None = None,
    ruleset: str | None = None,
    skip_wrong: bool = False,
) -> list[GameRecord]:
    """The games of a file. A ValueError names the place of a wrong one, unless `skip_wrong` leaves them out."""
    records, _ = _quincunx.read_games(os.fspath(path), format, game, ruleset, skip_wrong)
    return [GameRecord.of(json.loads(record)) for record in records]


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    read: str | None = None,
    write: str | None = None,
    game: str | None = None,
    ruleset: str | None = None,
    skip_wrong: bool = False,
) -> int:
    """Converts a file of games into another format, that of the target's extension; returns the number of games."""
    games, _ = _quincunx.convert(
        os.fspath(source), os.fspath(target), read, write, game, ruleset, skip_wrong
    )
    return games


def formats() -> dict[str, str]:
    """The formats, each with what it is."""
    return {format["name"]: format["summary"] for format in json.loads(_quincunx.formats())}
