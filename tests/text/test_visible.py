"""Text without what cannot be seen."""

import pytest

from reportkit.text.visible import one_line, terminal, visible


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", "plain"),
        ("é 中 ≥", "é 中 ≥"),
        ("a\x1b[2J", r"a\x1b[2J"),  # ASCII, and a control
        ("a\x1bé", r"a\x1bé"),
        ("a\nb", r"a\nb"),
        ("\u202eabc", r"\u202eabc"),  # turns the order round
        ("\u2028", r"\u2028"),
        ("\u0645\u200c\u0645", "\u0645\u200c\u0645"),  # a joiner within a word
    ],
)
def test_a_terminal_gets_nothing_that_moves_it(text, expected):
    assert terminal(text) == expected


def test_one_line_has_single_spaces_and_none_at_its_ends():
    assert one_line(" a \t\r\n b\u2028c X") == "a b c X"
    assert one_line("\xa0X a X\xa0") == "\xa0X a X\xa0"  # a space that does not break stays


def test_controls_show_their_code_point():
    assert visible("a\x00b\x7fc\nd\u202e") == "aU+0000bU+007Fc\ndU+202E"
