"""Laws of the engine over random matches: nothing is lost, sums agree, `decision` is exact.

Under every preset and under random valid combinations of options (`ruleset_named`); a thousand of those in soak.
"""

import itertools
import random
from collections.abc import Iterable

import pytest

from tests.support.dsl import fingerprint
from tests.support.walks import KNOWN, every_ruleset, likely, ruleset_named, soak_under, walk
from thousand.rules import (
    CARDS,
    Action,
    ActionKind,
    Event,
    IllegalAction,
    Match,
    Ruleset,
    apply,
    caretaker,
    decision,
    legal_actions,
    new_match,
    preset,
    seed_from_int,
)
from thousand.rules import options as o
from thousand.rules.actions import PASS, TALON, Give, give
from thousand.rules.auction import may_pass_early
from thousand.rules.cards import MARRIAGE_POINTS, PACK
from thousand.rules.events import (
    AceMarriageAnnounced,
    DealScored,
    DealStarted,
    Fined,
    MarriageAnnounced,
    MatchEnded,
    Revoked,
    WrittenOff,
)
from thousand.rules.phases import Phase
from thousand.rules.playing import is_revoke
from thousand.rules.ruleset import derived

STEPS = 700


def cards_on(match: Match) -> list[int]:
    """The sets of cards a deal consists of, once dealt: they must be the pack, without overlap."""
    deal = match.deal
    if deal.chosen < 0:
        talons = deal.talons if deal.declarer < 0 or match.phase is Phase.TALON else []
        talons = [*talons, deal.leftover] if len(deal.talons) == 1 else talons
    else:
        talons = [deal.leftover]
    laid = [1 << card for _, cards, _, _ in deal.tricks for card in cards] + [1 << card for card in deal.trick]
    return [*deal.hands, *talons, *laid]


@every_ruleset
def test_cards_are_conserved(name: str) -> None:
    for match, *_ in walk(ruleset_named(name), 1, STEPS):
        if match.phase in (Phase.CUT, Phase.OVER):
            continue
        sets = cards_on(match)
        assert sum(sets) == PACK
        assert all(one & other == 0 for one, other in itertools.combinations([s for s in sets if s], 2))


def deal_points(events: Iterable[Event]) -> int:
    """120 and what was announced."""
    return 120 + sum(e.points for e in events if isinstance(e, MarriageAnnounced | AceMarriageAnnounced))


@every_ruleset
def test_points_of_a_deal_are_120_and_the_marriages(name: str) -> None:
    rules = ruleset_named(name)
    lost = rules.marriage_scored is o.MarriageScored.IF_TRICK  # some marriages never count
    whole = not lost and (
        rules.two_player is not o.TwoPlayer.TWO_TALONS_OF_3 or rules.leftover_talon is o.LeftoverTalon.LAST_TRICK
    )
    told: list[Event] = []
    deals = 0
    for *_, events in walk(rules, 2, STEPS):
        for event in events:
            if isinstance(event, DealStarted):
                told = []
            elif isinstance(event, DealScored) and not any(isinstance(e, WrittenOff | Revoked) for e in told):
                deals += 1
                assert sum(event.points) <= deal_points(told)
                assert sum(event.points) >= 120 or not whole
                if whole:
                    assert sum(event.points) == deal_points(told)
            told.append(event)
    assert deals


@every_ruleset
def test_rows_sum_to_the_scores(name: str) -> None:
    rules = ruleset_named(name)
    scores = [0] * rules.players
    for match, *_, events in walk(rules, 3, STEPS):
        for event in events:
            if isinstance(event, Fined):
                scores[event.seat] += event.change
            elif isinstance(event, DealScored):
                for row in event.rows:
                    scores[row.seat] += row.change
                assert tuple(scores) == event.scores
        assert scores == match.standings.scores


def unlisted_but_meant(match: Match, action: Action, actions: tuple[Action, ...]) -> bool:
    """Accepted though not listed: the plain form where announcing is automatic, and a revoke under penalty."""
    if match.phase is not Phase.PLAY or action.kind is not ActionKind.PLAY or action.announce:
        return False
    asked = decision(match)
    assert asked is not None
    spoken = any(known.announce and known.card == action.card for known in actions)
    return spoken or is_revoke(match, asked.seat, action, actions)


