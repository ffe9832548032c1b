"""Names: what is accepted, and when two are one (B67, B69)."""

import pytest

from workers.names import InvalidName, clean_name, name_key


@pytest.mark.parametrize(
    "name", ["Ünal", "Прикуп", "👨‍👩‍👧‍👦", "a b", "a/b", "a%2Fb", "<script>", "神経衰弱", "bot-7", "x" * 40, "R2D2 ♥"]
)
def test_b67_b69_odd_but_honest_names_are_kept_as_written(name: str) -> None:
    assert clean_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "empty"),
        (" \t ", "empty"),
        ("x" * 41, "41 characters"),
        ("x" * 300, "300 characters"),
        ("abc\u200fdef", r"U\+200F"),
        ("a\u202eb", r"U\+202E"),
        ("a\x00b", r"U\+0000"),
        ("a\nb", r"U\+000A"),
        ("\u200d", "neither letter"),
        ("pаypal", "Cyrillic and Latin"),  # a Cyrillic a
    ],
)
def test_b67_names_that_deceive_or_hide_are_refused_with_the_reason(name: str, words: str) -> None:
    with pytest.raises(InvalidName, match=words):
        clean_name(name, "bot name")


def test_composed_and_decomposed_are_one_name() -> None:
    assert clean_name("U\u0308nal") == "Ünal"
    assert name_key("Ünal") == name_key("üNAL")


@pytest.mark.parametrize(("one", "other"), [("Counter", "COUNTER"), ("a  b", "A b"), ("соса", "coca"), ("Bot", "Bot")])
def test_names_a_reader_cannot_tell_apart_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("bot1", "botl"), ("Ünal", "Unal"), ("жук", "bug"), ("a/b", "a b")])
def test_names_that_differ_to_a_reader_differ(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
