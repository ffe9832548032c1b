"""A schedule opens a tournament, and it plays to its end by itself, whoever is absent, slow, crashing or killed.

Two referees, four workers, ten bots of four owners. The ledger must hold what an undisturbed computation gives: every
match is played again here from its seed by the same bots, without clocks, network or kills.
"""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import HOUSE, ROOT, Play, eventually
from tests.e2e.test_kills import horses
from tests.e2e.test_own_bot import Person
from tests.support.guests import CRASHES, PLAYS_LIKE, hangs
from thousand.bot import MatchStart
from thousand.bots import HOUSE_BOTS
from thousand.cli.leaderboard import read_leaderboard
from thousand.record import Cause, MatchRecord, final_ranking
from thousand.rules import (
    MatchResult,
    apply,
    bot_seed,
    caretaker,
    decision,
    new_match,
    ruleset_from,
    view,
)
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as pb
from thousand.v1.leaderboard_pb2 import LeaderboardEntry
from thousand.v1.record_pb2 import MatchRecord as Message
from thousand.wire import record_from
from workers.cli.processes import Child, start, stop_all
from workers.cli.stage import Stage
from workers.model import BlockState, LedgerEntry, MatchEnd, MatchReport
from workers.rounds import seeds_of
from workers.store import Store

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400), pytest.mark.xdist_group("e2e")]
GUESTS = {"ada": ("slow", "sound"), "ben": ("crashing", "sound"), "eve": ("offline", "sound")}
DOWN_S = 6.5  # longer than a decision may take
RULES = ruleset_from("tournament", {"max_deals": 2})


@dataclass
class Guests:
    """The bots of three owners: their ids, their processes, and somebody who starts the crashed one again."""

    stage: Stage
    folder: Path
    kinds: dict[str, str] = field(default_factory=dict)  # by bot id
    names: list[str] = field(default_factory=list)
    tokens: dict[str, list[str]] = field(default_factory=dict)  # by kind
    children: dict[str, Child] = field(default_factory=dict)
    died_at: float = 0.0
    crashes: int = 0

    def register(self) -> None:
        """Owners, bots, tokens."""
        link = Play(self.stage).link()
        for owner, kinds in GUESTS.items():
            key = link.call(link.stub.CreateOwner, api.CreateOwnerRequest(name=owner)).api_key
            for kind in kinds:
                request = api.CreateBotRequest(name=f"{owner} {kind}")
                made = link.stub.CreateBot(request, metadata=(("authorization", f"Bearer {key}"),))
                self.kinds[made.bot.bot_id] = kind
                self.names.append(made.bot.name)
                self.tokens.setdefault(kind, []).append(made.token.token)
        link.close()

    def start(self, kind: str) -> None:
        """The processes of this kind of bot."""
        env = {"THOUSAND_SERVER": self.stage.address, CRASHES: str(self.folder / "crashes")}
        command = [sys.executable, "-m", "tests.support.guests", kind, *self.tokens[kind]]
        self.children[kind] = start(kind, command, log=self.folder / "log" / f"{kind}.log", env=env, cwd=ROOT)

    def named(self, kind: str) -> str:
        """The id of the first bot of this kind."""
        return next(bot_id for bot_id, its in self.kinds.items() if its == kind)

    def until(self, what: str, happens: Callable[[], Any], within: float = 120.0) -> Any:
        """`eventually`; meanwhile a crashed bot is started again."""

        def looked() -> Any:
            self._look()
            return happens()

        return eventually(what, looked, within)

    def _look(self) -> None:
        """A crashed bot is started again after a while."""
        process = self.children["crashing"].process
        if process.poll() is None:
            return
        if not self.died_at:
            self.crashes, self.died_at = self.crashes + 1, time.monotonic()
        elif time.monotonic() - self.died_at > DOWN_S:
            self.died_at = 0.0
            self.start("crashing")


@pytest.fixture
def guests(stage: Stage, tmp_path: Path) -> Iterator[Guests]:
    """Everything is there but one bot that never comes."""
    stage.start_all(HOUSE, workers=4, referees=2)
    made = Guests(stage, tmp_path)
    (tmp_path / "crashes").touch()
    made.register()
    for kind in PLAYS_LIKE:
        made.start(kind)
    Play(stage).wait_for_bots([*HOUSE, *(name for name in made.names if "offline" not in name)])
    yield made
    stop_all(list(made.children.values()), grace=2.0)


