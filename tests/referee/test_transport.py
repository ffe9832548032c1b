"""How gRPC waits in a referee: settled before it is imported, for versions known to need it, never against the user."""

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from referee.transport import ONE_THREAD, VARIABLE, experiments

_TOLD = f"""
import os, runpy, sys

class Spy:
    def find_spec(self, name, path=None, target=None):
        if name == "grpc":
            print(os.environ.get({VARIABLE!r}))

sys.meta_path.insert(0, Spy())
sys.argv = ["referee", "--public-key", "/nowhere"]
runpy.run_module("referee", run_name="__main__")
"""


def settled(**environment: str) -> str:
    """What a referee's process has set when it comes to import gRPC."""
    others = {name: value for name, value in os.environ.items() if name != VARIABLE}
    command = [sys.executable, "-c", _TOLD]
    done = subprocess.run(command, env=others | environment, check=False, capture_output=True, text=True, timeout=50)
    assert "No such file" in done.stderr, done.stderr  # and nothing was played
    return done.stdout.strip()


def test_the_installed_grpc_is_one_that_was_looked_at() -> None:
    assert experiments(version("grpcio")) == ONE_THREAD, "does this gRPC still know these experiments? see transport"
    assert settled() == ONE_THREAD


def test_what_the_user_has_set_stays() -> None:
    assert settled(**{VARIABLE: "-tcp_frame_size_tuning"}) == "-tcp_frame_size_tuning"


@pytest.mark.parametrize("other", ["1.76.0", "1.79.9", "1.86.0", "2.0.0", "unknown"])
def test_other_versions_are_left_alone(other: str) -> None:
    assert experiments(other) is None


# What the referee's thread gains is lost where the setting comes too late, or gRPC has forgotten it.
_SWITCHES = """
import asyncio, os, grpc

def switches():
    found = 0
    for task in os.listdir("/proc/self/task"):
        for line in open(f"/proc/self/task/{task}/status"):
            if line.startswith("voluntary"):
                found += int(line.split()[1])
    return found

async def echo(requests, context):
    async for request in requests:
        yield request

async def main():
    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("Echo", {"Play": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.stream_stream("/Echo/Play")()
        before = 0
        for number in range(400):
            if number == 100:
                before = switches()
            await call.write(b"x" * 100)
            await call.read()
        print((switches() - before) / 300)
    await server.stop(0)

asyncio.run(main())
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts thread switches as Linux tells them")
def test_a_message_passes_fewer_threads() -> None:
    def counted(value: str) -> float:
        environment = os.environ | {VARIABLE: value}
        command = [sys.executable, "-c", _SWITCHES]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=50)
        return float(done.stdout)

    assert counted(ONE_THREAD) < 0.7 * counted(ONE_THREAD.replace("-", ""))
