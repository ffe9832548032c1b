"""`thousand match watch`: a match as spectators see it, deal by deal, card by card, while it is played."""

import time
from collections.abc import Iterator, Sequence
from typing import Final

import grpc
import typer

from thousand.cli import wording
from thousand.cli.common import print_json
from thousand.cli.link import Link, enum_word, plain
from thousand.rules import events as ev
from thousand.v1 import event_pb2
from thousand.v1 import tournament_pb2 as kinds
from thousand.v1.tournament_pb2 import Match
from thousand.v1.watch_pb2 import WatchMatchRequest, WatchMatchResponse
from thousand.wire import event_from

TRIES: Final = 5  # to find an arena again that has gone
PAUSE_S: Final = 1.0


def follow(link: Link, match_id: str, as_json: bool) -> None:
    """Show the match until it has ended."""
    number, scene = 0, None
    answer = WatchMatchResponse()
    for answer in watched(link, match_id):
        match = answer.match if answer.HasField("match") else None
        if as_json:
            for event in answer.events:
                print_json(event_line(number, event))
                number += 1
            if match is not None:
                print_json({"match": plain(match), "record_open": answer.record_open, "sealed": answer.sealed})
            continue
        if scene is None:
            scene = Scene(wording.table_names([seat.bot_name for seat in answer.match.seats]))
            typer.echo(head_text(answer.match, answer.sealed))
        for event in answer.events:
            typer.echo(scene.text(event_from(event)), nl=False)
    if scene is not None:
        typer.echo(scene.end() + end_text(answer), nl=False)


def watched(link: Link, match_id: str) -> Iterator[WatchMatchResponse]:
    """What the arena tells; an arena that goes away in between is asked again for what is still missing."""
    told, tries = 0, 0
    while True:
        try:
            request = WatchMatchRequest(match_id=match_id, from_event=told)
            for answer in link.stream(link.stub.WatchMatch, request):
                told, tries = answer.next_event, 1
                yield answer
            return
        except grpc.RpcError as lost:
            if lost.code() is not grpc.StatusCode.UNAVAILABLE or not 0 < tries < TRIES:
                raise
            tries += 1
            time.sleep(PAUSE_S)


class Scene:
    """Turns public events into text, one after the other; a trick grows on its line."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._cards = 0  # on the line begun

    def text(self, event: ev.Event) -> str:
        """What to write next, line ends included."""
        match event:
            case ev.CardPlayed():
                self._cards += 1
                return ("  " if self._cards == 1 else " · ") + wording.played_text(event, self._names)
            case ev.TrickWon(seat, points):
                self._cards = 0
                return f" → {wording.winner_text(self._names, seat)} +{points}\n"
            case ev.MarriageAnnounced(_, suit, points) if self._cards:
                return f" ({suit.symbol} is trump, {points})"
            case ev.AceMarriageAnnounced(_, points) if self._cards:
                return f" (four aces, {points})"
            case ev.DealScored():
                return f"{self.end()}{wording.sheet_text(self._names, event)}\n"
        line = wording.event_text(event, self._names)
        return "" if line is None else f"{self.end()}{line}\n"

    def end(self) -> str:
        """Ends the line that was begun, if one was."""
        begun, self._cards = self._cards, 0
        return "\n" if begun else ""


def head_text(match: Match, sealed: bool) -> str:
    """What is played, and who sits where."""
    state = enum_word(kinds.MatchState.DESCRIPTOR, match.state)
    names = wording.table_names([seat.bot_name for seat in match.seats])
    lines = [f"{match.match_id}  {state}  {match.preset or 'custom rules'}  {'rated' if match.rated else 'unrated'}"]
    lines += [
        f"  seat {place}  {name} v{seat.version}"
        for place, (name, seat) in enumerate(zip(names, match.seats, strict=True))
    ]
    if sealed:
        lines.append("Its cards are still played at other tables: nothing is shown before all of them have finished.")
    return "\n".join(lines)


def end_text(answer: WatchMatchResponse) -> str:
    """How it ended, from the last answer."""
    match = answer.match
    if match.state != kinds.MATCH_STATE_FINISHED:
        return f"The match ended without a result: {enum_word(kinds.MatchState.DESCRIPTOR, match.state)}.\n"
    names = wording.table_names([seat.bot_name for seat in match.seats])
    outcome = match.outcome
    lines = ["", f"Result after {outcome.deals} deals:"]
    for seat in sorted(range(len(names)), key=lambda seat: outcome.ranking[seat]):
        conduct = outcome.conduct[seat]
        strikes = sum(strike.count for strike in conduct.strikes)
        notes = f"  {strikes} strike(s)" * bool(strikes) + "  forfeited" * conduct.forfeited
        lines.append(f"  {outcome.ranking[seat]}. {names[seat]}  {outcome.scores[seat]}{notes}")
    if answer.record_open:
        lines.append(f"All hands: thousand replay {match.match_id}")
    return "\n".join([*lines, ""])


def event_line(number: int, event: event_pb2.Event) -> dict[str, object]:
    """An event for `--json`: its number, its kind, its fields."""
    kind = event.WhichOneof("event") or ""
    return {"number": number, "event": kind} | plain(getattr(event, kind))
