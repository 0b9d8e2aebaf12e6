"""Games in the shape of OpenSpiel's Python interface, so that code written for `pyspiel` states runs on ours."""

from __future__ import annotations

import numpy as np

from ._quincunx import State
from .game import Game

TERMINAL_PLAYER = -4


class SpielState:
    """A state with OpenSpiel's names for its methods."""

    def __init__(self, game: SpielGame, state: State) -> None:
        self._game = game
        self._state = state
        self._actions: list[int] = []

    def get_game(self) -> SpielGame:
        """The game."""
        return self._game

    def current_player(self) -> int:
        """Whose turn it is; -4 at the end."""
        return TERMINAL_PLAYER if self._state.is_over else self._state.to_move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._state.is_over

    def is_chance_node(self) -> bool:
        """No game here has chance."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions; none for a player who is not to move."""
        if player is not None and player != self.current_player():
            return []
        return self._state.legal_actions()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The legal actions as ones and zeros."""
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Plays an action."""
        self._state.apply(action)
        self._actions.append(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back."""
        self._state.undo()
        self._actions.pop()

    def child(self, action: int) -> SpielState:
        """The state after an action."""
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> SpielState:
        """A copy."""
        copy = SpielState(self._game, self._state.clone())
        copy._actions = self._actions[:]
        return copy

    def action_to_string(self, *player_and_action: int) -> str:
        """The text of an action."""
        return self._state.action_to_move(player_and_action[-1])

    def string_to_action(self, *player_and_text: str) -> int:
        """The action of a text."""
        return self._state.move_to_action(str(player_and_text[-1]))

    def returns(self) -> list[float]:
        """The result for both players."""
        return list(self._state.returns())

    def rewards(self) -> list[float]:
        """The same: there are no rewards on the way."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The result for a player."""
        return self.returns()[player]

    def history(self) -> list[int]:
        """The actions played."""
        return self._actions[:]

    def move_number(self) -> int:
        """How many actions were played."""
        return self._state.ply

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What the side to move sees, flat."""
        return self._state.observation().astype(np.float32).ravel().tolist()

    def __str__(self) -> str:
        return str(self._state)


class SpielGame:
    """A game with OpenSpiel's names for its methods."""

    def __init__(self, name: str, ruleset: str | None = None) -> None:
        self._game = Game(name, ruleset)

    def new_initial_state(self) -> SpielState:
        """A new game."""
        return SpielState(self, self._game.new())

    def num_players(self) -> int:
        """Always two."""
        return 2

    def num_distinct_actions(self) -> int:
        """The number of actions."""
        return self._game.num_actions

    def observation_tensor_shape(self) -> list[int]:
        """The shape of an observation."""
        return list(self._game.observation_shape)

    def min_utility(self) -> float:
        """A loss."""
        return -1.0

    def max_utility(self) -> float:
        """A win."""
        return 1.0

    def utility_sum(self) -> float:
        """What one wins the other loses."""
        return 0.0


def load_game(name: str, ruleset: str | None = None) -> SpielGame:
    """A game by its name."""
    return SpielGame(name, ruleset)
