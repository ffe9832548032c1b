"""Control variates: what the cards alone say of a seat's score, as numbers whose mean over all deals is exactly 0.

Law: they follow from the deck as shuffled, before anybody acts; so whoever plays, they add no bias, and what of a score
they explain is luck that can be taken out. Measured (benchmarks, `pairing`): a quarter of the variance of a bot's own
score, but only a few hundredths of a difference on the same cards, from which pairing has taken most of it before.
"""

from collections.abc import Sequence

from thousand.rules import Ruleset, new_match
from thousand.rules.cards import ACES, MARRIAGE_POINTS

PACK = 24
RIDGE = 20.0  # so many decks speak for coefficients of 0
Controls = tuple[float, ...]


def controls(ruleset: Ruleset, seed: bytes, seat: int) -> Controls:
    """Of the first deal for this seat: marriage points and aces in its hand, and whether it holds the forced bid."""
    deal = new_match(ruleset, seed).deal
    forced = (deal.hundred == seat) - 1 / ruleset.players
    if not deal.dealt:  # a cut comes first, so the hands are not known yet
        return 0.0, 0.0, forced
    hand = deal.dealt[seat] if seat < len(deal.dealt) else 0
    size = hand.bit_count()
    marriages = sum(points for suit, points in enumerate(MARRIAGE_POINTS) if hand >> suit * 6 & 0b1100 == 0b1100)
    both = size * (size - 1) / (PACK * (PACK - 1))
    return marriages - both * sum(MARRIAGE_POINTS), (hand & ACES).bit_count() - size * 4 / PACK, forced


class Adjustment:
    """Takes out what earlier decks say that luck explains: so a deck's own result never decides its correction."""

    def __init__(self, count: int) -> None:
        self._squares = [[0.0] * count for _ in range(count)]
        self._products = [0.0] * count
        self._values: list[float] = []
        self._seen: list[Controls] = []

    def adjusted(self, values: Sequence[float], seen: Sequence[Controls]) -> list[float]:
        """These values corrected by all that came before; from now on they count too."""
        coefficients = self._coefficients()
        corrected = [
            value - sum(c * x for c, x in zip(coefficients, known, strict=True))
            for value, known in zip(values, seen, strict=True)
        ]
        self._values += values
        self._seen += seen
        columns = list(zip(*seen, strict=True))
        for i, one in enumerate(columns):
            for j, other in enumerate(columns):
                self._squares[i][j] += sum(a * b for a, b in zip(one, other, strict=True))
        return corrected

    def _coefficients(self) -> list[float]:
        """Least squares with a ridge as strong as RIDGE decks."""
        count = len(self._values)
        if not count:
            return [0.0] * len(self._products)
        mean = sum(self._values) / count
        right = [
            sum((value - mean) * seen[i] for value, seen in zip(self._values, self._seen, strict=True))
            for i in range(len(self._products))
        ]
        left = [list(row) for row in self._squares]
        for i, row in enumerate(left):
            row[i] += RIDGE * max(row[i] / count, 1e-9)
        return solved(left, right)


def solved(left: list[list[float]], right: list[float]) -> list[float]:
    """x of left · x = right, for a positive definite matrix: Gauss' elimination."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    for i in range(size):
        for below in rows[i + 1 :]:
            factor = below[i] / rows[i][i]
            for column in range(i, size + 1):
                below[column] -= factor * rows[i][column]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - sum(rows[i][k] * found[k] for k in range(i + 1, size))) / rows[i][i]
    return found
