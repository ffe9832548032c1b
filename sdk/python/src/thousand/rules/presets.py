"""The presets of RULES 6: the rule systems people play, each as what it changes of another. Frozen once released."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from thousand.rules.errors import InvalidRuleset
from thousand.rules.ruleset import Ruleset, derived
from thousand.rules.values import nearest

_BOTH: Final = ("before_auction", "after_pass")

# name -> (base, what differs from it); the base stands first. "" = the defaults of RULES 3.
_SOURCES: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "classic": ("", {
        "cut_ritual": "may", "raise_step": "exact", "bid_cap": "needs_marriage", "first_lead": "forehand",
        "defender_rounding": "none", "bolt": "no_points", "barrel_auction": "taken", "barrel_target": 121,
        "barrel_failed": "try_used",
    }),
    "classic-2": ("classic", {"players": 2, "two_player": "two_talons_of_2"}),
    "classic-4": ("classic", {"players": 4, "sitting_dealer": "talon_points", "first_speaker": "right_of_dealer"}),
    "online": ("", {
        "forced_bidder": "dealer", "write_off": "sixty", "write_off_until": "pass", "write_off_barrel": "allowed",
        "write_off_golden": "allowed", "bolt": "off", "win_without_barrel": False, "pass_shown": True,
        "barrel_failed": "subtract",
    }),
    "online-full": ("online", {
        "bid_floor": -120, "redeal_talon": "below_5", "redeal_four_nines": _BOTH, "redeal_low_hand": _BOTH,
        "bolt": "no_points", "bolt_run": "both", "barrel_resets_after": 3, "barrel_room": "newcomer",
        "barrel_together": "all_fall", "dump_truck": "plus", "write_off": "half", "write_off_cost": "free",
        "write_off_limit": 3, "write_off_penalty": 120, "write_off_barrel": "forbidden_if_free",
        "write_off_golden": "forbidden_if_free", "golden": "forced_double", "golden_failed": "restart",
        "golden_raise": True, "marriage_first_lead": True, "ace_marriage": "first_ace", "win_score": 1005,
        "blind": "opening", "blind_hides": ("pass",), "trump_lead": "announcer", "talon_shown": "unless_forced",
        "declarer_rounding": "rounded",
    }),
    "intro": ("", {
        "cut_ritual": "must", "bid_cap": "needs_marriage", "cap_enforcement": "penalty",
        "marriage_announce": "automatic", "defender_rounding": "none", "barrel_turn": "own_hundred",
        "barrel_auction": "taken", "barrel_target": 121, "barrel_failed": "fall", "barrel_resets_after": 3,
        "barrel_freezes_others": True, "win_without_barrel": False, "win_score": 1001, "settlement": "difference",
        "next_dealer": "right_of_winner",
    }),
    "intro-4": ("intro", {"players": 4, "sitting_dealer": "aces"}),
    "intro-2": ("intro", {"players": 2, "two_player": "talon_2"}),
    "intro-2x4": ("intro", {"players": 2, "two_player": "talon_4"}),
    "intro-dummy": ("intro", {"players": 2, "two_player": "dummy"}),
    "headon": ("online", {"players": 2, "two_player": "two_talons_of_3", "leftover_talon": "last_trick"}),
    "barrel800": ("online", {"barrel_at": 800, "ace_marriage": "lead"}),
    "browser": ("", {
        "write_off": "half", "write_off_until": "lead", "redeal_four_nines": ("after_pass",), "bolt": "off",
    }),
    "tournament": ("browser", {}),
    "club": ("", {
        "opening_bid": 80, "opening": "at_least", "early_pass": True, "bid_cap": "none",
        "talon_shown": "unless_forced", "marriage_first_lead": True, "marriage_card": "queen",
        "marriage_scored": "if_trick", "trump_lead": "announcer", "revoke": "penalty", "bolt": "off",
        "barrel_at": "none",
    }),
    "club-4": ("club", {"players": 4, "sitting_dealer": "none"}),
    "preferans": ("", {
        "cut_ritual": "may", "redeal_four_nines": ("before_auction",), "redeal_three_nines_on_hundred": True,
        "redeal_low_hand": ("before_auction",), "redeal_talon": "below_5", "redeal_talon_when": "any",
        "talon_shown": "unless_forced", "defender_rounding": "none", "barrel_target": 121, "barrel_win": "contract",
        "barrel_failed": "try_used", "barrel_room": "newcomer", "barrel_together": "all_fall",
        "barrel_falls_count": "tries", "barrel_resets_after": 3, "win_without_barrel": False,
    }),
    "preferans-full": ("preferans", {
        "ace_marriage": "lead", "bid_floor": -120, "dump_truck": "plus", "blind": "progressive",
        "golden": "forced_double",
    }),
    "preferans-2": ("preferans", {"players": 2, "two_player": "two_talons_of_3", "leftover_talon": "last_trick"}),
    "preferans-4": ("preferans", {"players": 4, "sitting_dealer": "talon_points"}),
    "sailors": ("preferans", {
        "cut_ritual": "off", "raise_step": "exact", "bid_cap": "none", "talon_shown": "always",
        "redeal_talon": "below_5_or_two_nines", "redeal_talon_when": "any", "barrel_auction": "auto",
        "barrel_win": "points", "barrel_freezes_others": True, "blind": "progressive", "settlement": "proportional",
    }),
    "sailors-full": ("sailors", {
        "ace_marriage": "lead", "bid_floor": -120, "talon_shown": "unless_forced", "write_off": "sixty",
        "write_off_cost": "first_free", "dump_truck": "plus_minus", "blind": "opening",
        "blind_outbid": "needs_marriage", "golden": "forced_double",
    }),
    "sailors-2": ("sailors", {"players": 2, "two_player": "two_talons_of_2"}),
    "sailors-4": ("sailors", {"players": 4, "sitting_dealer": "talon_points"}),
    "bank": ("", {
        "opening": "at_least", "redeal_four_nines": ("before_auction",), "redeal_low_hand": ("before_auction",),
        "redeal_talon": "below_5_or_two_nines", "redeal_talon_when": "any", "talon_shown": "unless_forced",
        "ace_marriage": "lead", "barrel_failed": "try_used", "barrel_room": "newcomer",
        "barrel_together": "one_falls", "write_off": "half", "dump_truck": "plus_minus", "settlement": "bank",
    }),
    "bank-golden": ("bank", {"golden": "forced_double", "golden_doubles": "all", "golden_failed": "zero"}),
}  # fmt: skip


def _build() -> dict[str, Ruleset]:
    built = {"": Ruleset()}
    for name, (base, changes) in _SOURCES.items():
        built[name] = derived(built[base], changes)
    del built[""]
    return built


PRESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(_build())
BASES: Final[Mapping[str, str]] = {name: base for name, (base, _) in _SOURCES.items()}  # "" = the defaults


def preset(name: str) -> Ruleset:
    """The preset of this name. Raises InvalidRuleset, with the closest name."""
    found = PRESETS.get(name)
    if found is None:
        raise InvalidRuleset(f"there is no preset {name!r}{nearest(name, PRESETS)}; presets: {', '.join(PRESETS)}")
    return found


def one_deal(ruleset: Ruleset) -> Ruleset:
    """The ruleset of a match of one deal, played from level scores as after the golden deals."""
    return derived(ruleset, {"golden": "off", "max_deals": 1})


def ruleset_from(base: str | Ruleset, overrides: Mapping[str, object]) -> Ruleset:
    """A preset (or ruleset) with overrides. Raises InvalidRuleset, so for an override that would have no effect."""
    return derived(base if isinstance(base, Ruleset) else preset(base), overrides)
