"""`thousand rules`: list the presets, show one by value, check a file of worked cases."""

import json
from pathlib import Path
from typing import Annotated

import typer

from thousand.cases import Verdict, read_cases, run_case
from thousand.rules.presets import preset
from thousand.ruletables import difference, option_rows, options_markdown, preset_rows, presets_markdown, text

rules = typer.Typer(help="The rules: presets, options, worked cases.", no_args_is_help=True)


def mount(app: typer.Typer) -> None:
    """Add `thousand rules …`."""
    app.add_typer(rules, name="rules")


@rules.command("list", epilog="Example: thousand rules list --json")
def list_presets(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The list of presets as in RULES.md.")] = False,
) -> None:
    """All presets: seats, winning score, and where it comes from."""
    if as_json:
        rows = preset_rows()
        typer.echo(json.dumps({r.name: {"players": r.players, "base": r.base, "differs": r.differs} for r in rows}))
    elif markdown:
        typer.echo(presets_markdown(), nl=False)
    else:
        for row in preset_rows():
            typer.echo(f"{row.name:15} {row.players} players, to {row.win_score:4}   {row.source}")


@rules.command(epilog="Example: thousand rules show browser --diff tournament")
def show(
    name: Annotated[str, typer.Argument(metavar="PRESET", help="See `thousand rules list`.")] = "tournament",
    diff: Annotated[str, typer.Option("--diff", metavar="OTHER", help="Only what differs from this preset.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout, as Ruleset.to_dict.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The table of options as in RULES.md.")] = False,
) -> None:
    """Every option of a preset by its value."""
    chosen = preset(name)
    if diff:
        changes = difference(chosen, preset(diff))
        if as_json:
            typer.echo(json.dumps({option: {name: mine, diff: other} for option, mine, other in changes}))
            return
        typer.echo(f"{'option':30} {name:24} {diff}")
        for option, mine, other in changes:
            typer.echo(f"{option:30} {text(mine):24} {text(other)}")
    elif as_json:
        typer.echo(json.dumps(chosen.to_dict()))
    elif markdown:
        typer.echo(options_markdown(name), nl=False)
    else:
        for row in option_rows(chosen):
            typer.echo(f"{row.name:30} {row.value:24} {row.meaning}")


@rules.command("check-cases", epilog="Example: thousand rules check-cases tests/cases/scoring.jsonl")
def check_cases(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Worked cases, one JSON object a line.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Play worked cases; each failure with expected and actual. Exit code 1 if any failed."""
    verdicts = [run_case(case) for case in read_cases(file)]
    for verdict in () if as_json else verdicts:
        _tell(verdict)
    failed = sum(bool(verdict.mismatches) for verdict in verdicts)
    skipped = sum(bool(verdict.skipped) for verdict in verdicts)
    passed = len(verdicts) - failed - skipped
    if as_json:
        told = {v.case.id: [str(mismatch) for mismatch in v.mismatches] for v in verdicts if v.mismatches}
        typer.echo(json.dumps({"passed": passed, "failed": failed, "skipped": skipped, "failures": told}))
    else:
        typer.echo(f"{passed} passed, {failed} failed, {skipped} skipped")
    if failed:
        raise typer.Exit(1)


def _tell(verdict: Verdict) -> None:
    if verdict.skipped:
        typer.echo(f"SKIPPED {verdict.case.id} ({verdict.case.place}): {verdict.skipped}")
    for mismatch in verdict.mismatches:
        typer.echo(f"FAILED {verdict.case.id} ({verdict.case.place}): {mismatch}")
