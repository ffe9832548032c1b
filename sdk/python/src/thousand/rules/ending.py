"""A deal ends: played out or written off, it is scored, and the next one or the end of the match follows."""

from typing import Final

from thousand.rules import auction, dealing
from thousand.rules import options as o
from thousand.rules.cards import cards_of, points_of
from thousand.rules.events import DealScored, Event, MatchEnded, WrittenOff
from thousand.rules.phases import Phase
from thousand.rules.scoring import score_deal
from thousand.rules.standings import DealOutcome
from thousand.rules.state import DUMMY, Deal, Match
from thousand.rules.tuples import new

_TO_LAST_TRICK: Final = o.LeftoverTalon.LAST_TRICK
_LEFT_OVER: Final = o.TwoPlayer.TWO_TALONS_OF_2
_DUMMY: Final = o.TwoPlayer.DUMMY
_FINED: Final = o.CapEnforcement.PENALTY


def write_off(match: Match, events: list[Event]) -> None:
    """The declarer gives up (RULES 3 write_off)."""
    match.deal.written_off = True
    events.append(WrittenOff(match.deal.declarer))
    _score(match, events)


def play_over(match: Match, last_winner: int, events: list[Event]) -> None:
    """All tricks are taken: leftovers to the last trick (RULES 4 Leftovers), then scoring."""
    rules, deal = match.ruleset, match.deal
    if rules.two_player is _LEFT_OVER or rules.leftover_talon is _TO_LAST_TRICK:
        deal.points[last_winner] += points_of(deal.leftover)
    _score(match, events)


def _hidden(match: Match, deal: Deal) -> int:
    """Cards nobody, or not everybody, has seen until now."""
    if match.ruleset.two_player is not _DUMMY:
        return deal.leftover
    laid = 0
    for leader, cards, _, _ in deal.tricks:
        laid |= 1 << cards[_order(deal, leader).index(DUMMY)]
    return laid | deal.hands[DUMMY]


def _order(deal: Deal, leader: int) -> list[int]:
    seats = [leader]
    while len(seats) < len(deal.active):
        seats.append(deal.next[seats[-1]])
    return seats


def outcome(match: Match) -> DealOutcome:
    """The deal as scoring needs to know it."""
    rules, deal = match.ruleset, match.deal
    players = rules.players
    overbid = (
        rules.cap_enforcement is _FINED
        and not deal.forced_bid
        and deal.high_bid > auction.cap(rules, deal.dealt[deal.declarer])
    )
    points = deal.points[:players]
    for seat in range(players) if deal.written_off else deal.revokes:
        points[seat] = 0
    talon = deal.talons[0] if players == 4 else 0
    fields = (
        deal.number, deal.dealer, deal.bidders, deal.hundred, deal.declarer, deal.contract, tuple(points),
        tuple(deal.tricks_won[:players]), deal.blind, deal.written_off, talon, tuple(deal.revokes), overbid,
        match.deals_scored,
    )  # fmt: skip
    return new(DealOutcome, fields)


def _score(match: Match, events: list[Event]) -> None:
    deal = match.deal
    scored = score_deal(match.ruleset, match.standings, outcome(match))
    sheet = match.standings = scored.standings
    match.deals_scored += 1
    match.last_deal = deal
    fields = (
        deal.number, scored.points, scored.rows, tuple(sheet.scores), tuple(sheet.bolts),
        tuple(sheet.barrel_tries_left), tuple(sheet.falls), cards_of(_hidden(match, deal)),
    )  # fmt: skip
    events.append(new(DealScored, fields))
    if scored.result is not None:
        result = match.result = scored.result
        match.phase = Phase.OVER
        events.append(MatchEnded(result.scores, result.ranking, result.winners, result.settlement))
        return
    match.deals_begun += 1
    number = 1 if scored.restart else deal.number + 1
    players = match.ruleset.players
    dealer, hundred = (deal.dealer + 1) % players, (deal.hundred + 1) % players
    following = dealing.new_deal(match.ruleset, number, dealer, hundred, index=match.deals_begun)
    dealing.begin(match, following, events)
