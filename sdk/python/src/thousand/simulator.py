"""Matches without a server, by the same rules: `simulate` plays many, `play_match` one.

Law: what a bot scores depends on its seat and cards alone, never on its place in the list: every set of cards is
played in all seat orders, each time by fresh instances.
"""

import asyncio
import hashlib
import hmac
import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, permutations
from typing import Final

from thousand import isolation
from thousand.bot import Bot, MatchStart
from thousand.record import Entry, MatchRecord, Seat
from thousand.rules import PRESETS, Ruleset, apply, bot_seed, decision, new_match, one_deal, seed_from_int, view
from thousand.rules.actions import Action
from thousand.rules.errors import RulesError

NORMAL_95: Final = 1.959964
STUDENT_95: Final = (12.7062, 4.3027, 3.1824, 2.7764)  # for 1 to 4 degrees of freedom


class BotFault(Exception):
    """A bot that failed: it raised, or answered what is no legal action. The message names it and the moment."""


class SimulationError(ValueError):
    """A simulation that makes no sense: the message says what to change."""


@dataclass(frozen=True, slots=True)
class BotScore:
    """What one bot of the list scored."""

    bot: str
    points_per_deal: float
    interval: tuple[float, float] | None  # 95 %, clustered by deck (or match); None with fewer than two of them
    deals: int
    matches: int
    places: tuple[int, ...]  # how often first, second, …; shared places count as the better one


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """A simulation's figures; `seats` shows that no seat is favoured by the order of the list."""

    seed: int
    decks: int  # 0 when whole matches were played
    deals: int
    matches: int  # whole matches; single deals count too
    bots: tuple[BotScore, ...]  # in the order given
    seats: tuple[float, ...]  # points per deal by seat, all bots together


@dataclass(frozen=True, slots=True)
class Game:
    """One match to play: `order[seat]` is the place in the list of the bot that sits there."""

    cluster: int
    seed: bytes
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """One match played, as far as the statistics need it; tuples by seat."""

    game: Game
    deals: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]


