"""A match set up in the middle: for worked cases, tests and studies of a position."""

from collections.abc import Sequence

from thousand.rules import cut, dealing
from thousand.rules import options as o
from thousand.rules.cards import PACK, Card
from thousand.rules.events import Event
from thousand.rules.ruleset import Ruleset
from thousand.rules.seeds import seed_from_int
from thousand.rules.standings import Standings
from thousand.rules.state import Match


def position(
    ruleset: Ruleset,
    *,
    dealer: int,
    deal_number: int = 12,
    hundred: int | None = None,
    standings: Standings | None = None,
    hands: Sequence[int] | None = None,
    talons: Sequence[int] = (),
    deck: Sequence[Card] | None = None,
    seed: bytes | None = None,
    events: list[Event] | None = None,
) -> Match:
    """A deal about to begin: with these hands (24-bit sets by seat, 0 for who sits out, the dummy's last) and talons,
    its cut done; or with this deck, top first, to be cut where the ruleset has it. Raises ValueError for cards that
    are not exactly the pack.
    """
    after = 0 if ruleset.forced_bidder is o.ForcedBidder.DEALER else 1
    holder = (dealer + after) % ruleset.players if hundred is None else hundred
    sheet = Standings.start(ruleset.players) if standings is None else standings.copy()
    deal = dealing.new_deal(ruleset, deal_number, dealer, holder)
    match = Match(ruleset, seed or seed_from_int(0), deal, sheet)
    log: list[Event] = [] if events is None else events
    if deck is not None:
        if sorted(deck) != list(range(24)):
            raise ValueError("a deck is the 24 cards, each once")
        match.deal.deck = list(deck)
        if ruleset.cut_ritual is o.CutRitual.OFF:
            dealing.deal_cards(match, log)
        else:
            cut.ask(match)
        return match
    if hands is None or sum(hands) + sum(talons) != PACK or _overlap((*hands, *talons)):
        raise ValueError("hands and talons together are the 24 cards, each once")
    match.deal.hands = list(hands)
    match.deal.talons = list(talons)
    dealing.look_and_go_on(match, log)
    return match


def _overlap(parts: Sequence[int]) -> bool:
    seen = 0
    for part in parts:
        if seen & part:
            return True
        seen |= part
    return False
