"""Which options belong to which, and which pairs have no meaning: the reasons a ruleset is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from thousand.rules import options as o
from thousand.rules.errors import InvalidRuleset


@dataclass(frozen=True, slots=True)
class Parent:
    """What must hold for the options below to have any effect."""

    option: str
    on: Callable[[Any], bool]  # of the parent's value
    needs: str  # the value it needs, in words
    children: tuple[str, ...]


PARENTS = (
    Parent("players", lambda n: n == 2, "2", ("two_player",)),
    Parent("players", lambda n: n == 4, "4", ("sitting_dealer",)),
    Parent("players", lambda n: n != 2, "3 or 4: of two, the one after the hundred speaks first", ("first_speaker",)),
    Parent("two_player", lambda v: v is o.TwoPlayer.TWO_TALONS_OF_3, "two_talons_of_3", ("leftover_talon",)),
    Parent("opening", lambda v: v is o.Opening.FIXED, "fixed", ("first_speaker",)),
    Parent("bid_cap", lambda v: v is not None, "marriages or needs_marriage", ("cap_enforcement",)),
    Parent(
        "blind", lambda v: v is not o.Blind.OFF, "opening or progressive",
        ("blind_outbid", "blind_doubles", "blind_hides"),
    ),
    Parent(
        "write_off", lambda v: v is not o.WriteOff.OFF, "half or sixty",
        ("write_off_until", "write_off_cost", "write_off_limit", "write_off_penalty", "write_off_barrel",
         "write_off_golden"),
    ),
    Parent(
        "redeal_talon", lambda v: v is not o.RedealTalon.OFF, "below_5 or below_5_or_two_nines",
        ("redeal_talon_when", "redeal_talon_mode"),
    ),
    Parent("revoke", lambda v: v is o.Revoke.PENALTY, "penalty", ("revoke_fine",)),
    Parent("bolt", lambda v: v is not o.Bolt.OFF, "no_trick or no_points", ("bolt_run", "bolt_penalty")),
    Parent(
        "barrel_at", lambda v: v is not None, "880, 900 or 800",
        ("barrel_turn", "barrel_auction", "barrel_target", "barrel_win", "barrel_tries", "barrel_failed",
         "barrel_room", "barrel_together", "barrel_falls_count", "barrel_resets_after", "barrel_freezes_others",
         "win_without_barrel", "write_off_barrel"),
    ),
    Parent("golden", lambda v: v is not o.Golden.OFF, "double or forced_double", ("golden_doubles",)),
    Parent("golden", lambda v: v is o.Golden.FORCED_DOUBLE, "forced_double", ("golden_failed", "golden_raise")),
    Parent("settlement", lambda v: v is o.Settlement.BANK, "bank", ("bank",)),
)  # fmt: skip


def _redeals(values: Mapping[str, Any]) -> bool:
    return bool(
        values["redeal_four_nines"]
        or values["redeal_three_nines_on_hundred"]
        or values["redeal_low_hand"]
        or values["redeal_talon"] is not o.RedealTalon.OFF
    )


@dataclass(frozen=True, slots=True)
class Clash:
    """Two options whose values together have no meaning."""

    options: tuple[str, str]
    clash: Callable[[Mapping[str, Any]], bool]
    why: str


CLASHES = (
    Clash(
        ("players", "two_player"),
        lambda v: v["players"] == 2 and v["two_player"] is None,
        "two players need to say how the talon is dealt: talon_2, talon_4, two_talons_of_2, two_talons_of_3 or dummy",
    ),
    Clash(
        ("players", "forced_bidder"),
        lambda v: v["players"] == 4 and v["forced_bidder"] is o.ForcedBidder.DEALER,
        "of four players the dealer sits out and cannot hold the forced bid",
    ),
    Clash(
        ("max_bid", "opening_bid"),
        lambda v: v["max_bid"] < v["opening_bid"],
        "the forced opening bid may not exceed the greatest bid",
    ),
    Clash(
        ("max_bid", "blind"),
        lambda v: v["max_bid"] < 120 and v["blind"] is not o.Blind.OFF,
        "a blind bid is 120",
    ),
    Clash(
        ("max_bid", "golden"),
        lambda v: v["max_bid"] < 120 and v["golden"] is o.Golden.FORCED_DOUBLE,
        "a golden contract is 120",
    ),
    Clash(
        ("redeal_dealer", "redeal_four_nines"),
        lambda v: v["redeal_dealer"] is o.RedealDealer.NEXT and not _redeals(v),
        "nothing is ever redealt: every redeal_… option is off",
    ),
)


def check(ruleset: object, defaults: Mapping[str, Any]) -> None:
    """Raise InvalidRuleset if an option has no effect for want of its parent, or two options exclude each other."""
    values = {name: getattr(ruleset, name) for name in defaults}
    for parent in PARENTS:
        if not parent.on(values[parent.option]):
            for child in parent.children:
                if values[child] != defaults[child]:
                    raise InvalidRuleset(
                        f"{child} {shown(values[child])} has no effect with {parent.option} "
                        f"{shown(values[parent.option])}: it needs {parent.option} {parent.needs}"
                    )
    for clash in CLASHES:
        if clash.clash(values):
            first, second = clash.options
            raise InvalidRuleset(
                f"{first} {shown(values[first])} and {second} {shown(values[second])} exclude each other: {clash.why}"
            )


def without_orphans(values: Mapping[str, Any], defaults: Mapping[str, Any], keep: frozenset[str]) -> dict[str, Any]:
    """`values` with each option whose parent is off back at its default, those to `keep` excepted."""
    kept = dict(values)
    for parent in PARENTS:  # a parent stands before what is below its children
        if not parent.on(kept[parent.option]):
            kept |= {child: defaults[child] for child in parent.children if child not in keep}
    if not _redeals(kept) and "redeal_dealer" not in keep:
        kept["redeal_dealer"] = defaults["redeal_dealer"]
    return kept


def shown(value: object) -> str:
    """An option's value as it is written."""
    if isinstance(value, frozenset):
        return "+".join(sorted(map(str, value))) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)