def some_gives(chance: random.Random, match: Match) -> list[Action]:
    """Ways to pass one to three cards, few of them legal: own and foreign cards, any receiver, one card twice."""
    hands = match.deal.hands  # none before the cut
    own = hands[match.deal.turn] if hands else 0
    cards = [card for card in CARDS if own >> card & 1] or list(CARDS)
    to = [*range(4), TALON]
    return [
        give(*(Give(chance.choice(cards if chance.random() < 0.8 else CARDS), chance.choice(to)) for _ in range(size)))
        for size in (1, 2, 2, 2, 2, 2, 3)
    ]


def accepts(match: Match, action: Action, seat: int) -> bool:
    """Whether `apply` takes it, tried on a clone."""
    try:
        apply(match.clone(), action, seat)
    except IllegalAction:
        return False
    return True


@every_ruleset
def test_decision_lists_exactly_what_apply_accepts(name: str) -> None:
    chance = random.Random(4)
    match = new_match(ruleset_named(name), seed_from_int(4))
    for _ in range(90):
        asked = decision(match)
        if asked is None:
            break
        before = fingerprint(match)
        tried = chance.sample(KNOWN, 40) + some_gives(chance, match)
        for action in tried:
            if action in asked.actions or unlisted_but_meant(match, action, asked.actions):
                continue
            with pytest.raises(IllegalAction):
                apply(match, action)
        for seat in range(match.ruleset.players):
            if seat != asked.seat:
                assert accepts(match, PASS, seat) is may_pass_early(match, seat)
                assert not any(accepts(match, action, seat) for action in asked.actions[:9] if action != PASS)
        assert fingerprint(match) == before
        for action in chance.sample(asked.actions, min(4, len(asked.actions))):
            apply(match.clone(), action, asked.seat)
        assert fingerprint(match) == before, "a clone shares state with its original"
        apply(match, likely(chance, asked))


@every_ruleset
def test_decisions_list_nothing_twice(name: str) -> None:
    for _, asked, *_ in walk(ruleset_named(name), 5, STEPS):
        assert len(set(asked.actions)) == len(asked.actions) > 0
        assert len({str(action) for action in asked.actions}) == len(asked.actions)
        assert all(Action.parse(str(action)) == action for action in asked.actions[:3])


@every_ruleset
def test_the_same_actions_replay_to_the_same_match(name: str) -> None:
    again = new_match(ruleset_named(name), seed_from_int(6))
    for match, asked, seat, action, events in walk(ruleset_named(name), 6, STEPS):
        assert decision(again) == asked
        assert apply(again, action, seat) == events
        assert again.standings == match.standings
    assert fingerprint(again) == fingerprint(match)


@every_ruleset
def test_every_match_ends(name: str) -> None:
    rules: Ruleset = ruleset_named(name)
    chance = random.Random(7)
    match = new_match(rules, seed_from_int(7))
    events: tuple[Event, ...] = ()
    for _ in range(60 * rules.max_deals):
        asked = decision(match)
        if asked is None:
            break
        events = apply(match, likely(chance, asked))
    assert match.result is not None
    assert match.phase is Phase.OVER
    assert legal_actions(match) == ()
    assert isinstance(events[-1], MatchEnded)
    assert match.result.deals <= rules.max_deals
    assert min(match.result.ranking) == 1
    assert all(match.result.ranking[seat] == 1 for seat in match.result.winners)
    assert sum(match.result.settlement) == 0
    with pytest.raises(IllegalAction):
        apply(match, KNOWN[0])


@every_ruleset
def test_b08_the_caretaker_plays_any_match_legally_to_its_end(name: str) -> None:
    match = new_match(derived(ruleset_named(name), {"max_deals": 30}), seed_from_int(8))
    for _ in range(3000):
        asked = decision(match)
        if asked is None:
            break
        action = caretaker(match)
        assert action in asked.actions
        assert action == caretaker(match.clone())
        apply(match, action)
    assert match.result is not None


def test_marriages_are_announced_once_and_for_their_points() -> None:
    for *_, events in walk(preset("browser"), 9, STEPS):
        for event in events:
            if isinstance(event, MarriageAnnounced):
                assert event.points == MARRIAGE_POINTS[event.suit]


LAWS = (
    test_cards_are_conserved,
    test_points_of_a_deal_are_120_and_the_marriages,
    test_rows_sum_to_the_scores,
    test_decision_lists_exactly_what_apply_accepts,
    test_decisions_list_nothing_twice,
    test_the_same_actions_replay_to_the_same_match,
    test_every_match_ends,
    test_b08_the_caretaker_plays_any_match_legally_to_its_end,
)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_all_laws_under_a_thousand_drawn_rulesets(part: int) -> None:
    for name in soak_under(part):
        for law in LAWS:
            law(name)
