"""Random rulesets, score sheets and outcomes of deals to compare on; everything from one random.Random."""

import random
from typing import Any

from tests.reference.pack import RANKS_LOW_TO_HIGH, SUITS, Rules, deal_out, seats_dealt
from tests.reference.scoring import Outcome, Sheet, is_golden, needs

MOMENTS: list[list[str]] = [[], ["before_auction"], ["after_pass"], ["before_auction", "after_pass"]]
HIDES: list[list[str]] = [["talon", "pass"], ["talon"], ["pass"], []]
SWITCH = ["off", "on"]
# RULES 3, in its order; numbers by a few examples
VALUES: dict[str, list[Any]] = {
    "leftover_talon": ["nobody", "last_trick"],
    "sitting_dealer": ["talon_points", "aces", "none"],
    "cut_ritual": ["off", "may", "must"],
    "forced_bidder": ["forehand", "dealer"],
    "opening": ["fixed", "at_least"],
    "first_speaker": ["after_forced", "right_of_dealer"],
    "opening_bid": [100, 80],
    "raise_step": ["multiple", "exact"],
    "early_pass": SWITCH,
    "bid_cap": ["marriages", "needs_marriage", "none"],
    "cap_enforcement": ["prevent", "penalty"],
    "max_bid": [300, 200, 420],
    "blind": ["off", "opening", "progressive"],
    "blind_outbid": ["anyone", "needs_marriage"],
    "blind_doubles": ["all", "declarer"],
    "blind_hides": HIDES,
    "bid_floor": ["none", -120],
    "talon_shown": ["always", "unless_forced"],
    "pass_shown": SWITCH,
    "contract_raise": SWITCH,
    "write_off": ["off", "half", "sixty"],
    "write_off_until": ["lead", "pass"],
    "write_off_cost": ["always", "first_free", "free"],
    "write_off_limit": ["none", 3],
    "write_off_penalty": ["none", 120],
    "write_off_barrel": ["forbidden", "forbidden_if_anyone", "forbidden_if_free", "allowed"],
    "write_off_golden": ["forbidden", "forbidden_if_free", "allowed"],
    "redeal_four_nines": MOMENTS,
    "redeal_three_nines_on_hundred": SWITCH,
    "redeal_low_hand": MOMENTS,
    "redeal_talon": ["off", "below_5", "below_5_or_two_nines"],
    "redeal_talon_when": ["forced", "any"],
    "redeal_talon_mode": ["may", "must"],
    "redeal_dealer": ["same", "next"],
    "first_lead": ["declarer", "forehand"],
    "marriage_first_lead": SWITCH,
    "marriage_card": ["king_or_queen", "queen"],
    "marriage_announce": ["optional", "automatic"],
    "marriage_scored": ["at_once", "if_trick"],
    "trump_lead": ["anyone", "announcer"],
    "ace_marriage": ["off", "first_ace", "lead"],
    "revoke": ["reject", "penalty"],
    "revoke_fine": [120, 60],
    "defender_rounding": ["nearest_5", "none"],
    "declarer_rounding": ["exact", "rounded"],
    "bolt": ["no_trick", "no_points", "off"],
    "bolt_run": ["cumulative", "consecutive", "both"],
    "bolt_penalty": [120, 60],
    "barrel_at": [880, 900, 800, "none"],
    "barrel_turn": ["every_deal", "own_hundred"],
    "barrel_auction": ["normal", "auto", "taken"],
    "barrel_target": [120, 121],
    "barrel_win": ["points", "contract"],
    "barrel_tries": [3, 2],
    "barrel_failed": ["subtract", "try_used", "fall"],
    "barrel_room": ["many", "newcomer"],
    "barrel_together": ["stay", "all_fall", "one_falls"],
    "barrel_falls_count": ["every", "tries"],
    "barrel_resets_after": ["none", 3],
    "barrel_freezes_others": SWITCH,
    "win_without_barrel": SWITCH,
    "win_score": [1000, 1001, 1005],
    "dump_truck": ["off", "plus", "plus_minus"],
    "golden": ["off", "double", "forced_double"],
    "golden_doubles": ["points", "all"],
    "golden_failed": ["keep", "zero", "restart"],
    "golden_raise": SWITCH,
    "settlement": ["none", "difference", "proportional", "bank"],
}

REDEALS = ["redeal_four_nines", "redeal_low_hand", "redeal_talon", "redeal_three_nines_on_hundred"]


def overrides(chance: random.Random) -> dict[str, Any]:
    """None to twelve options changed; many draws are no valid ruleset, the caller draws again."""
    names = chance.sample(sorted(VALUES), chance.choice((0, 0, 1, 2, 3, 5, 8, 12)))
    changed = {name: chance.choice(VALUES[name]) for name in names}
    if chance.random() < 0.2:  # few presets redeal, and each right is rare
        changed |= {name: chance.choice(VALUES[name][1:]) for name in chance.sample(REDEALS, 2)}
    return changed


