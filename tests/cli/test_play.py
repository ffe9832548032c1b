"""`thousand play`, driven by scripted input: to the end under every preset, again, saved and resumed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from thousand.cli import app
from thousand.cli.game import Game
from thousand.cli.wording import PERSON
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
        "a number, or words like",
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
        (["--resume", "nowhere.json"], "nowhere.json: No such file"),
        (["--ruleset", "nowhere.toml"], "nowhere.toml: No such file"),
        (["--ruleset", "nowhere.toml", "--preset", "headon"], "not both"),
        (["--save", "/nowhere/m.json"], "cannot be saved there"),
        (["--save", "/"], "cannot be saved there"),
    ],
)
def test_faults_are_one_line(words: list[str], told: str) -> None:
    result = CliRunner().invoke(app, ["play", *words])
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1


def saved(tmp_path: Path) -> dict[str, Any]:
    """A match saved in mid-deal, as JSON."""
    seated("tournament", Person("1", "1", "1", "quit"), tmp_path / "m.json").run()
    data: dict[str, Any] = json.loads((tmp_path / "m.json").read_text())
    return data


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda data: data.clear(), "no match record"),
        (lambda data: data["ruleset"].update(players=9), "players"),
        (lambda data: data["seats"].pop(), "names 2 bots"),
        (lambda data: data["seats"][1].update(bot="nobody"), "nobody"),
        (lambda data: data["seats"][0].update(bot="counter"), "no match of a person"),
        (lambda data: data["journal"].insert(0, [0, "bid 400", "own", 0]), "no saved match"),
    ],
)
def test_a_spoilt_saved_match_is_refused_in_one_line(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], told: str
) -> None:
    data = saved(tmp_path)
    spoil(data)
    (tmp_path / "m.json").write_text(json.dumps(data))
    result = CliRunner().invoke(app, ["play", "--resume", str(tmp_path / "m.json")])
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_cards_and_bids_may_be_written_in_words(tmp_path: Path) -> None:
    class Speaker(Person):
        """Answers with the words of the last choice shown."""

        def ask(self, prompt: str) -> str:
            choices = [line.split(") ", 1)[1] for line in self.heard if line.startswith("  ") and ") " in line]
            super().ask(prompt)
            if prompt.startswith("Your choice") and choices[-1][:1] in "♠♣♦♥":
                plain, _, announced = choices[-1].partition("  and announce")
                suit, rank = plain[0], plain[1:].replace("10", "T")
                return "SCDH"["♠♣♦♥".index(suit)].lower() + rank + "!" * bool(announced)
            return "" if prompt.startswith("Enter") else "1"

    person = Speaker()
    seated("browser", person, tmp_path / "m.json").run()
    assert "The match is over" in person.text
    assert "Write a number" not in person.text
    assert "You play ♠" in person.text
    assert "you plays" not in person.text


@pytest.mark.parametrize("preset", ["sailors", "preferans-full", "intro-dummy"])
def test_what_is_not_seen_is_not_shown(preset: str, tmp_path: Path) -> None:
    """Before looking no card is shown; the dummy's card is laid face down."""
    person = Person("quit")
    game = seated(preset, person, tmp_path / "m.json", seed=2)
    if preset == "sailors":
        game.run()
        assert "Your cards: not looked at yet" in person.text
        assert "♠" not in person.text.split("look at your cards")[0]
        looked = Person("1", "quit")
        seated(preset, looked, tmp_path / "m.json", seed=2).run()
        assert "You look\nYou hold ♠" in looked.text
        return
    person.script.clear()
    game.run()
    laid = [line for line in person.heard if "the dummy plays" in line]
    assert all(line.endswith("plays a card face down") for line in laid)
    assert bool(laid) is (preset == "intro-dummy")


def test_a_marriage_is_offered(tmp_path: Path) -> None:
    person = Person()
    seated("club", person, tmp_path / "m.json", deals=6, seed=3).run()
    assert "and announce the marriage (" in person.text


def test_a_full_disk_does_not_end_the_match(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    person = Person("save", "1", "quit")
    game = seated("tournament", person, folder / "m.json")
    folder.rmdir()
    game.run()
    assert person.text.count("Not saved: ") == 2
    assert person.asked == 3
