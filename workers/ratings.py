"""Ratings of players from the places of one match or block. The only user of trueskill.

Law: the same input gives the same ratings to the last bit, and whatever comes in, numbers come out.
A winner's shown score may fall: tau widens sigma a little each match (field case B42); mu never falls by winning.
"""

import math
import warnings
from collections.abc import Sequence
from functools import cache
from math import isfinite

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its sources hold invalid escapes, which Python tells on the first compile
    import trueskill
    from trueskill.backends import choose_backend

from workers import tails
from workers.model import RatingParameters

Rating = tuple[float, float]  # mu, sigma


class _Anywhere(trueskill.TrueSkill):  # type: ignore[misc]  # it ships no types
    """TrueSkill whose corrections hold at any gap; the library's own raise FloatingPointError over 135 sigmas."""

    v_win = staticmethod(tails.v_win)
    w_win = staticmethod(tails.w_win)
    v_draw = staticmethod(tails.v_draw)
    w_draw = staticmethod(tails.w_draw)


@cache
def _environment(p: RatingParameters) -> _Anywhere:
    if p.draw_probability <= 0:
        raise ValueError("draw_probability must be above 0: a tie at 0 widens sigma")
    cdf, pdf, ppf = choose_backend(None)
    backend = (cdf, pdf, cache(ppf))  # the margin of a draw is asked for in every update, and is always the same
    return _Anywhere(p.mu, p.sigma, p.beta, p.tau, p.draw_probability, backend=backend)


def rate(parameters: RatingParameters, rated: Sequence[tuple[str, Rating, int]]) -> dict[str, Rating]:
    """New ratings of (bot id or key, rating, place). Tied players enter in id order, so that seats have no effect.

    Where floats end (means or sigmas beyond some 1e60, which no fold reaches), the ratings stay as they are.
    """
    environment = _environment(parameters)
    ordered = sorted(rated, key=lambda item: (item[2], item[0]))
    try:
        groups = [(environment.create_rating(mu, sigma),) for _, (mu, sigma), _ in ordered]
        new = environment.rate(groups, ranks=[place for _, _, place in ordered])
    except (ArithmeticError, ValueError):
        return {name: rating for name, rating, _ in ordered}
    found = {name: (float(r.mu), float(r.sigma)) for (name, _, _), (r,) in zip(ordered, new, strict=True)}
    if not all(isfinite(mu) and isfinite(sigma) and sigma > 0 for mu, sigma in found.values()):
        return {name: rating for name, rating, _ in ordered}
    return found


def quality(parameters: RatingParameters, ratings: Sequence[Rating]) -> float:
    """How even a match of these is expected to be, 0 to 1: what `trueskill.quality` computes with matrices, in the
    closed form that teams of one allow, a hundred times faster.
    """
    variances = [parameters.beta**2 + sigma**2 for _, sigma in ratings]
    weight = sum(1 / v for v in variances)
    middle = sum(mu / v for (mu, _), v in zip(ratings, variances, strict=True)) / weight
    apart = sum((mu - middle) ** 2 / v for (mu, _), v in zip(ratings, variances, strict=True))
    even = len(ratings) * parameters.beta ** (2 * len(ratings) - 2) / (math.prod(variances) * weight)
    return math.sqrt(even) * math.exp(-apart / 2)
