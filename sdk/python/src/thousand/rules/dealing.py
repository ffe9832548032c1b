"""How a deal begins (RULES 1 Dealing): who is active, the cards, who may see them at once, and what comes first."""

from functools import cache
from typing import Final, NamedTuple

from thousand.rules import auction, cut, redeal, seeds
from thousand.rules import options as o
from thousand.rules.cards import Card, cards_of
from thousand.rules.events import DealStarted, Event, HandDealt
from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.state import DUMMY, Deal, Match
from thousand.rules.tuples import new

# After these rounds a card goes to the talon; how many cards each hand gets (RULES 1).
_LAYOUTS: Final = {
    None: (7, range(2, 5)),
    o.TwoPlayer.DUMMY: (7, range(2, 5)),
    o.TwoPlayer.TALON_2: (11, range(2, 4)),
    o.TwoPlayer.TALON_4: (10, range(2, 6)),
    o.TwoPlayer.TWO_TALONS_OF_2: (10, range(2, 6)),
    o.TwoPlayer.TWO_TALONS_OF_3: (9, range(2, 8)),
}
TWO_TALONS: Final = frozenset({o.TwoPlayer.TWO_TALONS_OF_2, o.TwoPlayer.TWO_TALONS_OF_3})
_TALON: Final = 3  # its pile; the second talon's is the next


def _piles(two_player: o.TwoPlayer | None) -> tuple[tuple[int, ...], ...]:
    """Which cards make each pile, counted from the top: the hands clockwise from forehand, then the talons."""
    rounds, talon_after = _LAYOUTS[two_player]
    places = 3 if two_player in (None, o.TwoPlayer.DUMMY) else 2
    piles: list[int] = []
    for number in range(1, rounds + 1):
        piles += range(places)
        if number in talon_after:
            second = two_player in TWO_TALONS and number - talon_after.start >= len(talon_after) // 2
            piles.append(_TALON + 1 if second else _TALON)
    return tuple(tuple(i for i, to in enumerate(piles) if to == pile) for pile in range(_TALON + 2))


_PILES: Final = {two_player: _piles(two_player) for two_player in _LAYOUTS}
_NO_CUT: Final = o.CutRitual.OFF
_NO_GOLD: Final = o.Golden.OFF


class _Seating(NamedTuple):
    """Who is active in a deal, and who follows whom; lists by seat."""

    bidders: tuple[int, ...]
    active: tuple[int, ...]  # with the dummy
    speaks_next: list[int]
    next: list[int]


@cache
def _seating(players: int, two_player: o.TwoPlayer | None, dealer: int) -> _Seating:
    seats = [(dealer + 1 + i) % players for i in range(players)]
    if players == 4:
        seats.remove(dealer)
    with_dummy = seats[:]
    if two_player is o.TwoPlayer.DUMMY:
        with_dummy.insert(1, DUMMY)  # between forehand and dealer (RULES 4 Dummy)
    return _Seating(tuple(seats), tuple(with_dummy), _followers(seats), _followers(with_dummy))


def _followers(seats: list[int]) -> list[int]:
    """By seat: the next of these, in their order."""
    followers = [0, 0, 0, 0]
    seat = seats[-1]
    for follower in seats:
        followers[seat] = follower
        seat = follower
    return followers


def new_deal(rules: Ruleset, number: int, dealer: int, hundred: int, *, index: int = 0, redeals: int = 0) -> Deal:
    """A deal without cards yet, with its seats."""
    deal = Deal(number, index, redeals, dealer, hundred).start()
    players = rules.players
    deal.golden = rules.golden is not _NO_GOLD and number <= players
    deal.bidders, deal.active, deal.speaks_next, deal.next = _seating(players, rules.two_player, dealer)
    deal.size = len(deal.active)
    deal.passed = [False] * players
    deal.looked = [False] * players
    return deal


def begin(match: Match, deal: Deal, events: list[Event]) -> None:
    """Start this deal: shuffle, then the cut or the cards."""
    match.deal = deal
    events.append(new(DealStarted, (deal.number, deal.dealer, deal.hundred, deal.bidders, deal.golden)))
    deal.deck = seeds.deck(match.seed, deal.index, deal.redeals)
    if match.ruleset.cut_ritual is _NO_CUT:
        deal_cards(match, events)
    else:
        cut.ask(match)


def deal_cards(match: Match, events: list[Event]) -> None:
    """Deal the deck out and go on."""
    deal = match.deal
    rules = match.ruleset
    piles = _PILES[rules.two_player]
    deck = deal.deck
    deal.hands = hands = [0] * max(rules.players, deal.size)
    for pile, seat in enumerate(deal.active):
        hands[seat] = _taken(deck, piles[pile])
    deal.talons = [_taken(deck, pile) for pile in piles[_TALON:] if pile]
    look_and_go_on(match, events)


def _taken(deck: list[Card], pile: tuple[int, ...]) -> int:
    """The 24-bit set of these cards of the deck."""
    taken = 0
    for place in pile:
        card: int = deck[place]  # compiled code is faster with plain numbers
        taken |= 1 << card
    return taken


def look_and_go_on(match: Match, events: list[Event]) -> None:
    """The cards lie: who may see them at once does; then redeals, then the auction."""
    deal = match.deal
    deal.dealt = deal.hands[:]
    unseen = auction.blind_seats(match)
    hands, looked = deal.hands, deal.looked
    for seat in deal.bidders:
        if seat not in unseen:
            looked[seat] = True
            events.append(new(HandDealt, (seat, cards_of(hands[seat]))))
    if redeal.anyone_may_before_auction(match.ruleset):
        deal.asked_redeal = [s for s in deal.bidders if deal.looked[s] and redeal.before_auction(match, s)]
    if deal.asked_redeal:
        match.phase = Phase.REDEAL
        deal.turn = deal.asked_redeal[0]
    else:
        auction.start(match, events)


def deal_again(match: Match, events: list[Event]) -> None:
    """A redeal: no deal number, golden deal, try or bolt is used (RULES 2)."""
    old = match.deal
    match.last_deal = old
    dealer, hundred = old.dealer, old.hundred
    if match.ruleset.redeal_dealer is o.RedealDealer.NEXT:
        dealer = (dealer + 1) % match.ruleset.players
        hundred = (hundred + 1) % match.ruleset.players
    deal = new_deal(match.ruleset, old.number, dealer, hundred, index=old.index, redeals=old.redeals + 1)
    deal.nines, deal.fined = old.nines, old.fined  # once per deal, whatever follows (RULES 4 Cut)
    begin(match, deal, events)
