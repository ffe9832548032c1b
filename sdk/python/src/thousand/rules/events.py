"""What happened: one NamedTuple per kind of event, as the engine logs it (with everything in it).

No event leaves the engine for a bot but through `thousand.rules.view.visible`, which masks or withholds it.
"""

from enum import StrEnum
from typing import NamedTuple

from thousand.rules.actions import ActionKind
from thousand.rules.cards import Card, Suit
from thousand.rules.enums import plain


@plain
class RedealReason(StrEnum):
    """The right by which a redeal was demanded."""

    FOUR_NINES = "four_nines"
    THREE_NINES_ON_HUNDRED = "three_nines_on_hundred"
    LOW_HAND = "low_hand"
    TALON = "talon"


@plain
class RowKind(StrEnum):
    """The step of RULES section 5 that changed a score; rows always sum to the new score."""

    CONTRACT = "contract"  # 5.3
    BARREL_WIN = "barrel_win"  # 5.3
    BARREL_FAILED = "barrel_failed"  # 5.3
    POINTS = "points"  # 5.4 defenders
    SHARE = "share"  # 5.4 of a write-off
    TALON = "talon"  # 5.4 the sitting dealer's
    WRITE_OFF_FINE = "write_off_fine"  # 5.5
    OVERBID_FINE = "overbid_fine"  # 5.5
    REVOKE_FINE = "revoke_fine"  # 5.5
    CUT_FINE = "cut_fine"  # 4 Cut, taken at once
    BOLT = "bolt"  # 5.6
    WIN_UNDONE = "win_undone"  # 5.7
    LAST_TRY = "last_try"  # 5.8
    ARRIVAL = "arrival"  # 5.9
    KNOCKED_OFF = "knocked_off"  # 5.10
    FELL_TOGETHER = "fell_together"  # 5.11
    FALLS_RESET = "falls_reset"  # 5.12
    DUMP_TRUCK = "dump_truck"  # 5.13
    GOLDEN_FAILED = "golden_failed"  # 5.14


class Row(NamedTuple):
    """One line of the score sheet: what one step did to one seat's score (points may be 0)."""

    seat: int
    kind: RowKind
    change: int


class DealStarted(NamedTuple):
    """A deal begins (again after a redeal). Public."""

    deal_number: int  # 1-based; a redeal keeps it
    dealer: int
    hundred: int  # holder of the forced bid
    active: tuple[int, ...]  # seats that hold cards, clockwise from forehand
    golden: bool


class Cut(NamedTuple):
    """The cutter took `size` cards from the top. Public."""

    seat: int
    size: int


class BottomSeen(NamedTuple):
    """The bottom card after a cut. To the dealer alone."""

    seat: int
    card: Card


class CutSettled(NamedTuple):
    """The dealer kept, recut or tucked the bottom card. Public."""

    seat: int
    action: ActionKind  # accept, recut, tuck


class Fined(NamedTuple):
    """A fine taken at once (third nine at the cut). Public."""

    seat: int
    kind: RowKind
    change: int


class HandDealt(NamedTuple):
    """A seat's cards. To that seat alone, once it may see them."""

    seat: int
    cards: tuple[Card, ...]


class Looked(NamedTuple):
    """A seat that might have bid blind looked at its cards. Public."""

    seat: int


class Redealt(NamedTuple):
    """A seat demanded a redeal. Public."""

    seat: int
    reason: RedealReason


class Bid(NamedTuple):
    """A bid; `forced` when nobody chose it (the hundred, a barrel's or golden contract). Public."""

    seat: int
    amount: int
    blind: bool
    forced: bool


class Passed(NamedTuple):
    """A pass; `forced` when the referee passed for the seat (bid floor). Public."""

    seat: int
    forced: bool


class AuctionWon(NamedTuple):
    """The auction is over. Public."""

    seat: int
    amount: int
    blind: bool


class TalonChosen(NamedTuple):
    """The declarer chose one of two talons, unseen. Public."""

    seat: int
    index: int  # type: ignore[assignment]  # hides tuple.index, of which events make no use


class TalonTaken(NamedTuple):
    """The declarer took the talon. Cards to all, or to the declarer alone; else masked to None."""

    seat: int
    cards: tuple[Card, ...] | None
    shown: bool = True  # to all; False: to the declarer alone


class CardPassed(NamedTuple):
    """A card passed by the declarer; `to` a seat or TALON. Masked to None by `pass_shown` and blind."""

    seat: int
    to: int
    card: Card | None
    shown: bool = True  # to all; False: to the giver, and to the receiver if a seat


class ContractSet(NamedTuple):
    """The contract in force before the first lead. Public."""

    seat: int
    amount: int


class WrittenOff(NamedTuple):
    """The declarer gave up. Public."""

    seat: int


class CardPlayed(NamedTuple):
    """A card on the table; None for the dummy's, face down. Public."""

    seat: int
    card: Card | None
    announced: bool


class MarriageAnnounced(NamedTuple):
    """A marriage: its suit is trump from this very card. Public."""

    seat: int
    suit: Suit
    points: int


class AceMarriageAnnounced(NamedTuple):
    """All four aces: 200, no trump. Public."""

    seat: int
    points: int


class Revoked(NamedTuple):
    """A seat played against its duty; the card went back unseen (RULES 4 Revoke). Public."""

    seat: int


class TrickWon(NamedTuple):
    """The trick's winner and its card points. Public; with the dummy, points of shown cards only until scored."""

    seat: int
    points: int


class DealScored(NamedTuple):
    """The end of a deal: points by seat, the score sheet's rows, all as it stands after. Public."""

    deal_number: int
    points: tuple[int, ...]
    rows: tuple[Row, ...]
    scores: tuple[int, ...]
    bolts: tuple[int, ...]
    barrel_tries_left: tuple[int | None, ...]
    falls: tuple[int, ...]
    hidden: tuple[Card, ...]  # cards face down until now (dummy's, leftover talon, discards)


class MatchEnded(NamedTuple):
    """The match is over. Public."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]  # place by seat, 1-based, shared places equal
    winners: tuple[int, ...]
    settlement: tuple[int, ...]


Event = (
    DealStarted
    | Cut
    | BottomSeen
    | CutSettled
    | Fined
    | HandDealt
    | Looked
    | Redealt
    | Bid
    | Passed
    | AuctionWon
    | TalonChosen
    | TalonTaken
    | CardPassed
    | ContractSet
    | WrittenOff
    | CardPlayed
    | MarriageAnnounced
    | AceMarriageAnnounced
    | Revoked
    | TrickWon
    | DealScored
    | MatchEnded
)
