"""Every worked case of the rules, played through the engine."""

from pathlib import Path

import pytest

from thousand.cases import Case, CaseError, read_cases, run_case

HERE = Path(__file__).parent
CASES = [case for file in sorted(HERE.glob("*.jsonl")) for case in read_cases(file)]


def test_the_files_hold_all_cases_once() -> None:
    assert len(CASES) >= 289
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_case(case: Case) -> None:
    verdict = run_case(case)
    assert not verdict.skipped
    assert [str(mismatch) for mismatch in verdict.mismatches] == [], case.data.get("why")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "this is no JSON"),
        ("[1]", "one JSON object, this is a list"),
        ('{"id": "a"}', "missing: preset, expect"),
        ('{"id": "a", "preset": "browser", "expect": {}, "kind": "dream"}', "this is 'dream'"),
        ('{"id": "a", "preset": "browser", "expect": {"score": [1]}}', "nothing is known of the expectation score"),
        ('{"id": "a", "preset": "browser", "expect": []}', "expect is an object"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('\n{"id": "good", "preset": "browser", "expect": {}}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(CaseError, match=message) as error:
        list(read_cases(file))
    assert f"{file}:3" in str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "preset": "browsr", "expect": {}, "kind": "series"}', "did you mean 'browser'"),
        ('{"id": "a", "preset": "browser", "expect": {}, "kind": "series"}', "KeyError 'previous'"),
        ('{"id": "a", "preset": "browser", "options": {"blid": 1}, "expect": {}}', "did you mean 'blind'"),
    ],
)
def test_a_case_that_cannot_be_played_is_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(CaseError, match=message) as error:
        [run_case(case) for case in read_cases(file)]
    assert f"{file}:1" in str(error.value)


def test_a_wrong_expectation_is_told() -> None:
    case = Case("here:1", "a", {
        "id": "a", "kind": "series", "preset": "browser", "expect": {"dealer": 2, "hundred": 1},
        "previous": {"players": 3, "winner": 1, "last_dealer": 2},
    })  # fmt: skip
    assert [str(mismatch) for mismatch in run_case(case).mismatches] == ["dealer: expected 2, actual 0"]


def test_a_case_may_say_why_it_is_skipped() -> None:
    case = Case("here:1", "a", {"id": "a", "preset": "browser", "expect": {}, "skip": "later"})
    assert run_case(case).skipped == "later"
