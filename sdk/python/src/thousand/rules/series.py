"""Who deals and who holds the hundred: in a match's first deal, its next one, and the next match of a series."""

from collections.abc import Sequence

from thousand.rules.options import ForcedBidder, NextDealer
from thousand.rules.ruleset import Ruleset


def first_hundred(ruleset: Ruleset, dealer: int) -> int:
    """The holder of the forced bid in a match that this seat begins to deal (`forced_bidder`)."""
    return dealer if ruleset.forced_bidder is ForcedBidder.DEALER else (dealer + 1) % ruleset.players


def next_deal(ruleset: Ruleset, dealer: int, hundred: int) -> tuple[int, int]:
    """Dealer and hundred of the next deal: both move one seat to the left (RULES 5.16)."""
    return (dealer + 1) % ruleset.players, (hundred + 1) % ruleset.players


def next_match(ruleset: Ruleset, last_dealer: int, winners: Sequence[int]) -> tuple[int, int]:
    """Dealer and hundred of the next match in a series (RULES 4 Series).

    Of joint winners the one nearest clockwise from the last deal's forehand counts.
    """
    if ruleset.next_dealer is NextDealer.RIGHT_OF_WINNER:
        winner = min(winners, key=lambda seat: (seat - last_dealer - 1) % ruleset.players)
        return (winner - 1) % ruleset.players, (winner + 1) % ruleset.players
    dealer = (last_dealer + 1) % ruleset.players
    return dealer, first_hundred(ruleset, dealer)
