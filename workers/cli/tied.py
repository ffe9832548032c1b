"""Runs a command that cannot outlive its parent: `python tied.py PARENT_PID COMMAND…`. Standard library only.

The command replaces this process, so it keeps its pid. Linux kills it when the parent's starting thread ends, however
that ends; elsewhere a small watcher does.
"""

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have this process killed when its parent, `parent`, is gone; at once if it is gone already."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    elif os.fork() == 0:
        _watch(parent, os.getppid())
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int, child: int) -> None:
    while _alive(parent) and os.getppid() == child:
        time.sleep(0.2)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os._exit(0)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
