"""A small DSL: one deal scored, its laws checked."""

from collections.abc import Sequence
from typing import Any

from thousand.rules.cards import hand_of, parse_cards
from thousand.rules.events import RowKind
from thousand.rules.presets import ruleset_from
from thousand.rules.ruleset import Ruleset
from thousand.rules.scoring import score_deal
from thousand.rules.standings import DealOutcome, ScoredDeal, Standings


def sheet(scores: Sequence[int], **more: list[Any]) -> Standings:
    """A score sheet; seats in `tries` other than None sit on the barrel."""
    start = Standings.start(len(scores))
    start.scores = list(scores)
    for name, value in more.items():
        assert hasattr(start, name)
        setattr(start, name, value)
    return start


def played(
    ruleset: Ruleset,
    before: Standings,
    points: Sequence[int],
    contract: int = 100,
    declarer: int = 0,
    dealer: int = -1,
    number: int = 12,
    tricks: Sequence[int] | None = None,
    talon: str = "",
    forced_bidder: int | None = None,
    **more: Any,
) -> ScoredDeal:
    """Score a deal. The dealer is the last seat; who has points has a trick, unless `tricks` says otherwise."""
    players = ruleset.players
    dealer %= players
    active = [(dealer + 1 + i) % players for i in range(min(players, 3))]
    outcome = DealOutcome(
        deal_number=number,
        dealer=dealer,
        active=tuple(active),
        forced_bidder=active[0] if forced_bidder is None else forced_bidder,
        declarer=declarer,
        contract=contract,
        points=tuple(points),
        tricks=tuple(tricks) if tricks is not None else tuple(int(p > 0) for p in points),
        talon=hand_of(parse_cards(talon)),
        **more,
    )
    kept = before.copy()
    scored = score_deal(ruleset, before, outcome)
    assert before == kept, "the standings given stay as they were"
    check_rows(before, scored)
    return scored


def check_rows(before: Standings, scored: ScoredDeal) -> None:
    """RULES 5: the rows sum to the new score."""
    for seat, score in enumerate(scored.standings.scores):
        assert before.scores[seat] + sum(row.change for row in scored.rows if row.seat == seat) == score


def rows(scored: ScoredDeal, seat: int) -> list[tuple[RowKind, int]]:
    """A seat's rows."""
    return [(row.kind, row.change) for row in scored.rows if row.seat == seat]


def rules(preset: str, **options: object) -> Ruleset:
    """A preset with options."""
    return ruleset_from(preset, options)
