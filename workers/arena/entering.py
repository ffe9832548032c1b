"""Who enters a tournament: the names and rules of a request, checked, and as bots."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from thousand.rules import PRESETS
from thousand.v1 import entrants_pb2
from workers.arena.calls import the_bot
from workers.arena.errors import BadRequest, NoSuchThing, NotNow
from workers.create import OVERALL
from workers.entrants import choose, words
from workers.formats import ENTRANTS_MAX
from workers.model import Bot, EntrantRule, RuleKind
from workers.names import MAX_BYTES
from workers.store import Store

RULES_MAX: Final = 20


def named_bots(store: Store, wanted: Sequence[str]) -> list[Bot]:
    """The bots of these ids or names. Raises NoSuchThing, and NotNow for one named twice or retired."""
    if len(wanted) > ENTRANTS_MAX:
        raise NotNow(f"{len(wanted)} bots: at most {ENTRANTS_MAX:,} can enter")
    bots = [the_bot(store, name) for name in wanted]
    seen: set[str] = set()
    for bot in bots:
        if bot.bot_id in seen:
            raise NotNow(f"bot {bot.name!r} is named twice")
        seen.add(bot.bot_id)
        if bot.retired:
            raise NotNow(f"bot {bot.name!r} is retired: `thousand bot retire {bot.bot_id} --back` undoes it")
    return bots


def entering(store: Store, wanted: Sequence[str], rules: Sequence[EntrantRule], seats: int) -> list[Bot]:
    """All who enter now. Raises NotNow, also for a rule that lets nobody in."""
    found = {bot.bot_id: bot for bot in named_bots(store, wanted)}
    for rule in rules:
        chosen = choose(store, [rule])
        if not chosen:
            raise NotNow(f"entrants: no bot that is not retired is meant by {words(rule)}")
        found |= {bot.bot_id: bot for bot in chosen if bot.bot_id not in found}
    if len(found) < seats:
        raise NotNow(f"this preset seats {seats}: name {seats} bots at least, not {len(found)}")
    if len(found) > ENTRANTS_MAX:
        raise NotNow(f"{len(found)} bots: at most {ENTRANTS_MAX:,} can enter")
    return list(found.values())


def entering_later(store: Store, wanted: Sequence[str], rules: Sequence[EntrantRule], seats: int) -> list[EntrantRule]:
    """Rules that find who enters when a run opens. Raises NotNow for what cannot be enough."""
    named = [EntrantRule(RuleKind.NAME, bot.name) for bot in named_bots(store, wanted)]
    if not named and not rules:
        raise BadRequest("tournament.entrants: say who enters, by name or by rule")
    if not rules and len(named) < seats:
        raise NotNow(f"this preset seats {seats}: name {seats} bots at least, not {len(named)}")
    for rule in rules:
        if rule.kind is RuleKind.TOP:
            _must_be_a_board(store, rule.subject)
    return [*named, *rules]


def _must_be_a_board(store: Store, board_id: str) -> None:
    """Those that every arena comes to have may be named before they are there."""
    to_come = {OVERALL, *(f"ruleset-{name}" for name in PRESETS)}
    if board_id not in to_come and store.leaderboards.get(board_id) is None:
        raise NoSuchThing(f"there is no leaderboard {board_id!r}: `thousand leaderboard list` shows all")


def rules_from(asked: Iterable[entrants_pb2.EntrantRule]) -> list[EntrantRule]:
    """The rules of a request. Raises BadRequest."""
    rules = [_rule_from(one) for one in asked]
    if len(rules) > RULES_MAX:
        raise BadRequest(f"entrants: at most {RULES_MAX} rules")
    return rules


def _rule_from(asked: entrants_pb2.EntrantRule) -> EntrantRule:
    kind = asked.WhichOneof("rule")
    if kind is None or (kind == "all" and not asked.all):
        raise BadRequest("entrants: a rule must be one of all, top, tag and name")
    rule = _READ[kind](asked)
    if kind != "all" and not rule.subject:
        raise BadRequest(f"entrants.{kind}: is empty: say which")
    if len(rule.subject.encode()) > MAX_BYTES:
        raise BadRequest(f"entrants.{kind}: at most {MAX_BYTES} bytes")
    if kind == "top" and not rule.count:
        raise BadRequest("entrants.top.count: at least 1")
    return rule


_READ: Final[dict[str, Callable[[entrants_pb2.EntrantRule], EntrantRule]]] = {
    "all": lambda asked: EntrantRule(RuleKind.ALL),
    "top": lambda asked: EntrantRule(RuleKind.TOP, asked.top.leaderboard_id, asked.top.count),
    "tag": lambda asked: EntrantRule(RuleKind.TAG, asked.tag),
    "name": lambda asked: EntrantRule(RuleKind.NAME, asked.name),
}


def rule_to(rule: EntrantRule) -> entrants_pb2.EntrantRule:
    """The other way round."""
    match rule.kind:
        case RuleKind.ALL:
            return entrants_pb2.EntrantRule(all=True)
        case RuleKind.TOP:
            return entrants_pb2.EntrantRule(top=entrants_pb2.TopOf(count=rule.count, leaderboard_id=rule.subject))
        case RuleKind.TAG:
            return entrants_pb2.EntrantRule(tag=rule.subject)
        case RuleKind.NAME:
            return entrants_pb2.EntrantRule(name=rule.subject)
