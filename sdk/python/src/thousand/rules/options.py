"""The values an option may have: one enum per enumerated option of RULES 3, the default first.

The value `none` is Python's None, `on` and `off` of a plain switch are booleans; everything else is named here.
"""

from enum import StrEnum

from thousand.rules.enums import plain


@plain
class TwoPlayer(StrEnum):
    """How two play (RULES 3): cards each and what becomes of the talon."""

    TALON_2 = "talon_2"  # 11 cards each, 12 tricks
    TALON_4 = "talon_4"  # 10 each, 12 tricks
    TWO_TALONS_OF_2 = "two_talons_of_2"  # 10 each, 11 tricks, the other talon to the last trick
    TWO_TALONS_OF_3 = "two_talons_of_3"  # 9 each, 10 tricks, see LeftoverTalon
    DUMMY = "dummy"  # a third hand that never wins


@plain
class LeftoverTalon(StrEnum):
    """Who gets the points of the talon left over (two_talons_of_3)."""

    NOBODY = "nobody"
    LAST_TRICK = "last_trick"


@plain
class SittingDealer(StrEnum):
    """What the fourth player, sitting out, scores."""

    TALON_POINTS = "talon_points"
    ACES = "aces"


@plain
class CutRitual(StrEnum):
    """What a nine or jack at the bottom lets, or makes, the dealer do."""

    OFF = "off"
    MAY = "may"
    MUST = "must"


@plain
class ForcedBidder(StrEnum):
    """Who holds the hundred."""

    FOREHAND = "forehand"
    DEALER = "dealer"


@plain
class Opening(StrEnum):
    """Whether the forced bid stands by itself, or its holder speaks first."""

    FIXED = "fixed"
    AT_LEAST = "at_least"


@plain
class FirstSpeaker(StrEnum):
    """Who speaks first under a fixed opening."""

    AFTER_FORCED = "after_forced"
    RIGHT_OF_DEALER = "right_of_dealer"


@plain
class RaiseStep(StrEnum):
    """By how much a bid may exceed the last."""

    MULTIPLE = "multiple"
    EXACT = "exact"


@plain
class BidCap(StrEnum):
    """What bounds a bid over 120; None = nothing but max_bid."""

    MARRIAGES = "marriages"
    NEEDS_MARRIAGE = "needs_marriage"


@plain
class CapEnforcement(StrEnum):
    """Whether a bid over the cap is illegal, or fined."""

    PREVENT = "prevent"
    PENALTY = "penalty"


@plain
class Blind(StrEnum):
    """Who may bid before looking."""

    OFF = "off"
    OPENING = "opening"
    PROGRESSIVE = "progressive"


@plain
class BlindOutbid(StrEnum):
    """Who may outbid a blind bid."""

    ANYONE = "anyone"
    NEEDS_MARRIAGE = "needs_marriage"


@plain
class BlindDoubles(StrEnum):
    """Whose points a blind deal doubles."""

    ALL = "all"
    DECLARER = "declarer"


@plain
class BlindHides(StrEnum):
    """What a blind deal hides from the table."""

    TALON = "talon"
    PASS = "pass"


@plain
class TalonShown(StrEnum):
    """Who sees the talon taken."""

    ALWAYS = "always"
    UNLESS_FORCED = "unless_forced"


@plain
class WriteOff(StrEnum):
    """What each active opponent gets of a deal given up."""

    OFF = "off"
    HALF = "half"
    SIXTY = "sixty"


@plain
class WriteOffUntil(StrEnum):
    """Until when the declarer may give up."""

    LEAD = "lead"
    PASS = "pass"


@plain
class WriteOffCost(StrEnum):
    """Whether giving up costs the contract."""

    ALWAYS = "always"
    FIRST_FREE = "first_free"
    FREE = "free"


@plain
class WriteOffBarrel(StrEnum):
    """Whether a deal may be given up with someone on the barrel."""

    FORBIDDEN = "forbidden"  # to a declarer on it
    FORBIDDEN_IF_ANYONE = "forbidden_if_anyone"
    FORBIDDEN_IF_FREE = "forbidden_if_free"  # while anyone is, if it would cost nothing
    ALLOWED = "allowed"


@plain
class WriteOffGolden(StrEnum):
    """Whether a golden deal may be given up."""

    FORBIDDEN = "forbidden"
    FORBIDDEN_IF_FREE = "forbidden_if_free"
    ALLOWED = "allowed"


@plain
class RedealMoment(StrEnum):
    """When a poor hand may demand a redeal."""

    BEFORE_AUCTION = "before_auction"
    AFTER_PASS = "after_pass"


