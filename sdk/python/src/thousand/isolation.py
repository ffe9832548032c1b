"""Runs tasks in forked processes, so that nothing one of them does can be remembered by another.

Law: each task has a process of its own, forked from one that has run none, and ended with it.
"""

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar, cast

T = TypeVar("T")
POSSIBLE: Final = hasattr(os, "fork")  # not on Windows


class ChildLost(RuntimeError):
    """A task's process ended without an answer: it was killed, or it exited by itself."""


def in_children(tasks: Sequence[Callable[[], T]], processes: int) -> Iterator[T]:
    """What each task returns, in their order, so many at once. What a task raises is raised here."""
    running: deque[tuple[int, int]] = deque()
    try:
        for task in tasks:
            if len(running) == processes:
                yield cast("T", _answer(*running.popleft()))
            running.append(_forked(task))
        while running:
            yield cast("T", _answer(*running.popleft()))
    finally:
        for process, end in running:
            os.close(end)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _forked(task: Callable[[], object]) -> tuple[int, int]:
    """The child's process id, and where its answer comes from."""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    code = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(_told(task))
        sys.stdout.flush()
        code = 0
    finally:
        os._exit(code)


def _told(task: Callable[[], object]) -> bytes:
    try:
        return pickle.dumps((True, task()))
    except Exception as error:
        try:
            return pickle.dumps((False, error))
        except Exception:
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _answer(process: int, end: int) -> object:
    with os.fdopen(end, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(process, 0)
    if not data:
        raise ChildLost(f"a bot ended its process (exit code {os.waitstatus_to_exitcode(status)})")
    good, answer = pickle.loads(data)
    if good:
        return answer
    assert isinstance(answer, Exception)
    raise answer
