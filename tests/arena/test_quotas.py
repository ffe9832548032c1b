"""Quotas of owners, limits of clients, and refusals as data: over real gRPC, with small limits."""

import asyncio
from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as rpc
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from typer.testing import CliRunner

from tests.arena.conftest import Refused, Running, bearer
from tests.arena.test_service import HOUSE, cup, owner, seat
from thousand.cli import app
from thousand.v1 import arena_pb2 as api
from workers.arena.errors import TooBusy
from workers.arena.gate import ALL, Gate, client_of
from workers.model import Instance, Player, TournamentState
from workers.quotas import InvalidQuota, Quotas, parse_quotas


@pytest.fixture
def quotas() -> Quotas:
    """Soon spent."""
    return Quotas(bots=2, versions_per_day=2, running_matches=1, calls=3, watches=2)


def details(error: grpc.aio.AioRpcError) -> dict[str, Any]:
    """The google.rpc details of a refusal by message name."""
    (raw,) = [v for k, v in error.trailing_metadata() or () if k == "grpc-status-details-bin"]
    status = Status.FromString(raw if isinstance(raw, bytes) else raw.encode())
    assert (status.code, status.message) == (error.code().value[0], error.details())
    found: dict[str, Message] = {}
    for packed in status.details:
        name = packed.TypeName().rpartition(".")[2]
        found[name] = getattr(rpc, name)()
        packed.Unpack(found[name])
    return found


async def refusal(call: Any) -> tuple[StatusCode, str, dict[str, Any]]:
    """How a call is refused: status, message, details."""
    with pytest.raises(grpc.aio.AioRpcError) as told:
        await call
    return told.value.code(), told.value.details() or "", details(told.value)


async def test_bots_of_an_owner_are_counted_even_if_made_at_once(arena: Running) -> None:
    ada = await owner(arena)
    make = [arena.stub.CreateBot(api.CreateBotRequest(name=f"bot {n}"), metadata=ada) for n in range(3)]
    answers = await asyncio.gather(*make, return_exceptions=True)
    assert sum(isinstance(answer, api.CreateBotResponse) for answer in answers) == 2
    code, message, data = await refusal(arena.stub.CreateBot(api.CreateBotRequest(name="one more"), metadata=ada))
    assert (code, message) == (
        StatusCode.RESOURCE_EXHAUSTED,
        "you have 2 bots, your quota: make a new version of one instead",
    )
    assert (data["ErrorInfo"].reason, data["ErrorInfo"].domain) == ("QUOTA_SPENT", "thousand.v1")
    assert data["QuotaFailure"].violations[0].subject.startswith("bots:")
    await arena.stub.CreateBot(api.CreateBotRequest(name="the organiser's"), metadata=arena.organiser)
    await arena.stub.CreateBot(api.CreateBotRequest(name="somebody's"), metadata=await owner(arena, "bo"))


async def test_a_call_sent_again_at_the_limit_answers_the_same(arena: Running) -> None:
    ada = await owner(arena)
    first = api.CreateBotRequest(name="First", idempotency_key="k1")
    await arena.stub.CreateBot(api.CreateBotRequest(name="Second"), metadata=ada)
    made = [(await arena.stub.CreateBot(first, metadata=ada)).bot.bot_id for _ in range(3)]
    assert len(set(made)) == 1


