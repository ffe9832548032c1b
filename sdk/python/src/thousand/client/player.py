"""A bot's matches, whichever referee they are played on. Law: a fault of the bot ends no stream and no other match."""

import asyncio
import inspect
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from thousand.bot import Bot, MatchStart
from thousand.rules.actions import Action
from thousand.v1 import play_pb2
from thousand.v1.result_pb2 import END_REASON_FINISHED
from thousand.wire import action_to, actions_from, clocks_from, result_from, ruleset_from, view_from

log = logging.getLogger("thousand")


class Player:
    """See the module."""

    def __init__(self, bot_class: type[Bot], token: str, instance_id: str) -> None:
        self.bot_class = bot_class
        self.token = token
        self.instance_id = instance_id
        self.leaving = asyncio.Event()
        self.bots: dict[str, Bot] = {}
        # A bot for one match at a time may think long: a thread of its own keeps the stream alive meanwhile.
        self._thread = ThreadPoolExecutor(1) if bot_class.max_matches == 1 else None

    @property
    def auth(self) -> tuple[tuple[str, str], ...]:
        """Metadata of every call."""
        return (("authorization", f"Bearer {self.token}"),)

    def close(self) -> None:
        """Let go of the thread."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def interrupt(self, task: "asyncio.Task[None] | None") -> None:
        """Ctrl-C: leave; again: stop at once."""
        if self.leaving.is_set() and task is not None:
            task.cancel()
        log.info("leaving: open matches are finished first; Ctrl-C again stops at once")
        self.leaving.set()

    def start(self, message: play_pb2.MatchStarted) -> None:
        """A match begins, or goes on here."""
        ruleset = ruleset_from(message.ruleset)
        bot = self.bots.get(message.match_id)
        if bot is None:
            bot = self.bots[message.match_id] = self.bot_class()
        bot.start = MatchStart(
            ruleset=ruleset,
            seat=message.seat,
            bot_seed=message.bot_seed,
            match_id=message.match_id,
            clocks=clocks_from(message.clocks),
            preset=message.preset,
            resumed=message.resumed,
        )
        _guarded(bot.on_start, message.match_id)
        log.info("match %s: seat %d of %s", message.match_id, message.seat, message.preset or "a custom ruleset")

    async def answer(self, bot: Bot, message: play_pb2.Decision) -> play_pb2.Answer:
        """The bot's answer; without a choice when the bot failed, which the referee counts as malformed."""
        answer = play_pb2.Answer(match_id=message.match_id, decision_id=message.decision_id)
        try:
            view = view_from(message.view, bot.start.ruleset)
            actions = actions_from(message.actions)
            chosen: Any
            if self._thread is not None and not inspect.iscoroutinefunction(bot.decide):
                chosen = await asyncio.get_running_loop().run_in_executor(self._thread, bot.decide, view, actions)
            else:
                chosen = bot.decide(view, actions)
                if inspect.isawaitable(chosen):
                    chosen = await chosen
        except Exception:
            log.exception("match %s, decision %d: the bot failed", message.match_id, message.decision_id)
            return answer
        if chosen in actions:
            answer.index = actions.index(chosen)
        elif isinstance(chosen, Action):
            log.error("match %s: %s is none of %s", message.match_id, chosen, ", ".join(map(str, actions)))
            answer.action.CopyFrom(action_to(chosen))
        else:
            log.error("match %s: decide returned %r, which is no Action", message.match_id, chosen)
        return answer

    def finish(self, message: play_pb2.MatchFinished) -> None:
        """The match is over."""
        bot = self.bots.pop(message.match_id, None)
        if bot is None:
            return
        if message.outcome.reason == END_REASON_FINISHED:
            result = result_from(message.outcome)
            log.info("match %s: place %d, scores %s", message.match_id, result.ranking[bot.start.seat], result.scores)
            _guarded(lambda: bot.on_finish(result), message.match_id)
        else:
            log.info("match %s: ended without a result", message.match_id)


def _guarded(hook: Callable[[], None], match_id: str) -> None:
    """Calls what an author wrote: its faults are told with their traceback, and harm no other match."""
    try:
        hook()
    except Exception:
        log.exception("match %s: the bot failed outside decide", match_id)