def simulate(
    bots: Sequence[type[Bot]],
    ruleset: Ruleset | None = None,
    *,
    decks: int = 0,
    matches: int = 0,
    seed: int = 0,
    names: Sequence[str] | None = None,
    processes: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Play `decks` decks, each in all seat orders and scored from level scores, or `matches` whole matches.

    Single decks are dealt as after the golden deals. `progress(done, total)` is called after each match. `processes` as
    in `play_games`. Raises
    SimulationError for a number of bots that the ruleset does not seat, BotFault when a bot fails.
    """
    ruleset = ruleset or PRESETS["tournament"]
    labels = tuple(names) if names is not None else tuple(bot.__name__ for bot in bots)
    _check(bots, ruleset, decks, matches)
    players = ruleset.players
    if decks:
        ruleset = one_deal(ruleset)
        games = [Game(d, derive(seed, f"deck/{d}"), p) for d in range(decks) for p in permutations(range(players))]
    else:
        games = list(islice(_blocks(seed, players), matches))
    played: list[Score] = []
    for score in play_games(bots, labels, ruleset, games, processes):
        played.append(score)
        if progress is not None:
            progress(len(played), len(games))
    return SimulationResult(
        seed=seed,
        decks=decks,
        deals=sum(score.deals for score in played),
        matches=len(played),
        bots=tuple(_bot_score(labels[place], place, played) for place in range(players)),
        seats=_by_seat(played, players),
    )


def _check(bots: Sequence[type[Bot]], ruleset: Ruleset, decks: int, matches: int) -> None:
    if len(bots) != ruleset.players:
        raise SimulationError(f"this ruleset seats {ruleset.players} bots, {len(bots)} were named")
    if (decks > 0) == (matches > 0) or min(decks, matches) < 0:
        raise SimulationError("name either a number of decks or a number of matches, at least 1")


def derive(seed: int, label: str) -> bytes:
    """A match seed of 32 bytes for one place in a simulation."""
    return hmac.new(seed_from_int(seed), label.encode(), hashlib.sha256).digest()


def _blocks(seed: int, players: int) -> Iterator[Game]:
    """Match after match: block by block, in every block each seat order once, each match with its own decks."""
    number = 0
    while True:
        for order in permutations(range(players)):
            yield Game(number, derive(seed, f"match/{number}"), order)
            number += 1


def play_games(
    bots: Sequence[type[Bot]], names: Sequence[str], ruleset: Ruleset, games: Sequence[Game], processes: int = 0
) -> Iterator[Score]:
    """Play these games, told in this order, each with fresh instances of `bots` as `game.order` seats them.

    `processes`: so many at once, in which no deck is ever played twice, so that nothing a bot keeps outside its
    instances tells it the cards. 0, and always where a process cannot be forked: all in this one.
    """
    if processes < 1 or not isolation.POSSIBLE:
        for game in games:
            yield _play(bots, names, ruleset, game)
        return
    batches = _batches(games, max(1, min(64, -(-len(games) // (2 * processes)))))
    tasks = [partial(_play_all, bots, names, ruleset, [games[i] for i in batch]) for batch in batches]
    ready: dict[int, Score] = {}
    told = 0
    try:
        for batch, scores in zip(batches, isolation.in_children(tasks, processes), strict=True):
            ready.update(zip(batch, scores, strict=True))
            while told in ready:
                yield ready.pop(told)
                told += 1
    except isolation.ChildLost as error:
        raise BotFault(str(error)) from error


def _batches(games: Sequence[Game], most: int) -> list[list[int]]:
    """The games' places, in batches that hold no deck twice: the second game of a deck stands beside other seconds."""
    seen: dict[bytes, int] = {}
    open_batches: dict[int, list[int]] = {}
    batches: list[list[int]] = []
    for place, game in enumerate(games):
        lane = seen[game.seed] = seen.get(game.seed, -1) + 1
        batch = open_batches.get(lane)
        if batch is None or len(batch) == most:
            batch = open_batches[lane] = []
            batches.append(batch)
        batch.append(place)
    return batches


def _play_all(bots: Sequence[type[Bot]], names: Sequence[str], ruleset: Ruleset, games: Sequence[Game]) -> list[Score]:
    return [_play(bots, names, ruleset, game) for game in games]


def _play(bots: Sequence[type[Bot]], names: Sequence[str], ruleset: Ruleset, game: Game) -> Score:
    record = play_match([bots[p]() for p in game.order], ruleset, game.seed, names=[names[p] for p in game.order])
    result = record.result
    assert result is not None  # a match played to its end
    return Score(game, result.deals, result.scores, result.ranking)


def play_match(
    bots: Sequence[Bot], ruleset: Ruleset, seed: bytes, *, names: Sequence[str] | None = None, preset: str = ""
) -> MatchRecord:
    """Play one match to its end with these instances, in seat order; the record of it."""
    labels = tuple(names) if names is not None else tuple(type(bot).__name__ for bot in bots)
    for seat, bot in enumerate(bots):
        bot.start = MatchStart(ruleset=ruleset, seat=seat, bot_seed=bot_seed(seed, seat), preset=preset)
        bot.on_start()
    match = new_match(ruleset, seed)
    journal: list[Entry] = []
    while (asked := decision(match)) is not None:
        seat = asked.seat
        seen = view(match, seat)
        try:
            answer = bots[seat].decide(seen, asked.actions)
            action = asyncio.run(_awaited(answer)) if inspect.isawaitable(answer) else answer
        except (Exception, SystemExit) as error:
            raise BotFault(f"{labels[seat]} (seat {seat}, deal {seen.deal_number}): {_where(error)}") from error
        try:
            apply(match, action)
        except (RulesError, AttributeError, TypeError) as error:
            told = f"answered {str(action)!r}, legal were {', '.join(map(str, asked.actions[:12]))}"
            raise BotFault(f"{labels[seat]} (seat {seat}, deal {seen.deal_number}): {told}") from error
        journal.append(Entry(seat, action))
    assert match.result is not None  # nothing to decide: the match is over
    for bot in bots:
        bot.on_finish(match.result)
    return MatchRecord(ruleset, seed, tuple(map(Seat, labels)), tuple(journal), match.result, preset=preset)


async def _awaited(answer: object) -> Action:
    assert inspect.isawaitable(answer)
    return await answer  # type: ignore[no-any-return]  # checked by `apply`


def _where(error: BaseException) -> str:
    """The error and the line it came from."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__}: {error}{place}"


def _bot_score(name: str, place: int, played: Sequence[Score]) -> BotScore:
    clusters: dict[int, list[int]] = {}
    places = [0] * len(played[0].scores)
    for score in played:
        seat = score.game.order.index(place)
        sums = clusters.setdefault(score.game.cluster, [0, 0])
        sums[0] += score.scores[seat]
        sums[1] += score.deals
        places[score.ranking[seat] - 1] += 1
    mean, half = ratio([(points, deals) for points, deals in clusters.values()])
    interval = None if half is None else (mean - half, mean + half)
    deals = sum(score.deals for score in played)
    return BotScore(name, mean, interval, deals, len(played), tuple(places))


def _by_seat(played: Sequence[Score], players: int) -> tuple[float, ...]:
    deals = sum(score.deals for score in played)
    return tuple(sum(score.scores[seat] for score in played) / deals for seat in range(players))


def ratio(clusters: Sequence[tuple[float, float]]) -> tuple[float, float | None]:
    """Points over deals of all clusters together, and the half width of its 95 % interval (None: too few clusters).

    The variance of a ratio by linearisation; clusters are independent, what is inside one may not be.
    """
    points, deals = (sum(column) for column in zip(*clusters, strict=True))
    mean = points / deals
    count = len(clusters)
    if count < 2:
        return mean, None
    squares = sum((p - mean * d) ** 2 for p, d in clusters)
    return mean, student_95(count - 1) * math.sqrt(squares * count / (count - 1)) / deals


def student_95(freedom: int) -> float:
    """The two-sided 95 % point of Student's t: a table up to 4, then the Cornish-Fisher expansion (within 0.005)."""
    if freedom <= len(STUDENT_95):
        return STUDENT_95[freedom - 1]
    z, f = NORMAL_95, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * f)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * f**3)
    )