async def test_the_command_tells_a_spent_quota_from_a_busy_arena_by_its_exit_code(
    arena: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = (await owner(arena))[0][1].removeprefix("Bearer ")

    async def create(name: str) -> tuple[int, str]:
        words = ["bot", "create", name, "--server", arena.address, "--key", key]
        done = await asyncio.to_thread(CliRunner().invoke, app, words)
        return done.exit_code, done.stderr

    assert [(await create(name))[0] for name in ("one", "two")] == [0, 0]
    assert await create("three") == (
        1, "thousand: you have 2 bots, your quota: make a new version of one instead (RESOURCE_EXHAUSTED)\n"
    )  # fmt: skip
    monkeypatch.setattr(Gate, "passed", _busy)
    assert (await create("three"))[0] == 3


def _busy(gate: Gate, peer: str) -> Any:
    raise TooBusy("128 of your calls are open at once: end some, then try again")


async def test_versions_are_counted_by_day_over_all_bots_of_an_owner(arena: Running) -> None:
    ada = await owner(arena)
    for name in ("one", "two"):
        await arena.stub.CreateBot(api.CreateBotRequest(name=name), metadata=ada)
    for _ in range(2):  # the same key twice is one version
        again = api.CreateBotVersionRequest(bot="one", idempotency_key="k")
        await arena.stub.CreateBotVersion(again, metadata=ada)
    await arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="two"), metadata=ada)
    code, message, data = await refusal(
        arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="one"), metadata=ada)
    )
    assert (code, data["QuotaFailure"].violations[0].subject.partition(":")[0]) == (
        StatusCode.RESOURCE_EXHAUSTED,
        "versions_per_day",
    )
    assert "after midnight UTC" in message
    again = api.CreateBotVersionRequest(bot="one", idempotency_key="k")
    assert len((await arena.stub.CreateBotVersion(again, metadata=ada)).bot.versions) == 2


async def test_matches_count_while_they_run(arena: Running) -> None:
    ada = await owner(arena)
    await arena.stub.CreateBot(api.CreateBotRequest(name="mine"), metadata=ada)
    seat(arena, *HOUSE)
    mine = arena.store.people.find_bot("mine")
    assert mine is not None
    presence = arena.store.presence.everywhere()[0]
    there = (*presence.instances, Instance(Player(mine.bot_id), "i-mine"))
    arena.store.presence.present(replace(presence, instances=there))
    request = api.CreateMatchRequest(bots=["mine", "counter", "greedy"])
    await arena.stub.CreateMatch(request, metadata=ada)
    code, message, data = await refusal(arena.stub.CreateMatch(request, metadata=ada))
    assert (code, data["ErrorInfo"].reason) == (StatusCode.RESOURCE_EXHAUSTED, "QUOTA_SPENT")
    assert "wait until one has ended" in message
    (running,) = arena.store.tournaments.active()
    assert arena.store.tournaments.cancel(running)
    assert arena.store.tournaments.state(running) is TournamentState.CANCELLED
    await arena.stub.CreateMatch(request, metadata=ada)


async def test_quotas_are_told_with_what_is_spent(arena: Running) -> None:
    ada = await owner(arena)
    await arena.stub.CreateBot(api.CreateBotRequest(name="one"), metadata=ada)
    await arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="one"), metadata=ada)
    who = await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=ada)
    assert [(quota.name, quota.limit, quota.used) for quota in who.quotas] == [
        ("bots", 2, 1),
        ("versions_per_day", 2, 1),
        ("running_matches", 1, 0),
    ]
    assert not (await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=arena.organiser)).quotas
    key = ada[0][1].removeprefix("Bearer ")
    told = await asyncio.to_thread(
        CliRunner().invoke, app, ["owner", "whoami", "--server", arena.address, "--key", key]
    )
    assert "bots: 1 of 2" in told.stdout


