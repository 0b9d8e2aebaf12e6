"""Speed of random play from Python: single states and many games at once, beside OpenSpiel if it is installed.

    python benchmark/random_play.py [RUNS]

Steps a second of CPU time, the best and the worst of RUNS runs (5) of half a second, so that other work on the machine
counts as little as can be. `VecEnv` has one thread here; with more it takes as much CPU time and less of the clock's.
"""

import random
import sys
import time

import quincunx

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
SECONDS = 0.5


def rates(play):
    """The most and the least steps a second of the runs of `play`, which takes some steps and returns their number."""
    found = []
    for _ in range(RUNS):
        begin, steps = time.process_time(), 0
        while time.process_time() < begin + SECONDS:
            steps += play()
        found.append(steps / (time.process_time() - begin))
    return max(found), min(found)


def ours():
    rng, game = random.Random(1), quincunx.Game("othello")

    def play():
        state, steps = game.new(), 0
        while actions := state.legal_actions():
            state.apply(rng.choice(actions))
            steps += 1
        return steps

    return play


def theirs():
    import pyspiel

    rng, game = random.Random(1), pyspiel.load_game("othello")

    def play():
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def many(name, games=1024):
    env = quincunx.VecEnv(name, games, seed=1, threads=1)

    def play():
        env.step(env.sample())
        return games

    return play


def main():
    spiel = None

    def show(what, found):
        times = f", {found[0] / spiel:.1f} times pyspiel" if spiel and "othello" in what else ""
        print(f"{what:26} {found[0]:12,.0f} steps/s ({found[1]:,.0f} at least){times}", flush=True)

    try:
        found = rates(theirs())
        show("othello, pyspiel", found)
        spiel = found[0]
    except ImportError:
        print("othello, pyspiel           not installed")
    show("othello, single state", rates(ours()))
    for name in quincunx.games():
        show(f"{name}, 1,024 at once", rates(many(name)))


main()
