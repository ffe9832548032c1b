"""Finds who takes part in a tournament by rule: all, the top of a leaderboard, by tag, by name.

Law: retired bots never enter; whoever enters does so once, with the version that is current now.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from workers.model import Bot, Entrant, EntrantRule, Player, RuleKind
from workers.standings import rank
from workers.store import Store


class InvalidEntrants(ValueError):
    """A rule that names what there is not; the message says what there is."""


def choose(store: Store, rules: Sequence[EntrantRule]) -> list[Bot]:
    """The bots that any of the rules names, in their order. Raises InvalidEntrants for an unknown leaderboard."""
    found: dict[str, Bot] = {}
    for rule in rules:
        for bot in _FIND[rule.kind](store, rule):
            if not bot.retired:
                found.setdefault(bot.bot_id, bot)
    return list(found.values())


def entrants_of(store: Store, bots: Iterable[Bot]) -> tuple[Entrant, ...]:
    """The bots as entrants of a tournament, frozen with their current versions."""
    house = {owner.owner_id for owner in store.people.owners() if owner.house}
    return tuple(Entrant(Player(b.bot_id, b.version), b.owner_id, house=b.owner_id in house) for b in bots)


def words(rule: EntrantRule) -> str:
    """As the `thousand` command takes it: all, top:8@ID, tag:X, name:X."""
    if rule.kind is RuleKind.TOP:
        return f"top:{rule.count}@{rule.subject}"
    return rule.kind.value + (f":{rule.subject}" if rule.subject else "")


def _all(store: Store, rule: EntrantRule) -> Iterable[Bot]:
    return store.people.bots()


def _tagged(store: Store, rule: EntrantRule) -> Iterable[Bot]:
    return (bot for bot in store.people.bots() if rule.subject in bot.tags)


def _named(store: Store, rule: EntrantRule) -> Iterable[Bot]:
    bot = store.people.find_bot(rule.subject)
    if bot is not None:
        return (bot,)
    pattern = rule.subject.casefold().replace("[", "[[]")  # only * and ? stand for others
    return (bot for bot in store.people.bots() if fnmatchcase(bot.name.casefold(), pattern))


def _top(store: Store, rule: EntrantRule) -> Iterable[Bot]:
    board = store.leaderboards.get(rule.subject)
    if board is None:
        known = ", ".join(b.leaderboard_id for b in store.leaderboards.all()) or "none yet"
        raise InvalidEntrants(f"there is no leaderboard {rule.subject!r}: there are {known}")
    bots = {bot.bot_id: bot for bot in store.people.bots()}
    ranked = rank(store.leaderboards.standings(rule.subject).values(), {i: bot.name for i, bot in bots.items()})
    ids = dict.fromkeys(row.standing.player.bot_id for row in ranked)
    active = [bots[i] for i in ids if i in bots and not bots[i].retired]
    return active[: rule.count]


_FIND: Final[Mapping[RuleKind, Callable[[Store, EntrantRule], Iterable[Bot]]]] = {
    RuleKind.ALL: _all,
    RuleKind.TOP: _top,
    RuleKind.TAG: _tagged,
    RuleKind.NAME: _named,
}
