"""The auction (RULES 3, 4): the hundred, raises, caps, blind bids, the barrel's and the golden contract."""

from typing import Final

from thousand.rules import options as o
from thousand.rules import redeal, talon
from thousand.rules.actions import BIDS, BLINDS, LOOK, PASS, REDEAL, Action, ActionKind, bid
from thousand.rules.cards import ACE_MARRIAGE_POINTS, ACES, MARRIAGE_POINTS, PAIRS, QUEENS, cards_of
from thousand.rules.events import AuctionWon, Bid, Event, HandDealt, Looked, Passed, RedealReason
from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.state import Match

_MULTIPLES: Final = tuple(BIDS[n] for n in range(5, 605, 5))
_PASS_ALONE: Final = (PASS,)
WITHOUT_MARRIAGE: Final = 120
BLIND_BID: Final = 120
GOLDEN_CONTRACT: Final = 120


def marriage_points(hand: int) -> int:
    """Points of all marriages in a hand."""
    if not hand & hand >> 1 & QUEENS:  # no queen with her king above her
        return 0
    return sum(MARRIAGE_POINTS[s] for s in range(4) if hand & PAIRS[s] == PAIRS[s])


def hand_worth(rules: Ruleset, hand: int) -> int:
    """120 and what the hand may announce (RULES 3 bid_cap marriages)."""
    aces = ACE_MARRIAGE_POINTS if rules.ace_marriage is not o.AceMarriage.OFF and hand & ACES == ACES else 0
    return WITHOUT_MARRIAGE + marriage_points(hand) + aces


def cap(rules: Ruleset, hand: int) -> int:
    """The highest bid this hand as dealt may make."""
    if rules.bid_cap is None:
        return rules.max_bid
    if rules.bid_cap is o.BidCap.NEEDS_MARRIAGE:
        return rules.max_bid if marriage_points(hand) else min(WITHOUT_MARRIAGE, rules.max_bid)
    return min(hand_worth(rules, hand), rules.max_bid)


def barrel_taker(match: Match) -> int | None:
    """Who comes to the talon by the barrel (RULES 4 Taken, auto): clockwise from the forced bidder."""
    rules, deal = match.ruleset, match.deal
    if rules.barrel_auction is o.BarrelAuction.NORMAL or golden_forced(match):
        return None
    start = deal.bidders.index(deal.hundred)
    order = deal.bidders[start:] + deal.bidders[:start]
    if rules.barrel_turn is o.BarrelTurn.OWN_HUNDRED:
        order = order[:1]
    return next((seat for seat in order if match.standings.on_barrel(seat)), None)


def golden_forced(match: Match) -> bool:
    """A golden deal whose contract nobody bids for."""
    return match.deal.golden and match.ruleset.golden is o.Golden.FORCED_DOUBLE


def _first_speaker(match: Match, holder: int) -> int:
    rules, deal = match.ruleset, match.deal
    if barrel_taker(match) is not None:
        return _next_bidder(match, holder)
    if rules.opening is o.Opening.AT_LEAST:
        return deal.hundred
    if rules.first_speaker is o.FirstSpeaker.RIGHT_OF_DEALER and rules.players > 2:
        return (deal.dealer - 1) % rules.players
    return _next_bidder(match, holder)


def _next_bidder(match: Match, seat: int) -> int:
    return match.deal.speaks_next[seat]


def below_floor(match: Match, seat: int) -> bool:
    """A score at which a seat may only pass (RULES 3 bid_floor)."""
    floor = match.ruleset.bid_floor
    return floor is not None and match.standings.scores[seat] < floor


