"""How gRPC waits for the network in a referee; decided before gRPC is imported, or not at all.

Since 1.80 gRPC reads sockets by a pool of threads of its own, so a message passes two more threads before a Python
event loop has it: twelve thread switches for a message and its answer, where four do. Its older way is still there as
an experiment that may be switched off. A referee hosts an eighth more decisions by it (benchmarks/README). Not for a
process that forks, as workers do: what the older way had opened before is of no use after (B57).
"""

import os
from importlib.metadata import version
from typing import Final

VARIABLE: Final = "GRPC_EXPERIMENTS"  # whoever has set it decides
ONE_THREAD: Final = "-event_engine_client,-event_engine_listener"
FIRST, LAST = (1, 80), (1, 85)  # versions known to have the experiments on; one without them would complain


def experiments(grpcio: str) -> str | None:
    """What to set for this version of grpcio, like `1.85.3`; None: nothing."""
    numbers = tuple(int(part) for part in grpcio.split(".")[:2] if part.isdecimal())
    return ONE_THREAD if FIRST <= numbers <= LAST else None


def settle() -> None:
    """Set it for this process, unless somebody has."""
    wanted = experiments(version("grpcio"))
    if wanted is not None:
        os.environ.setdefault(VARIABLE, wanted)
