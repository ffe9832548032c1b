"""`thousand replay`: a match pictured deal by deal, from a record in any of its forms or from an arena."""

import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from thousand.cli import wording
from thousand.cli.common import Failure, print_json
from thousand.cli.link import DEFAULT_SERVER, Key, Server, arena
from thousand.cli.match import fetch_record
from thousand.notation import parse, write
from thousand.record import MatchRecord, from_dict, replay, to_dict
from thousand.rules import apply, opened
from thousand.rules.cards import cards_of
from thousand.rules.errors import RulesError
from thousand.rules.events import CardPlayed, DealScored, DealStarted, Event, HandDealt, TrickWon
from thousand.v1 import arena_pb2 as api

SAFE_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,80}")  # a match's id; a file has a dot or a slash, as a rule


def mount(app: typer.Typer) -> None:
    """Add `thousand replay`."""
    app.command("replay", epilog="Examples: thousand replay match.txt --deal 3 · thousand replay MATCH_ID")(
        replay_command
    )


def replay_command(
    match: Annotated[
        str,
        typer.Argument(
            metavar="FILE|MATCH_ID",
            help="A record (text notation, JSON, or as the arena stores it), or the id of a match of the arena.",
        ),
    ],
    deal: Annotated[int, typer.Option(help="Only this deal; 0: all of them.", min=0)] = 0,
    text: Annotated[bool, typer.Option("--text", help="As text notation, which `replay` reads again.")] = False,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: Annotated[bool, typer.Option("--json", help="The record as one JSON object.")] = False,
) -> None:
    """Check a match by replaying it, and show it: hands, auction, tricks, score sheet."""
    record, names = _found(match, server, key)
    replay(record)
    if deal and record.result is not None and deal > record.result.deals:
        raise Failure(f"there is no deal {deal}: the match has {record.result.deals}")
    if as_json:
        print_json(to_dict(record))
    elif text:
        typer.echo(write(record), nl=False)
    else:
        typer.echo("\n".join(picture(record, deal, names)))


def _found(match: str, server: str, key: str) -> tuple[MatchRecord, list[str]]:
    """The record of a file or of the arena's match, and what its bots are called."""
    file = Path(match)
    if file.exists() or not SAFE_ID.fullmatch(match):
        record = read_record(file)
        return record, [seat.bot for seat in record.seats]
    with arena(server, key, f"there is no file {match}; ") as link:
        record = fetch_record(link, match)
        seats = link.call(link.stub.GetMatch, api.GetMatchRequest(match_id=match)).match.seats
    return record, [seat.bot_name for seat in seats]


def read_record(file: Path) -> MatchRecord:
    """The record in this file, whatever its form. Raises Failure."""
    data = file.read_bytes()
    try:
        if data.lstrip()[:1] == b"{":
            return from_dict(json.loads(data))
        if data.lstrip()[:1] in (b"[", b";"):
            return parse(data.decode())
        return _from_wire(data)
    except (ValueError, RulesError) as error:
        raise Failure(f"{file} is no match record: {error}") from error


def _from_wire(data: bytes) -> MatchRecord:
    # gRPC's code is needed for this form alone, and slow to load
    from google.protobuf.message import DecodeError

    from thousand.v1.record_pb2 import MatchRecord as Message
    from thousand.wire.records import record_from

    try:
        return record_from(Message.FromString(zlib.decompress(data) if data[:1] == b"\x78" else data))
    except (DecodeError, zlib.error) as error:
        raise ValueError("neither text notation nor JSON nor a stored record") from error


def picture(record: MatchRecord, only: int = 0, called: Sequence[str] = ()) -> list[str]:
    """The match as lines for a person; `only` one deal of it, by number; the bots `called` so, else by their ids."""
    names = wording.table_names(called or [seat.bot for seat in record.seats])
    lines: list[str] = []
    trick: list[str] = []
    shown = only == 0
    match, events = opened(
        record.ruleset, record.seed, first_dealer=record.first_dealer, first_hundred=record.first_hundred
    )
    pending: list[Event] = list(events)
    for entry in (None, *record.journal):
        if entry is not None:
            pending = list(apply(match, entry.action, entry.seat))
        for event in pending:
            if isinstance(event, DealStarted):
                shown = only in (0, event.deal_number)
            if isinstance(event, CardPlayed):
                trick.append(wording.played_text(event, names))
            elif isinstance(event, TrickWon):
                lines += [f"  {' · '.join(trick)} → {names[event.seat]} +{event.points}"] if shown else []
                trick.clear()
            elif shown:
                lines += _lines(event, names)
            if isinstance(event, HandDealt) and shown and event.seat == match.deal.bidders[-1]:
                lines += [f"Talon: {wording.cards_text(cards_of(talon))}" for talon in match.deal.talons]
    return lines + (_result(record, names) if only == 0 else [])


def _lines(event: Event, names: list[str]) -> list[str]:
    if isinstance(event, DealScored):
        return [wording.sheet_text(names, event)]
    line = wording.event_text(event, names)
    return [] if line is None else [line]


def _result(record: MatchRecord, names: list[str]) -> list[str]:
    result, ranking = record.result, record.ranking
    if result is None or ranking is None:
        return ["", "The match is not finished."]
    lines = ["", f"Result after {result.deals} deals{' (the limit)' if result.by_limit else ''}:"]
    for seat in sorted(range(len(names)), key=lambda seat: ranking[seat]):
        forfeited = "  forfeited" if seat in record.forfeits else ""
        stakes = f"  stakes {result.settlement[seat]:+d}" if any(result.settlement) else ""
        lines.append(f"  {ranking[seat]}. {names[seat]}  {result.scores[seat]}{stakes}{forfeited}")
    return lines + [
        f"  strike: {names[s.seat]}, {s.cause.value.replace('_', ' ')}, before entry {s.before}: {s.message}".rstrip(
            ": "
        )
        for s in record.strikes
    ]
