"""Decisions per second of random play of whole deals of OpenSpiel's Skat from Python. Prints one number."""

import random
import sys
import time

import pyspiel


def main(seconds: float) -> None:
    """Play for so long; chance nodes (the deal) cost time but are no decisions, as in ours."""
    game = pyspiel.load_game("skat")
    choice = random.Random(1).choice
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choice(state.legal_actions()))
                continue
            state.apply_action(choice(state.legal_actions()))
            decisions += 1
    print(decisions / (time.perf_counter() - start))


if __name__ == "__main__":
    main(float(sys.argv[1]))
