"""The number of workers changes nothing: with deterministic bots and tenfold clocks the ledgers are equal, too."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SEED, run_demo
from workers.cli.stage import Stage
from workers.model import LedgerEntry
from workers.store import Store

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300), pytest.mark.xdist_group("e2e")]


def ledger(data: Path) -> list[LedgerEntry]:
    """All entries kept in a data directory, without the ids that are made by chance."""
    with Stage(data) as stage:
        stage.start_redis()
        store = Store(stage.redis_url)
        entries = store.ledger.read(0)
        store.close()
    return [
        replace(
            entry,
            tournament_id="",
            block_id="",
            matches=tuple(replace(match, match_id="") for match in entry.matches),
        )
        for entry in entries
    ]


def test_one_worker_and_four_at_two_referees_give_equal_ledgers(undisturbed: dict[str, Any], tmp_path: Path) -> None:
    demo = run_demo("--seed", str(SEED), "--workers", "4", "--referees", "2", "--json", data=tmp_path)
    out, _ = demo.communicate(timeout=240)
    assert demo.returncode == 0, out
    told = json.loads(out.splitlines()[-1])
    assert told["leaderboard"] == undisturbed["leaderboard"]
    mine, theirs = ledger(tmp_path), ledger(Path(undisturbed["data"]))
    assert [entry.index for entry in mine] == [0, 1, 2, 3]
    assert mine == theirs
