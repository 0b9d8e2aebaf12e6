"""States: the same rules as everywhere, behind numbers and texts."""

import copy
import pickle
import random
import xml.dom.minidom

import numpy as np
import pytest

import quincunx
from quincunx import Game, State

SHAPES = {
    "othello": ((2, 8, 8), 65),
    "pente": ((4, 19, 19), 361),
    "shobu": ((8, 4, 4), 16384),
    "tessella": ((2, 41), 1681),
    "aboyne": ((2, 61), 3721),
}


def test_every_game_has_the_documented_encoding():
    assert {name: (Game(name).observation_shape, Game(name).num_actions) for name in SHAPES} == SHAPES


@pytest.mark.parametrize("name", quincunx.games())
def test_random_games_end_and_undo_restores_everything(name):
    rng = random.Random(1)
    state = Game(name).new()
    before = []
    while not state.is_over:
        actions = state.legal_actions()
        assert actions == sorted(set(actions)) and len(actions) == len(state.legal_moves())
        assert np.flatnonzero(state.legal_mask()).tolist() == actions
        action = rng.choice(actions)
        assert state.move_to_action(state.action_to_move(action)) == action
        before.append((state.position, state.observation()))
        state.apply(action)
    assert state.legal_actions() == [] and sum(state.returns()) == 0 and state.reason
    while before:
        state.undo()
        position, observation = before.pop()
        assert state.position == position and (state.observation() == observation).all()


def test_perft_of_othello_is_the_published_one():
    assert [State("othello").perft(depth) for depth in range(1, 7)] == [4, 12, 56, 244, 1396, 8200]


def test_symmetries_carry_positions_and_actions_along():
    state = State("othello", moves="f5d6c3")
    for symmetry in range(state.symmetries):
        image = state.transformed(symmetry)
        actions = sorted(state.transformed_action(action, symmetry) for action in state.legal_actions())
        assert actions == image.legal_actions()
    with pytest.raises(IndexError):
        state.transformed(8)


def test_copies_are_independent_and_pickles_are_equal():
    state = State("pente", moves="K10 L9")
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state and hash(other) == hash(state) and other.moves == state.moves
        other.apply("10N")
        assert other != state and state.ply == 2


def test_errors_are_exceptions_with_one_line():
    for wrong, told in [
        (lambda: State("chess"), "there is no game"),
        (lambda: State("othello", "9x9"), "no ruleset"),
        (lambda: State("othello", position="XO"), "squares"),
        (lambda: State("othello", moves="d3 a1"), "move 2: a1 flips nothing"),
        (lambda: State("othello").apply("a1"), "a1 flips nothing"),
        (lambda: State("othello").apply(0), "action 0 is not legal"),
        (lambda: State("othello").action_to_move(999), "action 999"),
        (lambda: State("othello").undo(), "no move to take back"),
    ]:
        with pytest.raises(ValueError, match=told) as error:
            wrong()
        assert "\n" not in str(error.value)


def test_a_picture_and_a_board_are_shown():
    state = State("shobu")
    assert xml.dom.minidom.parseString(state._repr_svg_()).documentElement.tagName == "svg"
    assert "●" in str(state) and "shobu" in repr(state)
