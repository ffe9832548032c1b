"""A referee as a process: its addresses, stopping, its parent's end."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives import serialization

from referee.auth import Keys
from referee.server import Referee
from tests.support.processes import gone
from tests.support.referees import LONG, PRIVATE, court, short_rules


class Process:
    """`python -m referee`."""

    def __init__(self, folder: Path, *options: str) -> None:
        key = folder / "public_key.pem"
        write_key(key)
        command = [sys.executable, "-m", "referee", "--public-key", str(key), *options]
        self.popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.popen.stdout is not None
        self.line = self.popen.stdout.readline()

    @property
    def told(self) -> dict[str, Any]:
        """Its first line."""
        told: dict[str, Any] = json.loads(self.line)
        return told


async def test_b63_sigterm_tells_bots_ends_matches_and_exits_with_0(tmp_path: Path) -> None:
    process = await asyncio.to_thread(Process, tmp_path, "--unattended", "--drain", "1")
    try:
        async with court() as here:  # its channel and helpers, its referee replaced
            await here.channel.close()
            here.channel = grpc.aio.insecure_channel(process.told["service"])
            here.referee.bots_address = process.told["bots"]
            names = [f"bot{n}" for n in range(18)]
            bots = [await here.bot(name) for name in names]
            rules = short_rules(deals=200)
            jobs = [
                here.hosting(
                    bots=names[n * 3 : n * 3 + 3], match_id=f"match-{n}", block_id=f"b{n}", ruleset=rules, clocks=LONG
                )
                for n in range(6)
            ]
            idle = await here.bot("idle")
            await here.until(lambda: all(hosted.entries for hosted, _ in jobs))
            begun = time.monotonic()
            process.popen.send_signal(signal.SIGTERM)
            await here.until(lambda: idle.code is not None, 1.5)
            assert idle.items("goodbye")[0].reconnect
            refused_one = await here.host(bots=names[:3], match_id="match-x", block_id="x")
            assert refused_one.code is grpc.StatusCode.UNAVAILABLE
            await asyncio.wait_for(asyncio.gather(*(task for _, task in jobs)), 6)
            for hosted, _ in jobs:
                assert hosted.record is not None or hosted.code is grpc.StatusCode.UNAVAILABLE
            await here.until(lambda: all(bot.code is not None for bot in bots))
            assert all(bot.items("goodbye") for bot in bots)
            code = await asyncio.to_thread(process.popen.wait, 5)
            assert code == 0
            assert time.monotonic() - begun < 1 + 4
        assert process.popen.stderr is not None
        for line in process.popen.stderr.read().splitlines():
            logged = json.loads(line)
            assert logged["event"]
            assert "eyJ" not in line  # no token
    finally:
        process.popen.kill()
        process.popen.wait()
        for pipe in (process.popen.stdout, process.popen.stderr):
            assert pipe is not None
            pipe.close()


def test_the_process_ends_with_its_parent(tmp_path: Path) -> None:
    key = tmp_path / "public_key.pem"
    write_key(key)
    code = (
        "import subprocess, sys, time\n"
        f"command = [sys.executable, '-m', 'referee', '--public-key', {str(key)!r}, '--die-with-parent']\n"
        "child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)\n"
        "print(child.stdout.readline(), flush=True)\n"
        "time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = json.loads(parent.stdout.readline())["pid"]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(child, 5)


def test_a_key_that_is_not_there_is_said_plainly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "--public-key", str(tmp_path / "none.pem")]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "none.pem" in ended.stderr


def write_key(file: Path) -> None:
    """The tests' public key."""
    pem = PRIVATE.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    file.write_bytes(pem)


async def test_plaintext_beyond_this_machine_is_refused() -> None:
    referee = Referee(Keys([PRIVATE.public_key()]))
    with pytest.raises(ValueError, match="--tls-cert"):
        await referee.start("0.0.0.0:0")


async def test_one_address_is_one_processs() -> None:
    async with court() as here:
        second = Referee(Keys([PRIVATE.public_key()]))
        with pytest.raises(RuntimeError):
            await second.start(here.referee.bots_address)
