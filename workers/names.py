"""Names that people choose for bots, owners and tournaments: what is accepted, and when two are the same.

A name is kept as written (Unicode NFC, outer blanks cut). Two names are the same when `name_key` is: it folds case,
compatibility forms, runs of blanks, and letters of other scripts that look like Latin ones.
"""

import re
import unicodedata
from typing import Final

import regex
from confusable_homoglyphs import categories, confusables

MAX_GRAPHEMES: Final = 40
MAX_BYTES: Final = 200
LOOK_AT: Final = 1000  # longer ones are refused without a look at each character
# Joiners hold emoji families and some scripts together; every other format character only hides something.
_JOINERS: Final = {"\u200c", "\u200d"}
_EVERYWHERE: Final = {"COMMON", "INHERITED", "UNKNOWN"}


class InvalidName(ValueError):
    """A name that cannot be used; the message says what is wrong with it and what to write instead."""


def clean_name(text: str, what: str = "name") -> str:
    """The name as it is stored and shown. `what` says in errors whose name it is. Raises InvalidName."""
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise InvalidName(f"{what} is empty: write 1 to {MAX_GRAPHEMES} characters")
    if len(name) > LOOK_AT:
        raise InvalidName(f"{what} is over {LOOK_AT} characters long: write at most {MAX_GRAPHEMES}")
    for character in name:
        _check_character(character, what)
    length = len(regex.findall(r"\X", name))
    if length > MAX_GRAPHEMES or len(name.encode()) > MAX_BYTES:
        raise InvalidName(f"{what} is {length} characters long: write at most {MAX_GRAPHEMES} ({MAX_BYTES} bytes)")
    if not any(unicodedata.category(c)[0] in "LNS" for c in name):
        raise InvalidName(f"{what} {name!r} has neither letter, digit nor symbol: write one at least")
    scripts = sorted(categories.unique_aliases(name) - _EVERYWHERE)
    if len(scripts) > 1 and confusables.is_confusable(name, greedy=False, preferred_aliases=[]):
        mixed = " and ".join(s.title() for s in scripts)
        raise InvalidName(f"{what} {name!r} mixes {mixed} letters that look alike: write it in one script")
    return name


def _check_character(character: str, what: str) -> None:
    category = unicodedata.category(character)
    if category in {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"} or (category == "Cf" and character not in _JOINERS):
        label = unicodedata.name(character, "unnamed")
        raise InvalidName(
            f"{what} holds the character U+{ord(character):04X} ({label}), which cannot be seen: leave it out"
        )


def name_key(name: str) -> str:
    """What two names share when they are the same to a reader; the store keeps names unique by it."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    folded = re.sub(r"\s+", " ", folded.replace("\u200c", "").replace("\u200d", "")).strip()
    return "".join(_latin_twin(character) for character in folded)


def _latin_twin(character: str) -> str:
    if character.isascii():
        return character
    found = confusables.is_confusable(character, greedy=True, preferred_aliases=[])
    for entry in found or ():
        twins = sorted(h["c"] for h in entry["homoglyphs"] if h["c"].isascii() and h["c"].isalnum())
        if twins:
            return str(twins[0]).casefold()
    return character
