"""What `import thousand` gives a program, although each part is imported when first used."""

import subprocess
import sys

import thousand


def test_all_that_is_public_can_be_seen_and_used() -> None:
    shown = dir(thousand)
    assert set(thousand.__all__) < set(shown)
    assert [name for name in thousand.__all__ if getattr(thousand, name).__name__ != name] == []


def test_the_rules_are_there_without_an_import_of_their_own_and_load_no_grpc() -> None:
    code = "import sys, thousand as t; print(len(t.rules.PRESETS), t.bot.Bot is t.Bot, 'grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=50)
    assert done.stdout.split() == ["26", "True", "False"]
