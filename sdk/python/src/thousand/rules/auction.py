"""The auction (RULES 3, 4): the hundred, raises, caps, blind bids, the barrel's and the golden contract."""

from functools import cache
from typing import Final

from thousand.rules import options as o
from thousand.rules import redeal, talon
from thousand.rules.actions import BIDS, BLINDS, LOOK, PASS, REDEAL, Action, ActionKind, bid
from thousand.rules.cards import ACE_MARRIAGE_POINTS, ACES, MARRIAGE_POINTS, QUEENS, RANKS, SUITS, cards_of
from thousand.rules.events import AuctionWon, Bid, Event, HandDealt, Looked, Passed, RedealReason
from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.state import Match
from thousand.rules.tuples import new

_MULTIPLES: Final = tuple(BIDS[n] for n in range(5, 605, 5))
_PASS_ALONE: Final = (PASS,)
_PASSED: Final = tuple(tuple(Passed(seat, forced) for seat in range(4)) for forced in (False, True))
_SAID: Final = tuple({points: Bid(seat, points, False, False) for points in BIDS} for seat in range(4))
_NO_ACES: Final = o.AceMarriage.OFF
_BY_MARRIAGES: Final = o.BidCap.MARRIAGES
_NORMAL: Final = o.BarrelAuction.NORMAL
_GOLDEN_FORCED: Final = o.Golden.FORCED_DOUBLE
_FIXED: Final = o.Opening.FIXED
_EXACT: Final = o.RaiseStep.EXACT
_FINED: Final = o.CapEnforcement.PENALTY
_NO_BLIND: Final = o.Blind.OFF
_OPENING_BLIND: Final = o.Blind.OPENING
_AT_LEAST: Final = o.Opening.AT_LEAST
_RIGHT_OF_DEALER: Final = o.FirstSpeaker.RIGHT_OF_DEALER
_OWN_HUNDRED: Final = o.BarrelTurn.OWN_HUNDRED
_AUCTION: Final = Phase.AUCTION
_PASS: Final = ActionKind.PASS
_REDEAL: Final = ActionKind.REDEAL
_LOOK: Final = ActionKind.LOOK
_BLIND: Final = ActionKind.BLIND
WITHOUT_MARRIAGE: Final = 120
BLIND_BID: Final = 120
GOLDEN_CONTRACT: Final = 120


def _sets_of_queens() -> dict[int, int]:
    sets = {0: 0}
    for suit in range(SUITS):
        sets |= {queens | 1 << suit * RANKS + 2: points + MARRIAGE_POINTS[suit] for queens, points in sets.items()}
    return sets


_POINTS_OF_QUEENS: Final = _sets_of_queens()  # by the queens of the marriages, a 24-bit set


def marriage_points(hand: int) -> int:
    """Points of all marriages in a hand."""
    return _POINTS_OF_QUEENS[hand & hand >> 1 & QUEENS]  # each queen with her king above her


def hand_worth(rules: Ruleset, hand: int) -> int:
    """120 and what the hand may announce (RULES 3 bid_cap marriages)."""
    worth = WITHOUT_MARRIAGE + _POINTS_OF_QUEENS[hand & hand >> 1 & QUEENS]
    return worth + ACE_MARRIAGE_POINTS if hand & ACES == ACES and rules.ace_marriage is not _NO_ACES else worth


def cap(rules: Ruleset, hand: int) -> int:
    """The highest bid this hand as dealt may make."""
    most = rules.max_bid
    if rules.bid_cap is None:
        return most
    if rules.bid_cap is _BY_MARRIAGES:
        worth = hand_worth(rules, hand)
    else:
        worth = most if marriage_points(hand) else WITHOUT_MARRIAGE
    return min(most, worth)


def barrel_taker(match: Match) -> int | None:
    """Who comes to the talon by the barrel (RULES 4 Taken, auto): clockwise from the forced bidder."""
    rules, deal = match.ruleset, match.deal
    if rules.barrel_auction is _NORMAL or golden_forced(match):
        return None
    start = deal.bidders.index(deal.hundred)
    order = deal.bidders[start:] + deal.bidders[:start]
    if rules.barrel_turn is _OWN_HUNDRED:
        order = order[:1]
    return next((seat for seat in order if match.standings.on_barrel(seat)), None)


