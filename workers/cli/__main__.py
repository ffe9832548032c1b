"""`python -m workers.cli` is the `arena` command."""

from workers.cli import app

if __name__ == "__main__":
    app(prog_name="arena")
