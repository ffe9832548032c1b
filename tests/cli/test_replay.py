"""`thousand replay`: one record in any form, the same picture."""

import json
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.support.matches import short_record
from thousand.cli import app
from thousand.notation import write
from thousand.record import MatchRecord, to_dict
from thousand.rules import PRESETS
from thousand.wire.records import record_to


def run(*words: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of `thousand words…`."""
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.stdout, result.stderr


def test_every_form_gives_the_same_picture(tmp_path: Path) -> None:
    record = short_record("tournament")
    forms = {
        "match.txt": write(record).encode(),
        "match.json": json.dumps(to_dict(record)).encode(),
        "match.pb": record_to(record).SerializeToString(),
        "match.pb.z": zlib.compress(record_to(record).SerializeToString()),
    }
    pictures = set()
    for name, data in forms.items():
        (tmp_path / name).write_bytes(data)
        code, out, err = run("replay", str(tmp_path / name))
        assert code == 0, f"{name}: {err}"
        pictures.add(out)
    assert len(pictures) == 1
    picture = pictures.pop()
    for word in ("Deal 1", "Deal 4", "counter holds", "Talon:", "plays for", "Score sheet, deal 4", "Result after 4"):
        assert word in picture


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_pictured(tmp_path: Path, preset: str) -> None:
    file = tmp_path / "match.txt"
    file.write_text(write(short_record(preset, deals=2)))
    code, out, err = run("replay", str(file))
    assert code == 0, err
    assert "Score sheet" in out


def test_one_deal_json_and_text(tmp_path: Path) -> None:
    record = short_record("tournament")
    file = tmp_path / "match.txt"
    file.write_text(write(record))
    _, one, _ = run("replay", str(file), "--deal", "2")
    assert "Deal 2" in one
    assert "Deal 3" not in one
    assert json.loads(run("replay", str(file), "--json")[1]) == to_dict(record)
    assert run("replay", str(file), "--text")[1] == write(record)


def _false(record: MatchRecord) -> MatchRecord:
    assert record.result is not None
    return replace(record, result=replace(record.result, scores=(0, 0, 0)))


@pytest.mark.parametrize("data", [b"", b"hello", b"{}", b"[Thousand 9]\n", b"\x78\x9c\x00", b"\xff\xfe", b"{nonsense"])
def test_what_is_no_record_is_one_line(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "match"
    file.write_bytes(data)
    code, out, err = run("replay", str(file))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_a_false_result_is_found_out(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(to_dict(_false(short_record("tournament")))))
    code, _, err = run("replay", str(file))
    assert code == 2
    assert "replay ends with" in err


def test_a_missing_file() -> None:
    code, _, err = run("replay", "nowhere.txt")
    assert code == 2
    assert "nowhere.txt" in err
