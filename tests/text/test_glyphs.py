"""Names in figures: which fonts they need, how they are cut, and which way they run."""

import random

import pytest

from reportkit.text.figure_width import (
    LABEL,
    LEAST,
    apart,
    elided,
    families,
    fitted,
    folders,
    in_lines,
    isolated,
    letters_width,
    short_names,
    text_width,
    wrapped,
)


def test_fonts_are_those_that_the_text_needs():
    assert families("a−→نموذجשלום") == ("DejaVu Sans",)
    assert families("中🙂")[1:] == ("Noto Sans CJK SC",)  # covers one of them
    assert families("🙂\u0915\ue000") == ("DejaVu Sans",)
    assert len(folders(families("中"))) == 2


def test_what_no_font_has_is_named_and_stays_whole_when_elided():
    assert elided("a🙂") == "aU+1F642" and elided("\ud800") == "U+D800"
    assert elided("🙂" * 9, 3) == "U+1F642…U+1F642"


def test_a_name_from_right_to_left_is_isolated_and_no_other_is():
    assert isolated(elided("نموذج-7B")) == "\u2068نموذج-7B\u2069"
    assert isolated(elided("7B")) == "7B" and elided("\u2068x") == "U+2068x"


def test_isolates_take_no_room():
    assert text_width("\u2068نموذج\u2069", 8) == pytest.approx(text_width("نموذج", 8))


def test_letters_of_an_arabic_word_are_joined():
    """Joined forms are narrower than the same letters apart."""
    assert text_width("نموذج", 8) < 0.9 * sum(text_width(c, 8) for c in "نموذج")


def test_long_names_keep_the_letters_that_tell_them_apart():
    long = ["x" * 50 + "a" + "y" * 50, "x" * 50 + "b" + "y" * 50]
    found = short_names(long)
    assert "xay" in found[long[0]] and "xby" in found[long[1]]
    assert short_names(["A", "A"]) == {"A": "A"}
    # what looks the same as it is drawn gets a number
    assert list(short_names(["a\u202e", "aU+202E"]).values()) == ["aU+202E #1", "aU+202E #2"]


PARTS = ("gpt-", "org/", "模型", "نموذج", "W" * 9, "x" * 30, "a", "b", " #1", "\u202e", "U+202E")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("room", "size", "most"), [(1.2, 7, 1), (1.46, 7, 2), (2.7, 8.5, 1)])
def test_no_two_names_are_cut_to_the_same_text(seed, room, size, most):
    """Names made of a few parts, many of them nearly the same."""
    rng = random.Random(seed)
    names = {"".join(rng.choices(PARTS, k=rng.randint(1, 12))) for _ in range(40)}
    short = short_names(sorted(names))
    assert len(set(short.values())) == len(names)
    assert all(len(elided(name)) <= LABEL or "U+" in elided(name) for name in names)
    cut = apart(list(short.values()), room=room, size=size, most=most)
    assert len(set(cut)) == len(names)
    lines = [line for text in cut for line in text.split("\n")]
    # only a number may stand out
    assert all(letters_width(line.split(" #")[0], size) <= room for line in lines)


def test_a_name_of_60_letters_is_whole_and_breaks_where_a_part_ends():
    name = "meta-llama/Meta-Llama-3.1-405B-Instruct-FP8-2024-10-22-turbo"
    assert len(name) == LABEL and short_names([name]) == {name: name}
    lines = in_lines(name, room=1.9, size=7)
    assert lines == ("meta-llama/Meta-Llama-3.1-405B-", "Instruct-FP8-2024-10-22-turbo")
    assert in_lines(name, room=1.9, size=7, most=1) == ()
    assert in_lines("x" * 50, room=1.9, size=7, anywhere=False) == ()
    assert len(fitted(name, room=letters_width("n" * LEAST, 7), size=7)) >= LEAST


def test_a_name_breaks_within_a_date_only_where_no_other_place_will_do():
    """ "GPT-5 mini (2025-08-" and "07)" stood in figures."""
    name = "GPT-5 mini (2025-08-07) (high)"
    room = letters_width("GPT-5 mini (2025-08-", 7) + 0.01
    assert in_lines(name, room=room, size=7) == ("GPT-5 mini", "(2025-08-07) (high)")
    room = letters_width("Gemini-2.", 7) + 0.01
    assert in_lines("Gemini-2.5-Pro", room=room, size=7) == ("Gemini-", "2.5-Pro")
    # A line needs no room for the space after it.
    date = "GPT-5 nano (2025-08-07)"
    room = letters_width(date, 7) + 0.01
    assert in_lines(f"{date} (medium reasoning)", room=room, size=7) == (date, "(medium reasoning)")
    # the second line has no room for "-22-turbo" and more
    room = letters_width("x-2024-10-", 7) + 0.01
    assert in_lines("x-2024-10-22-turbo", room=room, size=7) == ("x-2024-10-", "22-turbo")


def test_a_name_breaks_at_a_space_before_it_breaks_within_a_word():
    """ "e@f." and "g", "Meta-Llama-3_" and "1-70B-Instruct" stood in figures."""
    room = letters_width("http://a.b www.c.d e@f.", 7) + 0.01
    lines = ("http://a.b www.c.d", "e@f.g")
    assert in_lines(" ".join(lines), room=room, size=7) == lines
    room = letters_width("Meta-Llama-3_", 7) + 0.01
    lines = ("Meta-Llama-", "3_1-70B-Instruct")
    assert in_lines("Meta-Llama-3_1-70B-Instruct", room=1.2 * room, size=7) == lines
    # two lines hold it where one of them ends within a word; three are not asked for
    room = letters_width("three-four-", 7) + 0.01
    assert in_lines("one three-four-five-six", room=1.1 * room, size=7, most=3) == (
        "one three-",
        "four-five-six",
    )


def test_letters_one_by_one_take_at_least_the_room_of_the_text():
    for text in ("AVATAR", "نموذج-7B", "模型", "gpt-4.1 (high)"):
        assert letters_width(text, 8) >= text_width(text, 8) - 1e-9


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
    assert elided("abcdefghi", 5) == "ab…hi"
    assert elided("abcdefghi", 9) == "abcdefghi"
    assert elided("abcdefghi", 8) == "abcd…ghi"
