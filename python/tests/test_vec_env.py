"""Many games at once: the same games as one by one."""

import threading

import numpy as np
import pytest

import quincunx
from quincunx import State, VecEnv


@pytest.mark.parametrize("name", quincunx.games())
def test_games_stepped_together_are_refereed_like_single_ones(name):
    env = VecEnv(name, 7, seed=3, threads=2)
    states = [State(name, position=env.position(game)) for game in range(7)]
    ends = 0
    for _ in range(600):
        actions = env.sample().copy()
        assert env.masks[np.arange(7), actions].all()
        movers = [state.to_move for state in states]
        observations, masks, rewards, dones = env.step(actions)
        for game, state in enumerate(states):
            state.apply(int(actions[game]))
            assert dones[game] == state.is_over
            assert rewards[game] == (state.returns()[movers[game]] if state.is_over else 0)
            if state.is_over:
                ends += 1
                states[game] = state = State(name, position=env.position(game))
            assert (observations[game] == state.observation()).all()
            assert (masks[game] == state.legal_mask()).all() and env.to_move[game] == state.to_move
    assert ends > 0 or name in ("shobu", "aboyne")


def test_the_arrays_stay_the_same_objects():
    env = VecEnv("othello", 3)
    observations, masks = env.reset()
    again = env.step(env.sample())
    assert again[0] is observations and again[1] is masks


def test_an_action_that_is_not_legal_is_named_and_nothing_is_played():
    env = VecEnv("othello", 3)
    before = [env.position(game) for game in range(3)]
    actions = env.sample().copy()
    for wrong in (-1, 0, 65, 2**62):
        actions[1] = wrong
        with pytest.raises(ValueError, match="not legal in game 1"):
            env.step(actions)
    with pytest.raises(ValueError, match="2 actions for 3 games"):
        env.step([1, 2])
    assert before == [env.position(game) for game in range(3)]
    with pytest.raises(ValueError, match="between 1 and"):
        VecEnv("othello", 0)


def test_the_same_seed_gives_the_same_games():
    def run():
        env = VecEnv("tessella", 5, seed=9)
        for _ in range(50):
            env.step(env.sample())
        return [env.position(game) for game in range(5)]

    assert run() == run()


def test_steps_let_other_python_threads_run():
    env = VecEnv("pente", 4096, threads=1)
    counted, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    for _ in range(20):
        env.step(env.sample())
    ended.set()
    counter.join()
    assert counted[0] > 100
