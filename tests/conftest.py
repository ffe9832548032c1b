"""Options and profiles that all tests share."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples every run, and few enough for `make test`: what is found by chance belongs into `make soak`.
settings.register_profile(
    "test",
    derandomize=True,
    max_examples=50,
    deadline=None,  # two cores shared by several workers: times mean nothing here
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("test")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` rewrites golden files instead of comparing with them."""
    parser.addoption("--update", action="store_true", help="rewrite golden files instead of comparing with them")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have recorded as `summary`: figures to quote, such as how much was compared."""
    for report in terminalreporter.getreports("passed"):
        for name, told in report.user_properties:
            if name == "summary":
                terminalreporter.write_line(str(told))


class Golden:
    """Compares a text with a committed file; `--update` writes it instead."""

    def __init__(self, update: bool) -> None:
        self.update = update

    def check(self, path: Path, text: str) -> None:
        """Fail with a diff if the file at `path` holds another text."""
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path} is missing: run pytest with --update"
        assert text == path.read_text(encoding="utf-8"), f"{path} differs: look, then run pytest with --update"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """The golden files of a test."""
    return Golden(update=bool(request.config.getoption("--update")))
