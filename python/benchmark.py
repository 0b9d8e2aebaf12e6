"""Speed of random play from Python: single states and many games at once, beside OpenSpiel if it is installed.

    python benchmark.py [seconds]
"""

import random
import sys
import time

import quincunx

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0


def rate(run):
    """Steps a second of `run`, which takes steps until a moment and returns their number."""
    begin = time.perf_counter()
    steps = run(begin + SECONDS)
    return steps / (time.perf_counter() - begin)


def ours(until):
    rng, steps = random.Random(1), 0
    game = quincunx.Game("othello")
    while time.perf_counter() < until:
        state = game.new()
        while True:
            actions = state.legal_actions()
            if not actions:
                break
            state.apply(rng.choice(actions))
            steps += 1
    return steps


def theirs(until):
    import pyspiel

    rng, steps = random.Random(1), 0
    game = pyspiel.load_game("othello")
    while time.perf_counter() < until:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps


def many(name, games=1024):
    env = quincunx.VecEnv(name, games, seed=1)

    def run(until):
        steps = 0
        while time.perf_counter() < until:
            for _ in range(10):
                env.step(env.sample())
            steps += 10 * games
        return steps

    return run


def main():
    single = rate(ours)
    print(f"othello, single state        {single:12,.0f} steps/s")
    spiel = None
    try:
        spiel = rate(theirs)
        print(f"othello, pyspiel             {spiel:12,.0f} steps/s, ours {single / spiel:.1f} times")
    except ImportError:
        print("othello, pyspiel             not installed")
    for name in quincunx.games():
        found = rate(many(name))
        beside = f", {found / spiel:.0f} times pyspiel" if spiel and name == "othello" else ""
        print(f"{name + ', 1,024 at once':28} {found:12,.0f} steps/s{beside}")


main()
