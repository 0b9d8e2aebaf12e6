"""Two-player abstract board games for learning and study: Othello, Pente, Shobu, Tessella and Aboyne.

>>> import quincunx
>>> state = quincunx.Game("othello").new()
>>> state.apply("d3")
>>> len(state.legal_actions())
3
"""

from __future__ import annotations

from ._quincunx import BUILD, State, __version__
from .contest import Match, Tournament, match, tournament
from .engine import Analysis, Answer, Engine, Line, Solution, analyse, solve
from .files import GameRecord, convert, formats, read_games
from .game import Game, games
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