def sheet(chance: random.Random, rules: Rules) -> Sheet:
    """A score sheet in mid-match, often on or near a barrel, a third bolt, a dump truck, the golden deals."""
    players: int = rules["players"]
    top: int = rules["win_score"] if rules["barrel_at"] == "none" else rules["barrel_at"]
    near = [top - 5, top - 60, top - 115, 435, 555 - 120, -400, -120, -125, 0]
    scores = [chance.choice((chance.choice(near), chance.randrange(-600, top))) for _ in range(players)]
    tries: list[int | None] = [None] * players
    if rules["barrel_at"] != "none":
        for seat in range(players):
            if chance.random() < 0.3:
                scores[seat], tries[seat] = rules["barrel_at"], chance.randint(1, rules["barrel_tries"])
    scores = [0 if abs(score) == 555 else score for score in scores]
    deal_number = chance.choice((1, 2, players, players, chance.randint(players + 1, 60)))
    dealer = chance.randrange(players)
    hundred = dealer if rules["forced_bidder"] == "dealer" else (dealer + 1) % players
    most_falls = 9 if rules["barrel_resets_after"] == "none" else rules["barrel_resets_after"]
    golden_made: list[bool] = []
    if rules["golden"] == "forced_double":
        golden_made = [chance.random() < 0.3 for _ in range(min(deal_number - 1, players))]
    bolts = [0 if rules["bolt"] == "off" else chance.randrange(3) for _ in range(players)]
    runs = [chance.randint(0, most) if rules["bolt_run"] == "both" else 0 for most in bolts]
    write_offs = [0 if rules["write_off"] == "off" else chance.randrange(4) for _ in range(players)]
    falls = [0 if rules["barrel_at"] == "none" else chance.randrange(most_falls) for _ in range(players)]
    return Sheet(scores, bolts, runs, tries, falls, write_offs, deal_number, dealer, hundred, golden_made)


STACKED = ("9", "9J", "A", "KQ")  # four nines, a low hand, the ace marriage, marriages: what chance deals too rarely


def deck(chance: random.Random, rules: Rules, dealer: int) -> list[str]:
    """A shuffled pack; every third time one hand or talon gets first what options ask about."""
    cards = [suit + rank for suit in SUITS for rank in RANKS_LOW_TO_HIGH]
    chance.shuffle(cards)
    if chance.random() > 1 / 3:
        return cards
    hands, talons = deal_out(rules, seats_dealt(rules, dealer), [str(place) for place in range(24)])
    pile = chance.choice([*hands.values(), *talons])
    ranks = chance.choice(STACKED)
    wanted = [card for card in cards if card[1] in ranks][: len(pile)]
    rest = [card for card in cards if card not in wanted]
    stacked = dict(zip(map(int, pile), wanted, strict=False))
    return [stacked[place] if place in stacked else rest.pop() for place in range(24)]


def outcome(chance: random.Random, rules: Rules, before: Sheet) -> Outcome:
    """A deal's outcome that need not come from real tricks: contracts near what was taken, wins, fines, write-offs."""
    players: int = rules["players"]
    active = [seat for seat in seats_dealt(rules, before.dealer) if seat < players]
    declarer = chance.choice(active)
    taker = None
    forced_golden = rules["golden"] == "forced_double" and is_golden(rules, before.deal_number)
    if forced_golden:
        declarer = before.hundred
    elif rules["barrel_auction"] == "taken" and rules["barrel_at"] != "none":
        order = active[active.index(before.hundred) :] + active[: active.index(before.hundred)]
        order = order[:1] if rules["barrel_turn"] == "own_hundred" else order
        taker = next((seat for seat in order if before.tries[seat] is not None), None)
        declarer = declarer if taker is None else taker
    written_off = rules["write_off"] != "off" and chance.random() < 0.2
    points, tricks = [0] * players, [0] * players
    if not written_off:
        for seat in active:
            tricks[seat] = chance.choice((0, 1, 3, 8))
            points[seat] = chance.choice((0, 13, 60, 118, 120, 123, 125, 160, 230, chance.randrange(300)))
            points[seat] = points[seat] if tricks[seat] else chance.choice((0, 0, 100))
    near = [100, 120, 125, 130, 200, 5 * (points[declarer] // 5)]
    contract = (
        needs(rules) if taker is not None else max(rules["opening_bid"], min(rules["max_bid"], chance.choice(near)))
    )
    contract = max(contract, 120) if forced_golden else contract
    revoked = [seat for seat in active if rules["revoke"] == "penalty" and not written_off and chance.random() < 0.15]
    cards = [suit + rank for suit in "SCDH" for rank in "9JQKTA"]
    return Outcome(
        active=active,
        declarer=declarer,
        contract=contract,
        points=points,
        tricks=tricks,
        blind=rules["blind"] != "off" and taker is None and not forced_golden and chance.random() < 0.3,
        written_off=written_off,
        revoked=frozenset(revoked),
        overbid=rules["cap_enforcement"] == "penalty" and contract > 120 and taker is None and chance.random() < 0.5,
        taker=taker,
        talon=tuple(chance.sample(cards, 3)),
    )
