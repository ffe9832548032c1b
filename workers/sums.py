"""Sums over blocks, from which a mean per deal and its block-clustered 95 % interval follow.

Law: whole numbers only, so that the order of addition and the number of steps never change a bit. Blocks are the
clusters: matches of one block share their players, so they are no independent witnesses.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from thousand.simulator import student_95

NORMAL_95: Final = 1.959963984540054  # 95 % of a normal distribution lie within so many sigmas of its mean


@dataclass(frozen=True, slots=True)
class Sums:
    """Of so many blocks with a deal: points, deals, and the sums of their squares and of their products."""

    blocks: int = 0
    points: int = 0
    deals: int = 0
    points_squared: int = 0
    points_by_deals: int = 0
    deals_squared: int = 0

    def plus(self, points: int, deals: int) -> "Sums":
        """With one block more; one without a deal says nothing of points per deal."""
        if not deals:
            return self
        return Sums(
            self.blocks + 1,
            self.points + points,
            self.deals + deals,
            self.points_squared + points * points,
            self.points_by_deals + points * deals,
            self.deals_squared + deals * deals,
        )

    @property
    def negated(self) -> "Sums":
        """Of the points with their signs turned."""
        return replace(self, points=-self.points, points_by_deals=-self.points_by_deals)

    @property
    def mean(self) -> float:
        """Points per deal; 0 before the first deal."""
        return self.points / self.deals if self.deals else 0.0

    @property
    def half(self) -> float | None:
        """Half the width of the mean's 95 % interval; None with fewer than two blocks.

        The variance of a ratio by linearisation: the squares of what each block's points differ from mean times deals.
        """
        if self.blocks < 2 or not self.deals:
            return None
        p, d = self.points, self.deals
        residuals = d * d * self.points_squared - 2 * p * d * self.points_by_deals + p * p * self.deals_squared
        variance = residuals * self.blocks / ((self.blocks - 1) * d**4)
        return student_95(self.blocks - 1) * math.sqrt(variance)


NONE: Final = Sums()


def share_interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of the share `count` of `total`, which must not be 0."""
    z, share = NORMAL_95, count / total
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