def test_a_scheduled_tournament_ends_and_its_table_is_right(
    stage: Stage, guests: Guests, tmp_path: Path, record_property: Any
) -> None:
    person, store = Person(stage, tmp_path), Store(stage.redis_url)
    begun = time.monotonic()
    play = Play(stage, opened_by_a_schedule(person, guests, tmp_path))
    opened = time.monotonic()
    match_id, referee = guests.until("a match is played", lambda: under_way(store, guests.named("slow")))
    watcher = watching(person, match_id, tmp_path)
    kill_referee(stage, referee)
    guests.until("its matches go on at the other", lambda: resumed(stage))
    kill_worker(stage, guests)
    guests.until("the tournament ends", lambda: play.now().state == pb.TOURNAMENT_STATE_FINISHED, 240)
    ended = time.monotonic()
    entries = list(store.ledger.of(store.tournaments.settled(play.tournament_id)))
    check(store, play, guests, entries)
    matches = sum(len(entry.matches) for entry in entries)
    table = rated(play, matches)
    rebuilt = rebuild(stage, play.now().leaderboard_id)
    assert (rebuilt["same"], rebuilt["matches"], len(table)) == (True, matches, 10)
    assert watcher.wait(20) == 0
    assert f"All hands: thousand replay {match_id}" in (tmp_path / "watch.txt").read_text(encoding="utf-8")
    assert [registered.referee_id for registered in store.presence.referees()] == [stage.referees[0].name]
    store.close()
    record_property(
        "summary",
        f"scheduled tournament: {len(entries)} blocks, {matches} matches,"
        f" {play.now().progress.matches_no_show} no-shows,"
        f" strikes {dict(causes(entries))}, {guests.crashes} crashes, {referee} and a worker killed;"
        f" opened after {opened - begun:.0f} s, played in {ended - opened:.0f} s, first {table[0].bot_name};"
        " rebuilt the same",
    )


# on the way


def opened_by_a_schedule(person: Person, guests: Guests, folder: Path) -> str:
    """The tournament that a schedule opens within a minute."""
    rules = folder / "rules.toml"
    rules.write_text('base = "tournament"\nmax_deals = 2\n')
    made = person.thousand(
        *("tournament", "schedule", "--cron", "* * * * *", "--name", "Acceptance {number}", "--format", "balanced"),
        *("--bots", ",".join([*HOUSE, *guests.names]), "--ruleset", str(rules)),
        *("--no-show", "last", "--postponements", "25", "--postpone", "1"),
    )
    link = Play(person.stage).link()
    request = api.GetScheduleRequest(schedule_id=made["schedule_id"])
    opened = guests.until(
        "its run opens", lambda: link.call(link.stub.GetSchedule, request).schedule.last_tournament_id, 75
    )
    link.close()
    person.thousand("tournament", "schedule", "pause", made["schedule_id"])
    return str(opened)


def under_way(store: Store, slow: str) -> tuple[str, str] | None:
    """A match that has begun, in which the slow bot thinks, and where it is played."""
    for block_id in store.blocks.in_flight():
        block, lease = store.blocks.get(block_id), store.blocks.lease(block_id)
        if block is None or lease.state is not BlockState.RUNNING:
            continue
        for number, match in enumerate(block.matches):
            first = block.seats(number)[0].bot_id
            if first == slow and store.blocks.journal(match.match_id):
                return match.match_id, lease.referee_id
    return None


def watching(person: Person, match_id: str, folder: Path) -> "subprocess.Popen[bytes]":
    """Somebody follows this match."""
    command = [str(Path(sys.executable).with_name("thousand")), "match", "watch", match_id]
    with (folder / "watch.txt").open("wb") as out:
        return subprocess.Popen(command, env=person.env, stdout=out, stderr=out)


def kill_referee(stage: Stage, name: str) -> None:
    """For good."""
    child = next(child for child in stage.referees if child.name == name)
    stage.referees.remove(child)
    child.kill()


def resumed(stage: Stage) -> bool:
    """Whether the referee that is left has taken up a match from its journal."""
    log = stage.folder / "log" / f"referee-{stage.referees[0].name}.log"
    return any(json.loads(line).get("resumed_at", 0) > 0 for line in log.read_text(encoding="utf-8").splitlines())


def kill_worker(stage: Stage, guests: Guests) -> None:
    """With the job it has forked; for good."""
    place, horse = guests.until("a job runs", lambda: horses(stage))[0]
    horse.suspend()
    stage.workers.pop(place).kill()
    horse.kill()


# the result


