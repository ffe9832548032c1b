"""The options that say what a tournament does about bots that are not there."""

from typing import Annotated, Final

import typer

from thousand.v1.absence_pb2 import NO_SHOW_POLICY_LAST, NO_SHOW_POLICY_UNRATED, Absence

NoShow = Annotated[
    str, typer.Option(help="Matches of a bot that never comes: unrated, or rated with it in the last place.")
]
Postponements = Annotated[
    int | None, typer.Option(help="How often a block waits for absent bots (default 6).", min=0, max=1000)
]
Postpone = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="How long it waits each time (default 5).", min=0.1, max=86_400)
]
_POLICIES: Final = {"unrated": NO_SHOW_POLICY_UNRATED, "last": NO_SHOW_POLICY_LAST}


def absence_wanted(no_show: str, postponements: int | None, postpone: float | None) -> Absence:
    """What is to happen to absent bots. Exits naming all words if there is no such policy."""
    if no_show not in _POLICIES:
        raise typer.BadParameter(f"{no_show!r} is no policy: choose of {', '.join(_POLICIES)}", param_hint="--no-show")
    wait = None if postpone is None else round(postpone * 1000)
    return Absence(no_show=_POLICIES[no_show], postponements=postponements, postpone_ms=wait)