def golden_forced(match: Match) -> bool:
    """A golden deal whose contract nobody bids for."""
    return match.deal.golden and match.ruleset.golden is _GOLDEN_FORCED


def _first_speaker(match: Match, holder: int) -> int:
    rules, deal = match.ruleset, match.deal
    if barrel_taker(match) is not None:
        return deal.speaks_next[holder]
    if rules.opening is _AT_LEAST:
        return deal.hundred
    if rules.first_speaker is _RIGHT_OF_DEALER and rules.players > 2:
        return (deal.dealer - 1) % rules.players
    return deal.speaks_next[holder]


def below_floor(match: Match, seat: int) -> bool:
    """A score at which a seat may only pass (RULES 3 bid_floor)."""
    floor = match.ruleset.bid_floor
    return floor is not None and match.standings.scores[seat] < floor


def blind_seats(match: Match) -> tuple[int, ...]:
    """Who does not see his cards yet because he may still bid blind."""
    rules, deal = match.ruleset, match.deal
    if rules.blind is _NO_BLIND or golden_forced(match):
        return ()
    taker = barrel_taker(match)
    if taker is not None and rules.barrel_auction is o.BarrelAuction.TAKEN:
        return ()
    if rules.blind is o.Blind.PROGRESSIVE:
        return deal.bidders
    first = _first_speaker(match, deal.hundred if taker is None else taker)
    held = rules.needs if taker is not None else rules.opening_bid
    return (first,) if held < BLIND_BID and not below_floor(match, first) else ()


def start(match: Match, events: list[Event]) -> None:
    """Open the auction, or give the contract to whom it falls without one."""
    rules, deal = match.ruleset, match.deal
    match.phase = _AUCTION
    taker = barrel_taker(match)
    if golden_forced(match):
        deal.fixed_contract = not rules.golden_raise
        _hold(match, deal.hundred, GOLDEN_CONTRACT, events)
        _win(match, events)
        return
    if taker is not None:
        _hold(match, taker, rules.needs, events)
        if rules.barrel_auction is o.BarrelAuction.TAKEN:
            deal.taken = deal.fixed_contract = True
            _win(match, events)
            return
        deal.turn = taker
    elif rules.opening is _FIXED:
        _hold(match, deal.hundred, rules.opening_bid, events)
        deal.turn = deal.hundred
    first = _first_speaker(match, deal.turn if deal.high_bid else deal.hundred)
    _ask_from(match, first, events)


def _hold(match: Match, seat: int, amount: int, events: list[Event]) -> None:
    deal = match.deal
    deal.high_bid, deal.high_bidder, deal.high_blind, deal.forced_bid = amount, seat, False, True
    deal.words.append((seat, bid(amount)))
    events.append(new(Bid, (seat, amount, False, True)))


def _ask_from(match: Match, seat: int, events: list[Event]) -> None:
    """Ask this seat or the next clockwise that has not passed and does not hold the bid; none left: it is won."""
    deal = match.deal
    passed, floor = deal.passed, match.ruleset.bid_floor
    for _ in deal.bidders:
        if not passed[seat] and seat != deal.high_bidder:
            if floor is None or not below_floor(match, seat):
                deal.turn = seat
                return
            if deal.high_bidder < 0:  # a forced bid stands (RULES 3 bid_floor)
                _hold(match, seat, match.ruleset.opening_bid, events)
                _show_hand(match, seat, events)
            else:
                _pass(match, seat, True, events)
        seat = deal.speaks_next[seat]
    _win(match, events)


