"""`python -m workers.cli` is the `arena` command."""

from workers.cli.main import app

if __name__ == "__main__":
    app(prog_name="arena")
