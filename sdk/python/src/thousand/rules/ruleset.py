"""What is agreed before a match: one frozen `Ruleset`, a field per option of RULES 3; none that cannot be played."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from thousand.rules import options as o
from thousand.rules.catalogue import CATALOGUE
from thousand.rules.errors import InvalidRuleset
from thousand.rules.restrictions import check, without_orphans
from thousand.rules.values import JsonValue, nearest


@dataclass(frozen=True)
class Ruleset:
    """Every option with its value; the defaults are those of RULES 3. Raises InvalidRuleset.

    None is the option's `none`, booleans are on and off, an empty frozenset is a subset's `none`.
    """

    players: int = 3
    two_player: o.TwoPlayer | None = None
    leftover_talon: o.LeftoverTalon = o.LeftoverTalon.NOBODY
    sitting_dealer: o.SittingDealer | None = o.SittingDealer.TALON_POINTS
    cut_ritual: o.CutRitual = o.CutRitual.OFF
    # the auction
    forced_bidder: o.ForcedBidder = o.ForcedBidder.FOREHAND
    opening: o.Opening = o.Opening.FIXED
    first_speaker: o.FirstSpeaker = o.FirstSpeaker.AFTER_FORCED
    opening_bid: int = 100
    raise_step: o.RaiseStep = o.RaiseStep.MULTIPLE
    early_pass: bool = False
    bid_cap: o.BidCap | None = o.BidCap.MARRIAGES
    cap_enforcement: o.CapEnforcement = o.CapEnforcement.PREVENT
    max_bid: int = 300
    blind: o.Blind = o.Blind.OFF
    blind_outbid: o.BlindOutbid = o.BlindOutbid.ANYONE
    blind_doubles: o.BlindDoubles = o.BlindDoubles.ALL
    blind_hides: frozenset[o.BlindHides] = frozenset({o.BlindHides.TALON, o.BlindHides.PASS})
    bid_floor: int | None = None
    # talon, passing, contract
    talon_shown: o.TalonShown = o.TalonShown.ALWAYS
    pass_shown: bool = False
    contract_raise: bool = True
    write_off: o.WriteOff = o.WriteOff.OFF
    write_off_until: o.WriteOffUntil = o.WriteOffUntil.LEAD
    write_off_cost: o.WriteOffCost = o.WriteOffCost.ALWAYS
    write_off_limit: int | None = None
    write_off_penalty: int | None = None
    write_off_barrel: o.WriteOffBarrel = o.WriteOffBarrel.FORBIDDEN
    write_off_golden: o.WriteOffGolden = o.WriteOffGolden.FORBIDDEN
    # redeals
    redeal_four_nines: frozenset[o.RedealMoment] = frozenset()
    redeal_three_nines_on_hundred: bool = False
    redeal_low_hand: frozenset[o.RedealMoment] = frozenset()
    redeal_talon: o.RedealTalon = o.RedealTalon.OFF
    redeal_talon_when: o.RedealTalonWhen = o.RedealTalonWhen.FORCED
    redeal_talon_mode: o.RedealTalonMode = o.RedealTalonMode.MAY
    redeal_dealer: o.RedealDealer = o.RedealDealer.SAME
    # play
    first_lead: o.FirstLead = o.FirstLead.DECLARER
    marriage_first_lead: bool = False
    marriage_card: o.MarriageCard = o.MarriageCard.KING_OR_QUEEN
    marriage_announce: o.MarriageAnnounce = o.MarriageAnnounce.OPTIONAL
    marriage_scored: o.MarriageScored = o.MarriageScored.AT_ONCE
    trump_lead: o.TrumpLead = o.TrumpLead.ANYONE
    ace_marriage: o.AceMarriage = o.AceMarriage.OFF
    revoke: o.Revoke = o.Revoke.REJECT
    revoke_fine: int = 120
    # scoring
    defender_rounding: o.DefenderRounding | None = o.DefenderRounding.NEAREST_5
    declarer_rounding: o.DeclarerRounding = o.DeclarerRounding.EXACT
    bolt: o.Bolt = o.Bolt.NO_TRICK
    bolt_run: o.BoltRun = o.BoltRun.CUMULATIVE
    bolt_penalty: int = 120
    # the barrel
    barrel_at: int | None = 880
    barrel_turn: o.BarrelTurn = o.BarrelTurn.EVERY_DEAL
    barrel_auction: o.BarrelAuction = o.BarrelAuction.NORMAL
    barrel_target: int = 120
    barrel_win: o.BarrelWin = o.BarrelWin.POINTS
    barrel_tries: int = 3
    barrel_failed: o.BarrelFailed = o.BarrelFailed.SUBTRACT
    barrel_room: o.BarrelRoom = o.BarrelRoom.MANY
    barrel_together: o.BarrelTogether = o.BarrelTogether.STAY
    barrel_falls_count: o.BarrelFallsCount = o.BarrelFallsCount.EVERY
    barrel_resets_after: int | None = None
    barrel_freezes_others: bool = False
    win_without_barrel: bool = True
    win_score: int = 1000
    # the match
    dump_truck: o.DumpTruck = o.DumpTruck.OFF
    golden: o.Golden = o.Golden.OFF
    golden_doubles: o.GoldenDoubles = o.GoldenDoubles.POINTS
    golden_failed: o.GoldenFailed = o.GoldenFailed.KEEP
    golden_raise: bool = False
    settlement: o.Settlement | None = None
    bank: int = 100
    next_dealer: o.NextDealer = o.NextDealer.LEFT
    max_deals: int = 200

    def __post_init__(self) -> None:
        for name, option in CATALOGUE.items():
            object.__setattr__(self, name, option.kind.read(name, getattr(self, name)))
        check(self, DEFAULTS)

    @property
    def needs(self) -> int:
        """Points that win from the barrel (RULES 3 barrel_target); 0 without a barrel."""
        return 0 if self.barrel_at is None else max(self.barrel_target, self.win_score - self.barrel_at)

    def to_dict(self) -> dict[str, JsonValue]:
        """Every option by its name, JSON-able: `on`/`off`, `none`, numbers, lists. `bank` is 0 where it counts not."""
        written = {name: option.kind.write(getattr(self, name)) for name, option in CATALOGUE.items()}
        return written if self.settlement is o.Settlement.BANK else written | {"bank": 0}

    def __reduce__(self) -> tuple[Callable[[Mapping[str, object]], "Ruleset"], tuple[dict[str, JsonValue]]]:
        """Pickled and copied as it is written: compiled, Python's own way would set the fields of a frozen value."""
        return Ruleset.from_dict, (self.to_dict(),)

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Ruleset":
        """The ruleset written like a preset; an option left out has its default. Raises InvalidRuleset."""
        read = _read(values)
        return cls(**_without_idle_bank(read, read.get("settlement")))


DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Ruleset)}


def derived(base: Ruleset, overrides: Mapping[str, object]) -> Ruleset:
    """`base` with overrides. What they switch off takes the options below it back to their defaults.

    Raises InvalidRuleset, so for an override that would have no effect because what it belongs to is off.
    """
    changed = _read(overrides)
    changed = _without_idle_bank(changed, changed.get("settlement", base.settlement))
    values = {name: getattr(base, name) for name in CATALOGUE} | changed
    return Ruleset(**without_orphans(values, DEFAULTS, keep=frozenset(changed)))


def _read(values: Mapping[str, object]) -> dict[str, Any]:
    read = {}
    for name, value in values.items():
        option = CATALOGUE.get(name)
        if option is None:
            raise InvalidRuleset(f"{name!r} is no option of a ruleset{nearest(str(name), CATALOGUE)}")
        read[name] = option.kind.read(name, value)
    return read


def _without_idle_bank(read: dict[str, Any], settlement: object) -> dict[str, Any]:
    """Without the 0 by which `to_dict` writes a bank that does not count."""
    if read.get("bank") == 0 and settlement is not o.Settlement.BANK:
        return {name: value for name, value in read.items() if name != "bank"}
    return read
