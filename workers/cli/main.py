"""The commands of `arena`, put together."""

import typer

from workers.cli import demo, doctor, house, ratings, referee, up, worker

app = typer.Typer(
    name="arena",
    help="Run an arena of the card game Thousand, or one of its parts.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command(epilog="Example: arena demo --bots 4 --seed 7 --json")(demo.demo)
app.command(epilog="Example: arena up --data ./data")(up.up)
app.command(epilog="Example: arena referee --data ./data --redis redis://127.0.0.1:6379/0")(referee.referee)
app.command(epilog="Example: arena worker --data ./data --redis redis://127.0.0.1:6379/0")(worker.worker)
app.command("house-bot", epilog="Example: arena house-bot counter --data ./data")(house.house_bot)
app.command(epilog="Example: arena doctor --data ./data --redis redis://127.0.0.1:6379/0")(doctor.doctor)
app.add_typer(ratings.app, name="ratings")
