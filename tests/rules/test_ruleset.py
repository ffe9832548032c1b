"""Rulesets: defaults, values in and out, and what is refused."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.rules import options as o
from thousand.rules.catalogue import CATALOGUE
from thousand.rules.errors import InvalidRuleset
from thousand.rules.presets import PRESETS, ruleset_from
from thousand.rules.restrictions import PARENTS
from thousand.rules.ruleset import DEFAULTS, Ruleset
from thousand.rules.values import Choice, Numbers, Span, Subset, Switch


def test_the_catalogue_and_the_fields_are_the_same_options_in_the_same_order() -> None:
    assert [field.name for field in fields(Ruleset)] == list(CATALOGUE)


def test_every_default_is_the_first_value_listed() -> None:
    for name, option in CATALOGUE.items():
        match option.kind:
            case Choice(values=values) if DEFAULTS[name] is not None:
                assert DEFAULTS[name] in values
            case Numbers(values=numbers):
                assert DEFAULTS[name] == numbers[0], name


def test_a_ruleset_is_frozen_and_hashable() -> None:
    ruleset = Ruleset()
    with pytest.raises(FrozenInstanceError):
        ruleset.players = 2  # type: ignore[misc]  # the point of the test
    assert hash(ruleset) == hash(Ruleset())


@pytest.mark.parametrize("name", PRESETS)
def test_a_ruleset_is_pickled_and_copied_whole(name: str) -> None:
    ruleset = PRESETS[name]
    assert pickle.loads(pickle.dumps(ruleset)) == copy.deepcopy(ruleset) == ruleset


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_option_reads_what_it_writes(name: str) -> None:
    kind = CATALOGUE[name].kind
    assert kind.read(name, kind.write(DEFAULTS[name])) == DEFAULTS[name]


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("bad", ["rubbish", 3.5, -1_000_000, {"a": 1}, [7], object()])
def test_every_option_refuses_rubbish_by_name(name: str, bad: object) -> None:
    with pytest.raises(InvalidRuleset, match=f"^{name}: .*allowed: "):
        ruleset_from("browser", {name: bad})


@pytest.mark.parametrize(
    "name", [name for name, option in CATALOGUE.items() if isinstance(option.kind, Numbers | Span)]
)
def test_true_is_no_number(name: str) -> None:
    with pytest.raises(InvalidRuleset, match=name):
        ruleset_from("browser", {name: True})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"barel_at": 900}, "'barel_at' is no option of a ruleset; did you mean 'barrel_at'?"),
        ({"blind": "openin"}, "blind: 'openin' is not a value of this option; allowed: off · opening · progressive"),
        ({"blind": "openin"}, "did you mean 'opening'?"),
        ({"max_bid": 302}, "max_bid: 302 is not a value of this option; allowed: 5 to 600 that is a multiple of 5"),
        ({"redeal_low_hand": ["after_pas"]}, "did you mean 'after_pass'?"),
        ({"redeal_low_hand": "after_pass"}, "allowed: a list of any of before_auction · after_pass, or none"),
        ({"players": 5}, "players: 5 is not a value of this option; allowed: 3 · 2 · 4"),
        ({"early_pass": "yes"}, "early_pass: 'yes' is not a value of this option; allowed: on · off"),
    ],
)  # fmt: skip
def test_a_refusal_names_option_value_and_what_is_allowed(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidRuleset) as error:
        ruleset_from("browser", changes)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("base", "changes", "words"),
    [
        ("browser", {"two_player": "talon_2"}, ("two_player talon_2", "players 3", "it needs players 2")),
        ("browser", {"players": 2}, ("players 2", "two_player none", "exclude each other")),
        ("browser", {"players": 4, "forced_bidder": "dealer"}, ("players 4", "forced_bidder dealer", "sits out")),
        ("browser", {"sitting_dealer": "aces"}, ("sitting_dealer aces", "players 3")),
        ("browser", {"bolt_run": "both"}, ("bolt_run both", "bolt off")),
        ("browser", {"bolt_penalty": 60}, ("bolt_penalty 60", "bolt off")),
        ("browser", {"bank": 250}, ("bank 250", "settlement none")),
        ("browser", {"blind_hides": []}, ("blind_hides none", "blind off")),
        ("browser", {"golden": "double", "golden_raise": "on"}, ("golden_raise on", "golden double")),
        ("browser", {"golden_doubles": "all"}, ("golden_doubles all", "golden off")),
        ("browser", {"revoke_fine": 60}, ("revoke_fine 60", "revoke reject")),
        ("browser", {"redeal_talon_mode": "must"}, ("redeal_talon_mode must", "redeal_talon off")),
        ("classic", {"redeal_dealer": "next"}, ("redeal_dealer next", "redeal_four_nines none")),
        ("classic", {"write_off_limit": 3}, ("write_off_limit 3", "write_off off")),
        ("club", {"barrel_tries": 2}, ("barrel_tries 2", "barrel_at none")),
        ("club", {"cap_enforcement": "penalty"}, ("cap_enforcement penalty", "bid_cap none")),
        ("club", {"first_speaker": "right_of_dealer"}, ("first_speaker right_of_dealer", "opening at_least")),
        ("intro-2", {"first_speaker": "right_of_dealer"}, ("first_speaker right_of_dealer", "players 2")),
        ("classic-2", {"leftover_talon": "last_trick"}, ("leftover_talon last_trick", "two_talons_of_2")),
        ("browser", {"barrel_at": "none", "win_without_barrel": "off"}, ("win_without_barrel off", "barrel_at none")),
        ("browser", {"max_bid": 95}, ("max_bid 95", "opening_bid 100")),
        ("browser", {"max_bid": 115, "blind": "opening"}, ("max_bid 115", "blind opening")),
        ("browser", {"max_bid": 115, "golden": "forced_double"}, ("max_bid 115", "golden forced_double")),
    ],
)
def test_what_has_no_effect_or_no_meaning_is_refused_naming_both(
    base: str, changes: dict[str, object], words: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidRuleset) as error:
        ruleset_from(base, changes)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("base", "changes", "players"),
    [
        ("browser", {"max_bid": 100}, 3),
        ("browser", {"max_bid": 120, "golden": "forced_double", "blind": "progressive"}, 3),
        ("browser", {"max_bid": 600}, 3),
        ("browser", {"players": 4}, 4),
        ("classic-4", {"players": 3}, 3),
        ("headon", {"players": 3}, 3),
        ("browser", {"redeal_dealer": "next"}, 3),
    ],
)
def test_what_has_a_meaning_is_accepted(base: str, changes: dict[str, object], players: int) -> None:
    assert ruleset_from(base, changes).players == players


def test_switching_off_a_parent_takes_what_is_below_it_back_to_the_defaults() -> None:
    ruleset = ruleset_from("online-full", {"blind": "off", "write_off": "off", "barrel_at": None})
    for parent in PARENTS:
        if not parent.on(getattr(ruleset, parent.option)):
            for child in parent.children:
                assert getattr(ruleset, child) == DEFAULTS[child]
    assert ruleset.win_without_barrel
    assert ruleset_from("headon", {"players": 3}) == PRESETS["online"]
    assert (
        ruleset_from("browser", {"redeal_dealer": "next"}).redeal_dealer is o.RedealDealer.NEXT
    )  # kept: the preset knows a redeal
    gone = ruleset_from(ruleset_from("browser", {"redeal_dealer": "next"}), {"redeal_four_nines": []})
    assert gone.redeal_dealer is o.RedealDealer.SAME


def test_none_on_and_off_may_be_python_values() -> None:
    ruleset = ruleset_from("browser", {"barrel_at": None, "early_pass": True, "bid_floor": "none", "pass_shown": "on"})
    assert (ruleset.barrel_at, ruleset.early_pass, ruleset.bid_floor, ruleset.pass_shown) == (None, True, None, True)


def test_needs_is_what_is_missing_but_at_least_the_target() -> None:
    assert PRESETS["browser"].needs == 120  # 880 of 1000
    assert PRESETS["intro"].needs == 121  # 880 of 1001
    assert PRESETS["online-full"].needs == 125  # 880 of 1005
    assert PRESETS["barrel800"].needs == 200  # 800 of 1000
    assert PRESETS["club"].needs == 0  # no barrel


def test_bank_counts_only_under_settlement_bank() -> None:
    assert Ruleset().to_dict()["bank"] == 0
    assert Ruleset.from_dict(Ruleset().to_dict()).bank == 100
    assert ruleset_from("browser", {"settlement": "bank"}).to_dict()["bank"] == 100
    assert ruleset_from("bank", {"bank": 0}).to_dict()["bank"] == 0
    assert ruleset_from("bank", {"bank": 0}).bank == 0


def test_allowed_texts() -> None:
    assert Span(-5, 5, none=True).allowed == "-5 to 5 · none"
    assert Numbers((1, 2), none=True).allowed == "1 · 2 · none"
    assert Choice(o.BidCap, none=True).allowed == "marriages · needs_marriage · none"
    assert Switch().allowed == "on · off"
    assert Subset(o.BlindHides).write(frozenset({o.BlindHides.PASS, o.BlindHides.TALON})) == ["talon", "pass"]


def values_of(name: str) -> st.SearchStrategy[object]:
    """Any value an option has."""
    match CATALOGUE[name].kind:
        case Choice(values=values, none=none):
            return st.sampled_from([*(v.value for v in values), *(["none"] if none else [])])
        case Switch():
            return st.sampled_from(["on", "off"])
        case Numbers(values=numbers, none=none):
            return st.sampled_from([*numbers, *(["none"] if none else [])])
        case Span(low=low, high=high, step=step):
            return st.integers(low // step, high // step).map(lambda n: n * step)
        case Subset(values=members):
            return st.lists(st.sampled_from([m.value for m in members]), unique=True)


@given(st.sampled_from(sorted(PRESETS)), st.data())
def test_whatever_is_accepted_round_trips(base: str, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(CATALOGUE)), max_size=4, unique=True))
    changes = {name: data.draw(values_of(name)) for name in names}
    try:
        ruleset = ruleset_from(base, changes)
    except InvalidRuleset as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert any(name in refusal for name in changes)
        return
    assert Ruleset.from_dict(ruleset.to_dict()) == ruleset
    for name, value in changes.items():
        if name != "bank":
            written = ruleset.to_dict()[name]
            assert set(written) == set(value) if isinstance(written, list) else written == value  # type: ignore[call-overload]
