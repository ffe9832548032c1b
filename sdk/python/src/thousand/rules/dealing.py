"""How a deal begins (RULES 1 Dealing): who is active, the cards, who may see them at once, and what comes first."""

from typing import Final

from thousand.rules import auction, cut, redeal, seeds
from thousand.rules import options as o
from thousand.rules.cards import Card, cards_of
from thousand.rules.events import DealStarted, Event, HandDealt
from thousand.rules.phases import Phase
from thousand.rules.state import DUMMY, Deal, Match

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


def new_deal(match: Match, number: int, dealer: int, hundred: int, redeals: int = 0) -> Deal:
    """A deal without cards yet, with its seats."""
    rules = match.ruleset
    deal = Deal(number, match.deals_begun, redeals, dealer, hundred)
    deal.golden = rules.golden is not o.Golden.OFF and number <= rules.players
    seats = [(dealer + 1 + i) % rules.players for i in range(rules.players)]
    if rules.players == 4:
        seats.remove(dealer)
    deal.bidders = tuple(seats)
    if rules.two_player is o.TwoPlayer.DUMMY:
        seats.insert(1, DUMMY)  # between forehand and dealer (RULES 4 Dummy)
    deal.active = tuple(seats)
    for seat, follower in zip(seats, seats[1:] + seats[:1], strict=True):
        deal.next[seat] = follower
    deal.passed = [False] * rules.players
    deal.looked = [False] * rules.players
    return deal


def begin(match: Match, deal: Deal, events: list[Event]) -> None:
    """Start this deal: shuffle, then the cut or the cards."""
    match.deal = deal
    events.append(DealStarted(deal.number, deal.dealer, deal.hundred, deal.bidders, deal.golden))
    deal.deck = seeds.deck(match.seed, deal.index, deal.redeals)
    if match.ruleset.cut_ritual is o.CutRitual.OFF:
        deal_cards(match, events)
    else:
        cut.ask(match)


def deal_cards(match: Match, events: list[Event]) -> None:
    """Deal the deck out and go on."""
    deal = match.deal
    rules = match.ruleset
    rounds, talon_after = _LAYOUTS[rules.two_player]
    deal.hands = [0] * max(rules.players, len(deal.active))
    talon: list[Card] = []
    top = iter(deal.deck)
    for number in range(1, rounds + 1):
        for seat in deal.active:
            deal.hands[seat] |= 1 << next(top)
        if number in talon_after:
            talon.append(next(top))
    half = len(talon) // 2 if rules.two_player in TWO_TALONS else len(talon)
    deal.talons = [sum(1 << c for c in talon[:half])]
    if half < len(talon):
        deal.talons.append(sum(1 << c for c in talon[half:]))
    look_and_go_on(match, events)


def look_and_go_on(match: Match, events: list[Event]) -> None:
    """The cards lie: who may see them at once does; then redeals, then the auction."""
    deal = match.deal
    deal.dealt = deal.hands[:]
    unseen = auction.blind_seats(match)
    for seat in deal.bidders:
        if seat not in unseen:
            deal.looked[seat] = True
            events.append(HandDealt(seat, cards_of(deal.hands[seat])))
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
    deal = new_deal(match, old.number, dealer, hundred, old.redeals + 1)
    deal.index = old.index
    deal.nines, deal.fined = old.nines, old.fined  # once per deal, whatever follows (RULES 4 Cut)
    begin(match, deal, events)
