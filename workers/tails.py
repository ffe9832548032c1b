"""The corrections of TrueSkill's update, right at any gap: far out in the tails the library's own floats end.

`v_*` moves a mean, `w_*` narrows a sigma; both take the difference of two performances and the margin of a draw, in
units of the noise.
"""

import math
from typing import Final

_NEAR: Final = 10.0  # sigmas, up to which floats hold density and tail
_DEPTH: Final = 20  # steps of the continued fraction: enough from there on
_ROOT: Final = math.sqrt(2)
_SCALE: Final = 1 / math.sqrt(2 * math.pi)
_NARROW: Final = 1e-5
_MOST: Final = 1 - 2**-40  # a w of 1 would say that nothing is unknown any more


def v_win(difference: float, margin: float) -> float:
    """For the better placed of two."""
    return _hazard(margin - difference)


def w_win(difference: float, margin: float) -> float:
    """For the better placed of two."""
    z = margin - difference
    if z < _NEAR:
        hazard = _hazard(z)
        return _bounded(hazard * (hazard - z))
    excess = _excess(z)
    return _bounded((z + excess) * excess)


def v_draw(difference: float, margin: float) -> float:
    """For two who share a place; `margin` is above 0."""
    return _draw(difference, margin)[0]


def w_draw(difference: float, margin: float) -> float:
    """For two who share a place; `margin` is above 0."""
    return _draw(difference, margin)[1]


def _draw(difference: float, margin: float) -> tuple[float, float]:
    distance = abs(difference)
    near, far = distance - margin, distance + margin
    if distance * margin < _NARROW and margin < _NARROW:  # as good as a point: all is known of the difference
        return -difference, _bounded(1 - margin * margin / 3)
    if near < _NEAR:
        mass = (math.erfc(near / _ROOT) - math.erfc(far / _ROOT)) / 2
        at_near, at_far = _density(near), _density(far)
    else:  # all divided by the density at the near edge, which may be 0 in floats
        at_near, at_far = 1.0, math.exp(-2 * distance * margin)
        mass = 1 / _hazard(near) - at_far / _hazard(far)
    v = (at_far - at_near) / mass
    w = v * v + (far * at_far - near * at_near) / mass
    return math.copysign(v, -difference), _bounded(w)


def _density(z: float) -> float:
    return _SCALE * math.exp(-z * z / 2)


def _hazard(z: float) -> float:
    """Density over upper tail at z."""
    if z < _NEAR:
        return 2 * _SCALE * math.exp(-z * z / 2) / math.erfc(z / _ROOT)
    return z + _excess(z)


def _excess(z: float) -> float:
    """How much the hazard exceeds z, from _NEAR on: Laplace's continued fraction 1/(z + 2/(z + 3/(z + ...)))."""
    found = z
    for step in range(_DEPTH, 1, -1):
        found = z + step / found
    return 1 / found


def _bounded(w: float) -> float:
    return max(w, 0.0) if w < _MOST else _MOST  # not a number, where floats end: known for certain
