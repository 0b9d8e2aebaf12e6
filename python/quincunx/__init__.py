"""Two-player abstract board games for learning and study: Othello, Pente, Shobu, Tessella and Aboyne.

>>> import quincunx
>>> state = quincunx.Game("othello").new()
>>> state.apply("d3")
>>> len(state.legal_actions())
3
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._quincunx import BUILD, State, __version__
from .contest import Match, Tournament, match, tournament
from .engine import Analysis, Answer, Engine, Line, Solution, analyse, solve
from .files import GameRecord, convert, formats, read_games
from .game import Game, games

if TYPE_CHECKING:
    from .vec_env import VecEnv

__all__ = [
    "BUILD",
    "Analysis",
    "Answer",
    "Engine",
    "Game",
    "GameRecord",
    "Line",
    "Match",
    "Solution",
    "State",
    "Tournament",
    "VecEnv",
    "__version__",
    "analyse",
    "convert",
    "formats",
    "games",
    "match",
    "read_games",
    "solve",
    "tournament",
]


def __getattr__(name: str) -> Any:
    # numpy takes ten times as long to import as everything else here, and only arrays need it.
    if name == "VecEnv":
        from .vec_env import VecEnv

        return VecEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
