"""Beyond this machine: a match of bots that reach arena and referee by TLS alone, under a certificate of our own."""

import datetime
import ipaddress
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.e2e.conftest import eventually
from thousand.v1.arena_pb2 import ListRefereesRequest
from thousand.v1.arena_pb2_grpc import ArenaServiceStub
from workers.cli.embedded import DataDir, start_redis
from workers.cli.processes import Child, start, stop_all

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180), pytest.mark.xdist_group("e2e")]
ELSEWHERE = "ipv4:127.0.0.1"  # gRPC's long form of an address, which we do not take for this machine
BOTS = ["counter", "greedy", "random"]


def certify(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 and its key, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "an arena")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    encrypted = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encrypted)
    (folder / "key.pem").write_bytes(pem)
    return folder / "cert.pem", folder / "key.pem"


class Far:
    """An arena whose public addresses speak TLS."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.certificate, key = certify(folder)
        self.lock = DataDir(folder / "data")
        redis, url = start_redis(self.lock)
        self.children: list[Child] = [redis]
        tls = ["--tls-cert", str(self.certificate), "--tls-key", str(key)]
        up = self.part("up", "--redis", url, "--listen", "0.0.0.0:0", "--json", *tls, ready=True).first_json()
        self.address, self.key = str(up["arena"]).replace("0.0.0.0", ELSEWHERE), str(up["organiser_key"])
        listening = ["--bots", "0.0.0.0:0", "--host", ELSEWHERE, *tls]
        self.referee = self.part("referee", "--json", *listening, ready=True).first_json()
        self.part("worker")

    def part(self, name: str, *options: str, ready: bool = False, trusting: bool = True) -> Child:
        """One process of the arena."""
        command = [sys.executable, "-m", f"workers.cli.{name.partition(' ')[0]}", *name.split()[1:]]
        command += ["--data", str(self.folder / "data"), *options]
        log = self.folder / f"{name}.log"
        env = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(self.certificate)} if trusting else {}
        child = start(name, command, log=log, env=env, ready=ready)
        self.children.append(child)
        return child

    def thousand(self, *words: str, trusting: bool = True) -> "subprocess.CompletedProcess[str]":
        """`thousand …` by somebody who trusts the certificate, or does not."""
        env = {**os.environ, "THOUSAND_SERVER": self.address, "THOUSAND_KEY": self.key}
        env |= {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(self.certificate)} if trusting else {}
        command = [str(Path(sys.executable).with_name("thousand")), *words]
        return subprocess.run(command, check=False, env=env, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Far]:
    made = Far(tmp_path_factory.mktemp("far"))
    yield made
    stop_all(list(reversed(made.children)))
    made.lock.release()


def test_a_match_is_played_by_tls_alone(far: Far) -> None:
    assert str(far.referee["bots"]).startswith(ELSEWHERE)
    for name in BOTS:
        far.part(f"house {name}", "--server", far.address)

    def here() -> bool:
        listed = json.loads(far.thousand("bot", "list", "--json").stdout)["bots"]
        return {bot["name"] for bot in listed if bot["presence"]} >= set(BOTS)

    eventually("the bots connect", here, 60)
    done = far.thousand("match", "create", "--bots", ",".join(BOTS), "--json")
    assert done.returncode == 0, done.stderr
    match = json.loads(done.stdout)
    assert match["state"] == "finished"
    assert not any(seat["strikes"] for seat in match["outcome"]["conduct"])


def test_who_does_not_trust_the_certificate_does_not_connect(far: Far) -> None:
    done = far.thousand("bot", "list", trusting=False)
    assert done.returncode == 3
    assert "CERTIFICATE_VERIFY_FAILED" in done.stderr


def test_plaintext_is_not_answered_there(far: Far) -> None:
    with grpc.insecure_channel(far.address) as channel, pytest.raises(grpc.RpcError) as refused:
        ArenaServiceStub(channel).ListReferees(ListRefereesRequest(), timeout=10)
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize(("part", "option"), [("up", "--listen"), ("referee", "--bots"), ("referee", "--service")])
def test_plaintext_beyond_this_machine_is_refused(far: Far, part: str, option: str) -> None:
    child = far.part(part, option, "0.0.0.0:0", "--redis", "redis://127.0.0.1:1/0")
    assert child.process.wait(30) == 1
    assert "only with --tls-cert and --tls-key" in child.log.read_text()