def blind_seats(match: Match) -> tuple[int, ...]:
    """Who does not see his cards yet because he may still bid blind."""
    rules, deal = match.ruleset, match.deal
    taker = barrel_taker(match)
    if rules.blind is o.Blind.OFF or golden_forced(match):
        return ()
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
    match.phase = Phase.AUCTION
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
    elif rules.opening is o.Opening.FIXED:
        _hold(match, deal.hundred, rules.opening_bid, events)
        deal.turn = deal.hundred
    first = _first_speaker(match, deal.turn if deal.high_bid else deal.hundred)
    _ask_from(match, first, events)


def _hold(match: Match, seat: int, amount: int, events: list[Event]) -> None:
    deal = match.deal
    deal.high_bid, deal.high_bidder, deal.high_blind, deal.forced_bid = amount, seat, False, True
    deal.words.append((seat, bid(amount)))
    events.append(Bid(seat, amount, False, True))


def _ask_from(match: Match, seat: int, events: list[Event]) -> None:
    """Ask this seat or the next clockwise that has not passed and does not hold the bid; none left: it is won."""
    deal = match.deal
    for _ in deal.bidders:
        if not deal.passed[seat] and seat != deal.high_bidder:
            if not below_floor(match, seat):
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
    least = rules.opening_bid if opens else (deal.high_bid // 5 + 1) * 5
    said: tuple[Action, ...] = () if opens else _PASS_ALONE
    if not deal.looked[seat]:
        if rules.blind is o.Blind.OPENING:
            return (LOOK, BLINDS[BLIND_BID])
        return (LOOK, *said, *_blind_bids(match, least, opens))
    if deal.word_redeal:
        said = (*said, REDEAL)
    hand = deal.dealt[seat]
    if deal.high_blind and rules.blind_outbid is o.BlindOutbid.NEEDS_MARRIAGE and not marriage_points(hand):
        return said
    most = rules.max_bid if rules.cap_enforcement is o.CapEnforcement.PENALTY else cap(rules, hand)
    if opens:
        most = max(most, least)
    elif rules.raise_step is o.RaiseStep.EXACT:
        most = min(most, least)
    return said + _MULTIPLES[least // 5 - 1 : max(most // 5, 0)]


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
    if action.kind is ActionKind.REDEAL:
        redeal.demand(match, seat, redeal.before_auction(match, seat) or RedealReason.LOW_HAND, events)
        return
    deal.word_redeal = False
    if action.kind is ActionKind.LOOK:
        spoke = any(speaker == seat and word.kind is ActionKind.BLIND for speaker, word in deal.words)
        deal.words.append((seat, action))
        events.append(Looked(seat))
        _show_hand(match, seat, events)
        deal.word_redeal = not spoke and redeal.before_auction(match, seat) is not None  # as its first word
        return
    if action.kind is ActionKind.PASS:
        _pass(match, seat, False, events)
    else:
        _bid(match, seat, action, events)
    _ask_from(match, _next_bidder(match, seat), events)


def _bid(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    deal = match.deal
    outbid = deal.high_bidder
    blind = action.kind is ActionKind.BLIND
    deal.high_bid, deal.high_bidder, deal.high_blind, deal.forced_bid = action.amount, seat, blind, False
    deal.words.append((seat, action))
    events.append(Bid(seat, action.amount, blind, False))
    if outbid >= 0 and match.ruleset.blind is o.Blind.OPENING:
        _show_hand(match, outbid, events)  # outbid, a player sees his cards (RULES 4 Blind)


def _pass(match: Match, seat: int, forced: bool, events: list[Event]) -> None:
    deal = match.deal
    deal.passed[seat] = True
    deal.words.append((seat, PASS))
    events.append(Passed(seat, forced))
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
        events.append(HandDealt(seat, cards_of(deal.hands[seat])))


def _win(match: Match, events: list[Event]) -> None:
    deal = match.deal
    deal.declarer, deal.contract, deal.blind = deal.high_bidder, deal.high_bid, deal.high_blind
    for seat in deal.bidders:
        _show_hand(match, seat, events)
    events.append(AuctionWon(deal.declarer, deal.contract, deal.blind))
    talon.start(match, events)