async def test_calls_of_one_client_beyond_the_limit_are_refused_and_later_ones_are_not(arena: Running) -> None:
    calls = [arena.stub.ListBots(api.ListBotsRequest()) for _ in range(40)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    assert refused
    assert len(refused) < 40
    assert {error.code() for error in refused} == {StatusCode.RESOURCE_EXHAUSTED}
    told = details(refused[0])
    assert (told["ErrorInfo"].reason, told["RetryInfo"].retry_delay.seconds) == ("TOO_MANY_AT_ONCE", 1)
    await arena.stub.ListBots(api.ListBotsRequest())


async def test_watches_are_bounded_and_a_watch_that_ended_makes_room(arena: Running, refused: Refused) -> None:
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    request = api.WatchTournamentRequest(tournament_id=made.tournament.tournament_id)
    watches = [arena.stub.WatchTournament(request) for _ in range(2)]
    for watch in watches:
        await watch.read()
    third = arena.stub.WatchTournament(request)
    with refused(StatusCode.RESOURCE_EXHAUSTED) as told:
        await third.read()
    assert "2 of your watches" in (told.value.details() or "")
    await arena.stub.GetTournament(api.GetTournamentRequest(tournament_id=request.tournament_id))
    watches[0].cancel()
    for _ in range(100):
        await asyncio.sleep(0.05)
        again = arena.stub.WatchTournament(request)
        try:
            await again.read()
            break
        except grpc.aio.AioRpcError:
            continue
    else:
        raise AssertionError("a cancelled watch keeps its place")
    for watch in (watches[1], again):
        watch.cancel()


@pytest.mark.parametrize(
    ("call", "code", "reason", "field"),
    [
        (lambda s, k: s.ListBots(api.ListBotsRequest(page_size=501)), "INVALID_ARGUMENT", "INVALID_FIELD", "page_size"),
        (lambda s, k: s.GetBot(api.GetBotRequest(bot="none")), "NOT_FOUND", "NO_SUCH_THING", None),
        (lambda s, k: s.WhoAmI(api.WhoAmIRequest(), metadata=bearer("no")), "UNAUTHENTICATED", "UNKNOWN_KEY", None),
        (lambda s, k: s.CreateBot(api.CreateBotRequest(name="x")), "PERMISSION_DENIED", "NOT_ALLOWED", None),
        (
            lambda s, k: s.CreateBot(api.CreateBotRequest(name="counter"), metadata=k),
            "ALREADY_EXISTS",
            "NAME_TAKEN",
            None,
        ),
        (
            lambda s, k: s.CreateTournament(cup(bots=["counter"]), metadata=k),
            "FAILED_PRECONDITION",
            "NOT_NOW",
            None,
        ),
    ],
)
async def test_every_refusal_is_told_as_data(
    arena: Running, call: Any, code: str, reason: str, field: str | None
) -> None:
    status, message, data = await refusal(call(arena.stub, arena.organiser))
    assert (status, data["ErrorInfo"].reason) == (StatusCode[code], reason)
    assert ("PreconditionFailure" in data) is (code == "FAILED_PRECONDITION")
    if field:
        (violation,) = data["BadRequest"].field_violations
        assert (violation.field, f"{violation.field}: {violation.description}") == (field, message)


async def test_a_fault_of_ours_is_told_as_one(arena: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(arena.store.people, "owners", broken)
    code, message, data = await refusal(arena.stub.ListOwners(api.ListOwnersRequest()))
    assert (code, data["ErrorInfo"].reason) == (StatusCode.INTERNAL, "INTERNAL")
    assert "secret" not in message


def test_a_gate_bounds_each_client_and_all_together() -> None:
    gate = Gate("calls", 1)
    with gate.passed("ipv4:10.0.0.1:5000"):
        with pytest.raises(TooBusy, match="1 of your calls"), gate.passed("ipv4:10.0.0.1:6000"):
            pass
        with gate.passed("ipv4:10.0.0.2:5000"):
            pass
    others = [gate.passed(f"ipv4:10.0.1.{n}:1") for n in range(ALL)]
    for other in others:
        other.__enter__()
    with pytest.raises(TooBusy, match="all clients"), gate.passed("ipv4:10.0.2.1:1"):
        pass
    for other in others:
        other.__exit__(None, None, None)
    with gate.passed("ipv4:10.0.2.1:1"):
        pass


@pytest.mark.parametrize(
    ("peer", "client"),
    [
        ("ipv4:10.0.0.7:5012", "ipv4:10.0.0.7"),
        ("ipv6:[::1]:5012", "ipv6:[::1]"),
        ("unix:", "unix"),
        ("unix:/a", "unix"),
    ],
)
def test_a_client_is_an_address_without_its_port(peer: str, client: str) -> None:
    assert client_of(peer) == client


def test_quotas_are_set_by_name() -> None:
    assert parse_quotas(["bots=5", "versions-per-day=0"]) == Quotas(bots=5, versions_per_day=0)
    for wrong in ("bots", "bots=", "bots=-1", "bots=many", "bots=99999999", "calls=0", "cards=3", "=3"):
        with pytest.raises(InvalidQuota):
            parse_quotas([wrong])
