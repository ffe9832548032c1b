"""`random`: any legal action, each as likely as the next."""

from collections.abc import Sequence

from thousand.bot import Bot
from thousand.rules.actions import Action
from thousand.rules.view import View


class RandomBot(Bot):
    """Knows nothing of the game; the floor every other bot should clear."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        return self.rng(view).choice(actions)
