"""Who takes part in a tournament, as options of commands: by name, or by rule."""

from collections.abc import Sequence
from typing import Annotated, Final

import typer

from thousand.cli.link import split_names
from thousand.v1.entrants_pb2 import EntrantRule, TopOf

Bots = Annotated[str, typer.Option(help="Ids or names, separated by commas; they enter first.")]
Entrants = Annotated[
    list[str],
    typer.Option(
        help="Who enters by rule: all, top:8@LEADERBOARD, tag:X, name:X (* is any characters). May be repeated."
    ),
]
_RULES: Final = "write all, top:8@LEADERBOARD, tag:X or name:X"


def entrants_wanted(bots: str, rules: Sequence[str]) -> tuple[list[str], list[EntrantRule]]:
    """Names and rules of `--bots` and `--entrants`. Exits if nobody is named, or a rule makes no sense."""
    if not bots and not rules:
        raise typer.BadParameter("say who enters: --bots mine,counter,greedy or --entrants all")
    return split_names(bots) if bots else [], [rule_of(text) for text in rules]


def rule_of(text: str) -> EntrantRule:
    """A rule as it is written on the command line."""
    kind, _, subject = text.partition(":")
    if text == "all":
        return EntrantRule(all=True)
    if kind == "tag" and subject:
        return EntrantRule(tag=subject)
    if kind == "name" and subject:
        return EntrantRule(name=subject)
    count, _, board = subject.partition("@")
    if kind == "top" and count.isascii() and count.isdigit() and 0 < int(count) < 1 << 32 and board:
        return EntrantRule(top=TopOf(count=int(count), leaderboard_id=board))
    raise typer.BadParameter(f"{text!r} is no rule: {_RULES}", param_hint="--entrants")


def rule_text(rule: EntrantRule) -> str:
    """The other way round."""
    kind = rule.WhichOneof("rule")
    if kind == "top":
        return f"top:{rule.top.count}@{rule.top.leaderboard_id}"
    return "all" if kind == "all" else f"{kind}:{rule.tag or rule.name}"
