"""`thousand play`, driven by scripted input: to the end under every preset, again, saved and resumed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thousand.cli import app
from thousand.cli.game import PERSON, Game
from thousand.record import MatchRecord, Seat, from_dict, replay
from thousand.rules import PRESETS, ruleset_from, seed_from_int

BOTS = ("counter", "greedy", "cautious")


class Person:
    """Answers by script, then always with the first choice; hears everything."""

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.heard: list[str] = []
        self.asked = 0

    def ask(self, prompt: str) -> str:
        self.heard.append(prompt)
        self.asked += 1
        assert self.asked < 5000, "the dialogue does not end"
        if self.script:
            return self.script.pop(0)
        return "" if prompt.startswith("Enter") else "1"

    def say(self, text: str) -> None:
        self.heard.append(text)

    @property
    def text(self) -> str:
        return "\n".join(self.heard)


def seated(preset: str, person: Person, file: Path, *, deals: int = 2, seed: int = 1) -> Game:
    ruleset = ruleset_from(PRESETS[preset], {"max_deals": deals})
    seats = tuple(map(Seat, (PERSON, *BOTS[: ruleset.players - 1])))
    record = MatchRecord(ruleset, seed_from_int(seed), seats, (), preset=preset)
    return Game(record, file, ask=person.ask, say=person.say)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_person_plays_every_preset_to_its_end(preset: str, tmp_path: Path) -> None:
    person = Person()
    game = seated(preset, person, tmp_path / "m.json")
    game.run()
    assert "The match is over" in person.text
    assert replay(game.record).result == game.record.result


def test_the_dialogue_shows_what_is_needed(tmp_path: Path) -> None:
    person = Person("?", "s", "l", "h", "nonsense", "99")
    seated("tournament", person, tmp_path / "m.json").run()
    for words in (
        "Your cards:",
        "  1) ",
        "a number or the words",
        "counter",
        "Write a number from 1",
        "Score sheet, deal 1",
    ):
        assert words in person.text


def test_nothing_hidden_is_said(tmp_path: Path) -> None:
    """Before the first card is played, no other hand is told."""
    person = Person("quit")
    seated("tournament", person, tmp_path / "m.json").run()
    assert "greedy holds ♠" not in person.text
    assert "counter holds ♠" not in person.text


def test_the_deal_again_has_the_same_cards(tmp_path: Path) -> None:
    person = Person("1", "again", "quit")
    seated("tournament", person, tmp_path / "m.json").run()
    assert "The same cards again." in person.text
    hands = [line for line in person.text.splitlines() if line.startswith("Your cards:")]
    assert hands[0].split("  ")[0] == hands[-1].split("  ")[0]


def test_the_deal_again_between_deals_and_scores_as_before(tmp_path: Path) -> None:
    class Once(Person):
        again = 0

        def ask(self, prompt: str) -> str:
            if prompt.startswith("Enter") and not self.again:
                self.again = 1
                return "again"
            return super().ask(prompt)

    person = Once()
    game = seated("tournament", person, tmp_path / "m.json", deals=2)
    game.run()
    assert person.again
    assert person.text.count("Score sheet, deal 1:") == 2
    assert game.record.result is not None
    assert game.record.result.deals == 2


def test_saved_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    whole = Person()
    game = seated("tournament", whole, file)
    game.run()
    person = Person("1", "1", "save", "1", "quit")
    seated("tournament", person, file).run()
    saved = from_dict(json.loads(file.read_text()))
    assert saved.result is None
    assert saved.journal
    rest = Person()
    resumed = Game(saved, file, ask=rest.ask, say=rest.say)
    resumed.run()
    assert resumed.record == game.record


def test_at_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    run = CliRunner()
    words = ["play", "--bots", "counter,counter", "--seed", "1", "--seat", "1", "--save", str(file)]
    started = run.invoke(app, words, input="s\nl\nquit\n")
    assert started.exit_code == 0, started.stderr
    assert "counter, you, counter" in started.stdout
    assert "counter (2)" in started.stdout
    resumed = run.invoke(app, ["play", "--resume", str(file)], input="")  # end of input: saved again
    assert resumed.exit_code == 0, resumed.stderr
    assert "Saved." in resumed.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--bots", "counter"], "name 2 opponents"),
        (["--bots", "counter,nobody"], "nobody"),
        (["--preset", "nix"], "nix"),
        (["--preset", "headon", "--seat", "2"], "seats 0 to 1"),
        (["--resume", "nowhere.json"], "nowhere.json"),
    ],
)
def test_faults_are_one_line(words: list[str], told: str) -> None:
    result = CliRunner().invoke(app, ["play", *words])
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