@plain
class RedealTalon(StrEnum):
    """What talon lets the declarer demand a redeal."""

    OFF = "off"
    BELOW_5 = "below_5"
    BELOW_5_OR_TWO_NINES = "below_5_or_two_nines"


@plain
class RedealTalonWhen(StrEnum):
    """Which talon: one won at the unopposed opening bid, or any."""

    FORCED = "forced"
    ANY = "any"


@plain
class RedealTalonMode(StrEnum):
    """Whether that redeal is a right or a duty."""

    MAY = "may"
    MUST = "must"


@plain
class RedealDealer(StrEnum):
    """Who deals again."""

    SAME = "same"
    NEXT = "next"


@plain
class FirstLead(StrEnum):
    """Who leads to the first trick."""

    DECLARER = "declarer"
    FOREHAND = "forehand"


@plain
class MarriageCard(StrEnum):
    """Which card announces a marriage."""

    KING_OR_QUEEN = "king_or_queen"
    QUEEN = "queen"


@plain
class MarriageAnnounce(StrEnum):
    """Whether announcing is a choice."""

    OPTIONAL = "optional"
    AUTOMATIC = "automatic"


@plain
class MarriageScored(StrEnum):
    """When a marriage counts."""

    AT_ONCE = "at_once"
    IF_TRICK = "if_trick"


@plain
class TrumpLead(StrEnum):
    """Who may lead trumps."""

    ANYONE = "anyone"
    ANNOUNCER = "announcer"


@plain
class AceMarriage(StrEnum):
    """When four aces count 200."""

    OFF = "off"
    FIRST_ACE = "first_ace"
    LEAD = "lead"


@plain
class Revoke(StrEnum):
    """What an illegal card costs."""

    REJECT = "reject"
    PENALTY = "penalty"


@plain
class DefenderRounding(StrEnum):
    """How a defender's points are rounded; None = not at all."""

    NEAREST_5 = "nearest_5"


@plain
class DeclarerRounding(StrEnum):
    """How the declarer's points are compared with the contract."""

    EXACT = "exact"
    ROUNDED = "rounded"


@plain
class Bolt(StrEnum):
    """What earns a bolt."""

    NO_TRICK = "no_trick"
    NO_POINTS = "no_points"
    OFF = "off"


@plain
class BoltRun(StrEnum):
    """How bolts are counted to three."""

    CUMULATIVE = "cumulative"
    CONSECUTIVE = "consecutive"
    BOTH = "both"


@plain
class BarrelTurn(StrEnum):
    """Which deals are tries."""

    EVERY_DEAL = "every_deal"
    OWN_HUNDRED = "own_hundred"


@plain
class BarrelAuction(StrEnum):
    """How the auction goes with someone on the barrel."""

    NORMAL = "normal"
    AUTO = "auto"
    TAKEN = "taken"


@plain
class BarrelWin(StrEnum):
    """What wins from the barrel."""

    POINTS = "points"
    CONTRACT = "contract"


@plain
class BarrelFailed(StrEnum):
    """What a failed own contract on the barrel costs."""

    SUBTRACT = "subtract"
    TRY_USED = "try_used"
    FALL = "fall"


@plain
class BarrelRoom(StrEnum):
    """Whether a newcomer knocks off who sits there."""

    MANY = "many"
    NEWCOMER = "newcomer"


@plain
class BarrelTogether(StrEnum):
    """What happens to several who arrive in one deal."""

    STAY = "stay"
    ALL_FALL = "all_fall"
    ONE_FALLS = "one_falls"


@plain
class BarrelFallsCount(StrEnum):
    """What counts as a fall."""

    EVERY = "every"
    TRIES = "tries"


@plain
class DumpTruck(StrEnum):
    """Which exact scores become 0."""

    OFF = "off"
    PLUS = "plus"
    PLUS_MINUS = "plus_minus"


@plain
class Golden(StrEnum):
    """How the first deals, as many as players, are played."""

    OFF = "off"
    DOUBLE = "double"
    FORCED_DOUBLE = "forced_double"


@plain
class GoldenDoubles(StrEnum):
    """What a golden deal doubles."""

    POINTS = "points"
    ALL = "all"


@plain
class GoldenFailed(StrEnum):
    """What happens if no golden contract was made."""

    KEEP = "keep"
    ZERO = "zero"
    RESTART = "restart"


@plain
class Settlement(StrEnum):
    """Stakes paid after a match, on top of the score; None = none."""

    DIFFERENCE = "difference"
    PROPORTIONAL = "proportional"
    BANK = "bank"


@plain
class NextDealer(StrEnum):
    """Who deals the next match of a series."""

    LEFT = "left"
    RIGHT_OF_WINNER = "right_of_winner"
