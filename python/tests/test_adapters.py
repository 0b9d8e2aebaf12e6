"""PettingZoo, Gymnasium and the shape of OpenSpiel."""

import random

import numpy as np
import pytest

import quincunx
from quincunx import open_spiel


@pytest.mark.parametrize("name", quincunx.games())
def test_pettingzoo_accepts_the_environment(name):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from quincunx.pettingzoo import env

    api_test(env(name), num_cycles=60)


def test_pettingzoo_shows_both_sides_their_own_stones_first():
    pytest.importorskip("pettingzoo")
    from quincunx.pettingzoo import env

    for name in quincunx.games():
        game = env(name)
        game.reset()
        for _ in range(3):
            action = np.flatnonzero(game.observe(game.agent_selection)["action_mask"])[0]
            game.step(int(action))
        seen = [game.observe(agent)["observation"] for agent in game.possible_agents]
        planes = seen[0].shape[0] // 2 if name == "shobu" else 1
        assert (seen[0][:planes] == seen[1][planes : 2 * planes]).all()
        assert (seen[1][:planes] == seen[0][planes : 2 * planes]).all()


def test_gymnasium_accepts_the_environment():
    gymnasium = pytest.importorskip("gymnasium")
    from quincunx.gymnasium import AgainstEnv

    env = AgainstEnv("tessella", "random", side=None)
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert env.observation_space.contains(observation)
            action = random.Random(seed).choice(np.flatnonzero(info["action_mask"]).tolist())
            observation, reward, over, truncated, info = env.step(action)
        assert reward in (-1.0, 0.0, 1.0) and not truncated
    assert isinstance(env, gymnasium.Env)


def test_a_state_has_the_shape_of_open_spiel():
    game = open_spiel.load_game("othello")
    state = game.new_initial_state()
    rng = random.Random(2)
    while not state.is_terminal():
        assert state.legal_actions(1 - state.current_player()) == []
        action = rng.choice(state.legal_actions())
        assert state.string_to_action(state.action_to_string(state.current_player(), action)) == action
        child = state.child(action)
        state.apply_action(action)
        assert str(child) == str(state) and child.history() == state.history()
    assert state.current_player() == -4 and sum(state.returns()) == 0
    assert len(state.observation_tensor()) == 128 and game.num_distinct_actions() == 65


def test_random_othello_games_of_pyspiel_are_legal_here():
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(5)
    for _ in range(20):
        theirs = pyspiel.load_game("othello").new_initial_state()
        ours = open_spiel.load_game("othello").new_initial_state()
        while not theirs.is_terminal():
            assert theirs.legal_actions() == ours.legal_actions()
            action = rng.choice(theirs.legal_actions())
            theirs.apply_action(action)
            ours.apply_action(action)
        assert ours.is_terminal() and ours.returns() == theirs.returns()
