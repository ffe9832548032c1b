"""Plans a tournament's rounds: which tables, from which secret, among whom.

Law: the tables of an open round can be computed again from what the store holds. A format with an end has one secret
for the whole tournament; an endless one has entrants and a secret for each round, and the commitment is stored, for
all to read, before the round's first match.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from workers import seeds
from workers.blocks import matches_of
from workers.create import plan_of
from workers.entrants import choose, entrants_of
from workers.formats import InvalidFormat, Plan, Table, format_of, next_round
from workers.model import Block, Bot, Entrant, LedgerEntry, Player, Round, Tournament
from workers.store import Store


class Next(StrEnum):
    """What became of the round after the last."""

    OPENED = "opened"
    WAITS = "waits"  # too few are there for an endless format's next round
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Settled(Collection[LedgerEntry]):
    """A tournament's ledger entries from one place of its schedule to another, read only when they are asked for."""

    store: Store
    tournament_id: str
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin

    def __iter__(self) -> Iterator[LedgerEntry]:
        return self.store.ledger.of(self.store.tournaments.settled(self.tournament_id, self.begin, self.end))

    def __contains__(self, entry: object) -> bool:
        return any(entry == mine for mine in self)


class Rounds:
    """Remembers only what it can compute again; may be called from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[tuple[str, int], Sequence[Table] | None] = {}
        self._memories: dict[tuple[str, int], dict[str, object]] = {}

    def forget_but(self, active: Collection[str]) -> None:
        """Drop what belongs to tournaments that have ended."""
        self._tables = {name: tables for name, tables in self._tables.items() if name[0] in active}
        self._memories = {name: memory for name, memory in self._memories.items() if name[0] in active}

    def open_next(self, tournament: Tournament, number: int, end: int) -> Next:
        """Open the round after round `number`, which has ended at place `end` of the schedule."""
        if format_of(tournament.format).endless:
            return self._open_endless(tournament, number, end)
        tables = self.tables(tournament, number + 1, end)
        if tables is None:
            return Next.OVER
        self._store.tournaments.open_round(tournament.tournament_id, number + 1, *_size(tournament, tables, end))
        return Next.OPENED

    def tables(self, tournament: Tournament, number: int, begin: int) -> Sequence[Table] | None:
        """The tables of round `number`, which begins at place `begin` of the schedule."""
        name = (tournament.tournament_id, number)
        known = self._tables
        if name in known:
            return known[name]
        found = self._plan(tournament, number, begin)
        self._tables = {n: t for n, t in known.items() if n[0] != name[0]} | {name: found}
        return found

    def _plan(self, tournament: Tournament, number: int, begin: int) -> Sequence[Table] | None:
        t = tournament.tournament_id
        held = self._store.rounds.get(t, number) if format_of(tournament.format).endless else None
        if held is not None:
            plan = drawn(tournament, self._store.rounds.secret(t, number))
            memory = self._store.rounds.memory(t)
            return next_round(tournament.format, replace(plan, memory=memory), held.entrants)
        plan = drawn(tournament, self._store.tournaments.secret(t))
        return next_round(tournament.format, plan, tournament.entrants, Settled(self._store, t, 0, begin))

    def _open_endless(self, tournament: Tournament, number: int, end: int) -> Next:
        plan = plan_of(tournament)
        if 0 < plan.number("rounds", 0) <= number:
            return Next.OVER
        entrants = self._here(tournament)
        if len(entrants) < tournament.seats:
            return Next.WAITS
        public, t = tournament.public_seed, tournament.tournament_id
        secret = seeds.new_secret() if public is None else seeds.public_secret(public, number + 1)
        memory = self._memory(tournament, number, end)
        try:
            tables = next_round(tournament.format, replace(drawn(tournament, secret), memory=memory), entrants)
        except InvalidFormat:  # those who are there are one owner's
            return Next.WAITS
        assert tables is not None
        opened = Round(number + 1, end, len(tables), entrants, seeds.commitment(secret))
        self._store.rounds.open(t, opened, secret, memory, *_size(tournament, tables, end))
        return Next.OPENED

    def _memory(self, tournament: Tournament, number: int, end: int) -> dict[str, object]:
        """What is remembered of the rounds up to `number`."""
        t = tournament.tournament_id
        if number == 0:
            return {}
        known = self._memories
        if (t, number) in known:
            return known[t, number]
        held, remember = self._store.rounds.get(t, number), format_of(tournament.format).remember
        assert held is not None
        assert remember is not None
        plan = replace(plan_of(tournament), memory=self._store.rounds.memory(t))
        found = remember(plan, held.entrants, Settled(self._store, t, held.begin, end))
        self._memories = {n: m for n, m in known.items() if n[0] != t} | {(t, number): found}
        return found

    def _here(self, tournament: Tournament) -> tuple[Entrant, ...]:
        """Who is connected, may take part, and plays the preset; none if they are too few."""
        here = {
            instance.player
            for referee in self._store.presence.everywhere()
            for instance in (() if referee.draining else referee.instances)
            if not instance.leaving and (not instance.presets or tournament.preset in instance.presets)
        }
        if len({player.bot_id for player in here}) < tournament.seats:
            return ()
        found = choose(self._store, tournament.rules) if tournament.rules else self._named(tournament)
        bots = [bot for bot in found if Player(bot.bot_id, bot.version) in here and not bot.retired]
        return entrants_of(self._store, bots)

    def _named(self, tournament: Tournament) -> list[Bot]:
        bots = (self._store.people.bot(entrant.player.bot_id) for entrant in tournament.entrants)
        return [bot for bot in bots if bot is not None]


def drawn_from(store: Store, tournament: Tournament, number: int) -> tuple[bytes, Sequence[Entrant]]:
    """The secret that round `number` draws its cards from, and the entrants mixed in."""
    if not format_of(tournament.format).endless:
        return store.tournaments.secret(tournament.tournament_id), tournament.entrants
    held = store.rounds.get(tournament.tournament_id, number)
    assert held is not None
    return store.rounds.secret(tournament.tournament_id, number), held.entrants


def seeds_of(store: Store, tournament: Tournament, block: Block) -> Callable[[int], bytes]:
    """What decks, first dealer and bot seeds of a block's matches derive from, by the match's number in it."""
    secret, entrants = drawn_from(store, tournament, block.round)
    mixed = seeds.entrants_hash(entrants)
    return lambda number: seeds.match_seed(secret, block.index, None if block.board else number, mixed)


def drawn(tournament: Tournament, secret: bytes) -> Plan:
    """The plan with its lots drawn."""
    return replace(plan_of(tournament), draw=seeds.draw(secret))


def _size(tournament: Tournament, tables: Sequence[Table], end: int) -> tuple[int, int]:
    """Where the round ends in the schedule, and its matches."""
    return end + len(tables), len(tables) * (matches_of(tournament, tables[0]) if tables else 0)
