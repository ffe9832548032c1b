"""What tests of real processes share."""

import time

import psutil


def gone(pid: int, within: float = 5.0) -> bool:
    """Whether the process ends in time (a zombie has ended)."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False
