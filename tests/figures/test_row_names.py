"""Names beside and above rows and columns: their words stay whole where any room holds them."""

import pytest
from support.figure_records import canvas, result

from reportkit.figures.canvas import PHONE, WIDTHS
from reportkit.figures.heads import heads_of
from reportkit.figures.row_names import row_names
from reportkit.figures.rows import lay_rows
from reportkit.text.figure_width import BREAKS, in_lines, short_names

WIDE = {**WIDTHS, "phone": PHONE}
# Of 47 to 60 characters, the longest words of 12: a line of 1.2 inches at 7 points holds about 18.
LONG = (
    "Na-very-long-name/" + "a-very-long-name/" * 12,
    "mistralai/Mixtral-8x22B-Instruct-v0.1-GPTQ-4bit-g128",
    "nvidia/Llama-3.1-Nemotron-70B-Instruct-HF-awq-int4 (t=0.7)",
    "organisation/preference-optimised_mixture-of-adapters",
    "a short one",
    *(f"model {k}" for k in range(5)),
)


def broken(name: str, text: str) -> list[str]:
    """The lines that end within a word, or that are no part of the name."""
    label, found, at = short_names(LONG)[name], [], 0
    for line in text.split("\n")[:-1]:
        at = label.find(line, at) + len(line)
        if line not in label or not (label[at - 1] in BREAKS or label[at] == " "):
            found.append(line)
    return found


def all_broken(texts) -> list[str]:
    return [line for name, text in zip(LONG, texts, strict=True) for line in broken(name, text)]


@pytest.mark.parametrize("width", WIDE)
@pytest.mark.parametrize("kind", ["differences", "correlations"])
def test_a_matrix_breaks_no_word(kind, width):
    drawn = canvas(result(LONG), kind, width)
    texts = [t.get_text() for t in drawn.axes[0].get_yticklabels()]
    of = {"".join(label.split()): name for name, label in short_names(LONG).items()}
    rows = {of[key]: text for text in texts if (key := "".join(text.split())) in of}
    assert len(rows) >= len(LONG) - 1
    assert not [x for name, text in rows.items() for x in broken(name, text)]


@pytest.mark.parametrize("width", WIDE.values(), ids=WIDE)
def test_names_beside_and_above_bars_break_no_word(width):
    for columns in ([], [["65.5%"] * len(LONG), ["[61.2, 69.8]"] * len(LONG)]):
        rows = lay_rows(LONG, columns, width, least=1.2)
        assert not all_broken(rows.labels)


@pytest.mark.parametrize("room", [1.2, 1.25, 1.9, 2.45])
def test_where_three_lines_cut_a_word_a_line_is_wider(room):
    _, _, texts = row_names(LONG, room, 0.42, most_room=1.7)
    assert not all_broken(texts)


def test_upright_heads_break_no_word():
    assert not all_broken(heads_of(LONG, 0.4).texts)


def test_a_word_is_broken_only_where_it_is_wider_than_a_line():
    """At 10 points a letter x of DejaVu Sans is 0.082 inches wide: 1 inch holds 12 of them."""
    look = {"room": 1.0, "size": 10, "most": 3}
    assert in_lines("xxxxxx-xxxxxx/xxxxxx", **look) == ("xxxxxx-", "xxxxxx/", "xxxxxx")
    assert "".join(in_lines("ab/" + "x" * 20 + "/cd", **look)) == "ab/" + "x" * 20 + "/cd"


@pytest.mark.parametrize("kind", ["differences", "correlations"])
def test_names_of_two_lines_stand_on_bands(kind):
    """Every second of 25 rows has one, as high as a row: one could not see which lines belong
    together. Names of one line have none.
    """
    names = [f"Claude 4.5 Opus medium (202511{k:02})" for k in range(25)]
    long = canvas(result(names), kind, "column")
    bands = [p for p in long.axes[0].patches if p.get_label() == "band"]
    assert [(p.get_y() + 0.5, p.get_height()) for p in bands] == [(i, 1) for i in range(1, 25, 2)]
    short = canvas(result([f"m{k}" for k in range(25)]), kind, "column")
    assert not any(p.get_label() == "band" for p in short.axes[0].patches)
