"""Names in figures: which fonts they need, how they are cut, and which way they run."""

import pytest

from reportkit.text.figure_width import (
    families,
    fit_names,
    folders,
    short_name,
    text_width,
    wrapped,
)


def test_fonts_are_those_that_the_text_needs():
    assert families("a−→نموذجשלום") == ("DejaVu Sans",)
    assert families("中🙂")[1:] == ("Noto Sans CJK SC",)  # covers one of them
    assert families("🙂\u0915\ue000") == ("DejaVu Sans",)
    assert len(folders(families("中"))) == 2


def test_what_no_font_has_is_named_and_stays_whole_when_elided():
    assert short_name("a🙂") == "aU+1F642" and short_name("\ud800") == "U+D800"
    assert short_name("🙂" * 9, 3) == "U+1F642…U+1F642"


def test_a_name_from_right_to_left_is_isolated_and_no_other_is():
    assert short_name("نموذج-7B") == "\u2068نموذج-7B\u2069"
    assert short_name("7B") == "7B" and short_name("\u2068x") == "U+2068x"


def test_isolates_take_no_room():
    assert text_width("\u2068نموذج\u2069", 8) == pytest.approx(text_width("نموذج", 8))


def test_letters_of_an_arabic_word_are_joined():
    """Joined forms are narrower than the same letters apart."""
    assert text_width("نموذج", 8) < 0.9 * sum(text_width(c, 8) for c in "نموذج")


def test_only_different_names_that_look_alike_are_numbered():
    long = ["x" * 50 + "a" + "y" * 50, "x" * 50 + "b" + "y" * 50]
    assert [label[-3:] for label in fit_names(long, room=2, size=8)] == [" #1", " #2"]
    assert fit_names(["A", "A"], room=2, size=8) == ["A", "A"]


def test_lines_hold_every_part_and_no_more_than_fits():
    """Every word stays in its order; a line is filled as far as its room goes."""
    parts = ["one two", "three", "four five six seven eight nine ten", "eleven"]
    wide = text_width("one two; three;", 8) + 0.01
    lines = wrapped(parts, wide, 8)
    assert " ".join(lines) == "; ".join(parts)
    assert lines[0] == "one two; three;"
    assert all(text_width(line, 8) <= wide for line in lines)
    assert wrapped(parts, 100.0, 8) == ["; ".join(parts)]
    assert wrapped(parts, 0.01, 8) == " ".join("; ".join(parts).split()).split(" ")


def test_a_shortened_name_keeps_both_ends():
    """Of 9 letters 5: two from the front, the mark, two from the end; 9 stay as they are."""
    assert short_name("abcdefghi", 5) == "ab…hi"
    assert short_name("abcdefghi", 9) == "abcdefghi"
    assert short_name("abcdefghi", 8) == "abcd…ghi"
