"""The `arena` command. Each part is also a module of its own, which imports no more than it needs:
`python -m workers.cli.worker`."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "app":
        from workers.cli.main import app

        return app
    raise AttributeError(f"module 'workers.cli' has no attribute {name!r}")
