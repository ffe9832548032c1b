"""The contract after passing (RULES 3 contract_raise): the bid itself or more, within the cap of the eight cards."""

from functools import cache
from typing import Final

from thousand.rules import auction, ending, passing, playing
from thousand.rules import options as o
from thousand.rules.actions import CONTRACTS, WRITE_OFF, Action, ActionKind, contract
from thousand.rules.events import ContractSet, Event
from thousand.rules.phases import Phase
from thousand.rules.state import Match
from thousand.rules.tuples import new

_CONTRACT: Final = Phase.CONTRACT
_GIVE_UP: Final = ActionKind.WRITE_OFF
_BY_MARRIAGES: Final = o.BidCap.MARRIAGES
_UNTIL_LEAD: Final = o.WriteOffUntil.LEAD
_MULTIPLES: Final = tuple(CONTRACTS[n] for n in range(5, 605, 5))


def start(match: Match, events: list[Event]) -> None:
    """Ask for the contract, unless public facts leave no choice."""
    deal = match.deal
    deal.turn = deal.declarer
    if match.ruleset.contract_raise and not deal.fixed_contract:
        match.phase = _CONTRACT
    else:
        _settle(match, events)


def legal(match: Match) -> tuple[Action, ...]:
    """The bid always; multiples of 5 above it; giving up while that is allowed."""
    rules, deal = match.ruleset, match.deal
    most = rules.max_bid
    if rules.bid_cap is _BY_MARRIAGES:
        most = min(most, auction.hand_worth(rules, deal.hands[deal.declarer]))
    actions = _as_bid_or_more(deal.contract, most)
    if rules.write_off_until is _UNTIL_LEAD and passing.may_write_off(match):
        return (*actions, WRITE_OFF)
    return actions


@cache
def _as_bid_or_more(bid: int, most: int) -> tuple[Action, ...]:
    return (contract(bid), *_MULTIPLES[bid // 5 : most // 5])


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """Set it, or give up."""
    if action.kind is _GIVE_UP:
        ending.write_off(match, events)
        return
    match.deal.contract = action.amount
    _settle(match, events)


def _settle(match: Match, events: list[Event]) -> None:
    deal = match.deal
    events.append(new(ContractSet, (deal.declarer, deal.contract)))
    playing.start(match)
