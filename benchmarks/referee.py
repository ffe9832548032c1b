"""Decisions per second of 30 bots at a referee, journals going to Redis, against a bare grpc.aio echo.

The echo has the same streams and sizes of messages: on each of 30 streams a message as long as an answer is sent, and
one as long as a decision comes back, all 30 at once; `/turns` is against the echo whose streams take turns, three at a
table, as the bots' do; `/settled` is against the echo whose gRPC waits as the referee's does, not as it
comes (`referee.transport`). `referee`: one match a bot at once; `referee_batched`: ten.
"""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import mean

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.measure import figure, interleaved, report
from referee import frames
from referee.outputs import Ask, LastAnswer
from referee.transport import ONE_THREAD, VARIABLE
from referee.views import Views
from thousand.record import Cause
from thousand.rules import PRESETS, apply, decision, new_match, seed_from_int
from thousand.rules.actions import WRITE_OFF
from thousand.v1 import play_pb2
from workers.cli.embedded import DataDir, start_redis

BOTS = 30
SECONDS = 2.0
UNIT = "decisions/s"


class Part:
    """A child process that answers lines; killed at the end."""

    def __init__(self, stack: ExitStack, *command: str, settled: bool = False) -> None:
        """`settled`: gRPC waits as in a referee, not as it comes."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=Path(__file__).parents[1],
            env=os.environ | ({VARIABLE: ONE_THREAD} if settled else {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(self._process.wait)
        stack.callback(self._process.kill)
        self.first = self._line()

    def ask(self, line: str) -> str:
        """Its answer to a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended")
        return line


def sizes() -> tuple[int, int]:
    """Mean bytes of an answer and of a decision, over the decisions of a few matches."""
    answers, decisions = [], []
    for seed in range(3):
        match = new_match(PRESETS["tournament"], seed_from_int(seed))
        views = Views(match)
        number = 0
        last = encoding_last()
        while (asked := decision(match)) is not None and number < 2000:
            asked_before = match.asked[asked.seat]
            index = asked_before * 7919 % len(asked.actions)
            if asked.actions[index] == WRITE_OFF:
                index = (index + 1) % len(asked.actions)
            ask = Ask(asked.seat, asked_before, views.of(asked.seat), asked.actions, (), 5000, 120_000, last)
            decisions.append(len(frames.decision_frame("match-10-123", ask)))
            answer = play_pb2.Answer(match_id="match-10-123", decision_id=asked_before, index=index)
            answers.append(play_pb2.PlayRequest(items=[play_pb2.PlayRequestItem(answer=answer)]).ByteSize())
            apply(match, asked.actions[index])
            number += 1
    return round(mean(answers)), round(mean(decisions))


def encoding_last() -> LastAnswer:
    """What a decision tells of the one before."""
    return LastAnswer(100, 2, Cause.OWN, 0)


def keys(folder: Path) -> tuple[Path, list[str], str]:
    """A public key file, the bots' tokens, the service's token."""
    private = Ed25519PrivateKey.generate()
    file = folder / "public_key.pem"
    file.write_bytes(
        private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    tokens = [
        jwt.encode({"aud": "thousand-bot", "bot": f"bot-{n}", "version": 1, "generation": 0}, private, "EdDSA")
        for n in range(BOTS)
    ]
    return file, tokens, jwt.encode({"aud": "thousand-service"}, private, "EdDSA")


def echo(stack: ExitStack, up: int, down: int, *, settled: bool) -> Part:
    """The clients of an echo server of their own."""
    server = Part(stack, "benchmarks.parts.echo_server", str(down), settled=settled)
    return Part(stack, "benchmarks.parts.echo_clients", server.first.strip(), str(up), str(BOTS), settled=settled)


def main() -> None:
    """Both figures, of one run."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        public_key, tokens, service = keys(folder)
        store, redis_url = start_redis(DataDir(folder / "data"), 0)
        stack.callback(store.stop)
        referee = Part(stack, "referee", "--public-key", str(public_key), "--unattended", "--quiet")
        told = json.loads(referee.first)
        Part(stack, "benchmarks.parts.bots", told["bots"], *tokens)
        hosting = Part(stack, "benchmarks.parts.hosting", told["service"], service, redis_url)
        up, down = sizes()
        bare, settled = echo(stack, up, down, settled=False), echo(stack, up, down, settled=True)
        one, ten, at_once, turns, same = interleaved(
            lambda: float(hosting.ask(f"10 {SECONDS}")),
            lambda: float(hosting.ask(f"100 {SECONDS}")),
            lambda: float(bare.ask(f"{SECONDS} 1")),
            lambda: float(bare.ask(f"{SECONDS} 3")),
            lambda: float(settled.ask(f"{SECONDS} 1")),
        )
    for beside, peer in (("", at_once), ("/turns", turns), ("/settled", same)):
        report(figure(f"referee{beside}", one, peer, UNIT))
        report(figure(f"referee_batched{beside}", ten, peer, UNIT))


if __name__ == "__main__":
    main()