def legal(match: Match) -> tuple[Action, ...]:
    """What the seat in turn may say."""
    rules, deal = match.ruleset, match.deal
    seat = deal.turn
    opens = deal.high_bidder < 0  # at_least: its holder must bid
    least: int = rules.opening_bid if opens else (deal.high_bid // 5 + 1) * 5
    said: tuple[Action, ...] = () if opens else _PASS_ALONE
    if not deal.looked[seat]:
        if rules.blind is _OPENING_BLIND:
            return (LOOK, BLINDS[BLIND_BID])
        return (LOOK, *said, *_blind_bids(match, least, opens))
    if deal.word_redeal:
        said = (*said, REDEAL)
    hand = deal.dealt[seat]
    if deal.high_blind and rules.blind_outbid is o.BlindOutbid.NEEDS_MARRIAGE and not marriage_points(hand):
        return said
    most: int = rules.max_bid if rules.cap_enforcement is _FINED else cap(rules, hand)
    if opens:
        most = max(most, least)
    elif rules.raise_step is _EXACT:
        most = min(most, least)
    return _pass_or_raise(least, most) if said is _PASS_ALONE else said + _raises(least, most)


def _raises(least: int, most: int) -> tuple[Action, ...]:
    return _MULTIPLES[least // 5 - 1 : most // 5]


@cache
def _pass_or_raise(least: int, most: int) -> tuple[Action, ...]:
    return _PASS_ALONE + _raises(least, most)


def _blind_bids(match: Match, least: int, opens: bool) -> list[Action]:
    rules, deal = match.ruleset, match.deal
    if deal.high_blind and rules.blind_outbid is o.BlindOutbid.NEEDS_MARRIAGE:
        return []  # unseen cards show no marriage (inferred)
    most = rules.max_bid if rules.bid_cap is None else BLIND_BID  # RULES 4 Blind
    values = list(range(least, most + 1, 5))
    if rules.raise_step is o.RaiseStep.EXACT and not opens:
        values = [n for n in values if n in (least, BLIND_BID)]
    return [BLINDS[n] for n in values]


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """A word in turn."""
    deal = match.deal
    if action.kind is _REDEAL:
        redeal.demand(match, seat, redeal.before_auction(match, seat) or RedealReason.LOW_HAND, events)
        return
    deal.word_redeal = False
    if action.kind is _PASS:
        _pass(match, seat, False, events)
        _ask_from(match, deal.speaks_next[seat], events)
        return
    if action.kind is _LOOK:
        spoke = any(speaker == seat and word.kind is ActionKind.BLIND for speaker, word in deal.words)
        deal.words.append((seat, action))
        events.append(Looked(seat))
        _show_hand(match, seat, events)
        deal.word_redeal = not spoke and redeal.before_auction(match, seat) is not None  # as its first word
        return
    _bid(match, seat, action, events)
    _ask_from(match, deal.speaks_next[seat], events)


def _bid(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    deal = match.deal
    outbid = deal.high_bidder
    blind = action.kind is _BLIND
    deal.high_bid, deal.high_bidder, deal.high_blind, deal.forced_bid = action.amount, seat, blind, False
    deal.words.append((seat, action))
    events.append(Bid(seat, action.amount, True, False) if blind else _SAID[seat][action.amount])
    if outbid >= 0 and match.ruleset.blind is _OPENING_BLIND:
        _show_hand(match, outbid, events)  # outbid, a player sees his cards (RULES 4 Blind)


def _pass(match: Match, seat: int, forced: bool, events: list[Event]) -> None:
    deal = match.deal
    deal.passed[seat] = True
    deal.words.append((seat, PASS))
    events.append(_PASSED[forced][seat])
    _show_hand(match, seat, events)


def may_pass_early(match: Match, seat: int) -> bool:
    """Whether this seat may pass out of turn now (RULES 3 early_pass)."""
    deal = match.deal
    return (
        match.ruleset.early_pass
        and match.phase is Phase.AUCTION
        and seat in deal.bidders
        and seat not in (deal.turn, deal.high_bidder)
        and not deal.passed[seat]
        and not (deal.high_bidder < 0 and seat == deal.hundred)
    )


def pass_early(match: Match, seat: int, events: list[Event]) -> None:
    """A pass out of turn; whose turn it is stays."""
    _pass(match, seat, False, events)


def _show_hand(match: Match, seat: int, events: list[Event]) -> None:
    deal = match.deal
    if not deal.looked[seat]:
        deal.looked[seat] = True
        events.append(new(HandDealt, (seat, cards_of(deal.hands[seat]))))


def _win(match: Match, events: list[Event]) -> None:
    deal = match.deal
    deal.declarer, deal.contract, deal.blind = deal.high_bidder, deal.high_bid, deal.high_blind
    if False in deal.looked:
        for seat in deal.bidders:
            _show_hand(match, seat, events)
    events.append(new(AuctionWon, (deal.declarer, deal.contract, deal.blind)))
    talon.start(match, events)