def check(store: Store, play: Play, guests: Guests, entries: list[LedgerEntry]) -> None:
    """The ledger is what an undisturbed computation gives."""
    tournament = store.tournaments.get(play.tournament_id)
    assert tournament is not None
    progress = play.now().progress
    assert [entry.index for entry in entries] == list(range(progress.blocks))
    assert progress.matches_planned == progress.matches_finished + progress.matches_no_show == 6 * progress.blocks
    assert store.blocks.conflicts() == []
    for entry in entries:
        block = store.blocks.get(entry.block_id)
        assert block is not None
        seed_of = seeds_of(store, tournament, block)
        for number, report in enumerate(entry.matches):
            assert report.seats == block.seats(number)
            if report.end is MatchEnd.NO_SHOW:
                check_no_show(report, guests)
                continue
            record = record_from(Message.FromString(store.blocks.record(report.match_id) or b""))
            assert (record.seed, record.ruleset) == (seed_of(number), RULES)
            result = undisturbed(record, guests)
            assert (report.scores, report.deals) == (result.scores, 2)
            assert report.ranking == final_ranking(result, record.forfeits)
            check_strikes(report, guests)
    assert set(causes(entries)) == {"timeout", "disconnected"}
    assert guests.crashes >= 1


def check_no_show(report: MatchReport, guests: Guests) -> None:
    """Those who never came, and no others, are charged, and share the last place."""
    kinds = [guests.kinds.get(player.bot_id, "house") for player in report.seats]
    missing = {kinds[seat] for seat in report.faulty}
    assert missing <= {"offline", "crashing"}
    assert ("offline" in kinds) is ("offline" in missing)
    assert report.rated
    assert report.ranking == tuple(4 - len(report.faulty) if seat in report.faulty else 1 for seat in range(3))


def undisturbed(record: MatchRecord, guests: Guests) -> MatchResult:
    """The match played here: every action is its bot's own, but for the slow one's and the crashed one's lost ones."""
    match = new_match(record.ruleset, record.seed)
    kinds = [guests.kinds.get(seat.bot, seat.bot.removeprefix("house-")) for seat in record.seats]
    bots = [HOUSE_BOTS[PLAYS_LIKE.get(kind, kind)]() for kind in kinds]
    for seat, bot in enumerate(bots):
        bot.start = MatchStart(record.ruleset, seat, bot_seed(record.seed, seat))
    for entry in record.journal:
        asked = decision(match)
        assert asked is not None
        assert asked.seat == entry.seat
        seen = view(match, asked.seat)
        if kinds[asked.seat] == "slow" and hangs(seen):
            assert (entry.cause, entry.action) == (Cause.TIMEOUT, caretaker(match))
        elif entry.cause is not Cause.OWN:
            assert kinds[asked.seat] == "crashing"
            assert entry.action == caretaker(match)
        else:
            assert entry.action == bots[asked.seat].decide(seen, asked.actions)
        apply(match, entry.action, entry.seat)
    assert match.result is not None
    return match.result


def check_strikes(report: MatchReport, guests: Guests) -> None:
    """Each fault is charged to its seat, under its cause."""
    for seat, (player, strikes) in enumerate(zip(report.seats, report.strikes, strict=True)):
        kind = guests.kinds.get(player.bot_id)
        if kind == "slow":
            assert strikes == ({"timeout": 1} if seat == 0 else {})
        elif kind == "crashing":
            assert strikes.keys() <= {"disconnected", "timeout"}
        else:
            assert strikes == {}


def causes(entries: list[LedgerEntry]) -> Counter[str]:
    """All strikes by cause."""
    found: Counter[str] = Counter()
    for strikes in (strikes for entry in entries for match in entry.matches for strikes in match.strikes):
        found.update(strikes)
    return found


def rated(play: Play, matches: int) -> list[LeaderboardEntry]:
    """The table once it holds so many matches."""
    link, leaderboard_id = play.link(), play.now().leaderboard_id

    def complete() -> list[LeaderboardEntry] | None:
        board, entries = read_leaderboard(link, leaderboard_id)
        return entries if board.matches == matches else None

    found: list[LeaderboardEntry] = eventually("all matches are rated", complete, 20)
    link.close()
    return found


def rebuild(stage: Stage, leaderboard_id: str) -> dict[str, Any]:
    """What `arena ratings rebuild` says."""
    command = [sys.executable, "-m", "workers.cli", "ratings", "rebuild", "--leaderboard", leaderboard_id, "--json"]
    done = subprocess.run([*command, "--redis", stage.redis_url], check=True, capture_output=True, text=True, cwd=ROOT)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told
