"""Where a block is seated: only with instances that said they play its preset, or that play everything."""

import pytest

from workers.model import Block, BlockState, Instance, Lease, Player, RefereePresence
from workers.scheduler import find_seats

PLAYERS = (Player("a"), Player("b"))


@pytest.mark.parametrize(
    ("preset", "presets", "seated"),
    [
        ("headon", (), True),
        ("headon", ("headon", "classic-2"), True),
        ("classic", ("headon",), False),
        ("", (), True),  # a custom ruleset
        ("", ("headon",), False),
    ],
)
def test_nobody_is_seated_where_it_said_it_does_not_play(preset: str, presets: tuple[str, ...], seated: bool) -> None:
    block = Block("b1", "t1", 0, 1, PLAYERS, ())
    here = RefereePresence("r1", (Instance(PLAYERS[0], "i0"), Instance(PLAYERS[1], "i1", presets=presets)))
    found = find_seats(block, preset, [here], {}, Lease(BlockState.PLANNED))
    assert found.absent == (() if seated else (PLAYERS[1],))
    assert bool(found.instances) is seated
