"""What stays together in the lines of report.tex: an option with its value, a parameter with its
number, a short name; expected texts are written by hand.
"""

import pandas as pd
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from support.cells import code, shown

from reportkit.documents.make import make_documents
from reportkit.text.environment import environment
from reportkit.text.latex_words import LONGEST, MOST, command_lines, tied


def tex_of(tmp_path, *cells) -> str:
    make_documents(new_notebook(cells=list(cells)), tmp_path, ["tex"])
    return (tmp_path / "report.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("icc_scores = 0.2; rest", r"\mbox{icc\_scores}~=~0.2; rest"),
        ("Gemini (2025-11-18), and", r"Gemini (\mbox{2025-11-18}), and"),
        ("12025-11-18 or 2025-11-181", "12025-11-18 or 2025-11-181"),
        ("*cost_answer* = 0.1", r"\emph{\mbox{cost\_answer}}~=~0.1"),
        ("with p < 0.001 all", r"with p~\textless{}~0.001 all"),
        ("Say --scores binary.", r"Say -\/-scores~binary."),
        ("`epochs = 9`", r"\mbox{\texttt{epochs\ =\ 9}}"),
        ("fifteen_letters", r"fifteen\_\allowbreak{}letters"),
        ("fourteen_ltrs!", r"\mbox{fourteen\_ltrs!}"),
        ("a name = no number", "a name = no number"),
        # XeLaTeX and LuaLaTeX made ”one” of it
        ('Eval & "one"', r"Eval \& \textquotedbl{}one\textquotedbl{}"),
        (f"--option {'x' * 16}", f"-\\/-option {'x' * 16}"),  # 24 letters
        (f"--option {'x' * 15}", f"-\\/-option~{'x' * 15}"),
        (f"`{'x' * 25}`", rf"\texttt{{{'x' * 25}}}"),
        (f"`{'x' * 24}`", rf"\mbox{{\texttt{{{'x' * 24}}}}}"),
    ],
)
def test_words_of_a_paragraph(text, expected, tmp_path):
    before = r"\begin{document}"
    assert f"\n{expected}\n" in tex_of(tmp_path, new_markdown_cell(text)).partition(before)[2]


def test_a_cell_may_break_a_short_name(tmp_path):
    frame = pd.DataFrame({"own_column": ["`x_y` = 1"]})
    tex = tex_of(tmp_path, code(shown(html=frame.to_html())))
    assert r"own\_\allowbreak{}column" in tex and r"\mbox{own" not in tex


@pytest.mark.parametrize("break_", [LONGEST, MOST])
def test_what_is_longer_than_it_may_be_breaks(break_):
    """24 characters of a note, 60 of a command: report.tex has 86 in a line of a command."""
    assert (LONGEST, MOST) == (24, 60)
    value = "x" * (break_ - len("--option "))
    assert ("\u00a0" in tied(f"--option {value}")) == (break_ == LONGEST)
    assert "\u00a0" not in tied(f"--option {value}x")
    assert command_lines(f"--option {value}")[0].startswith(r"\mbox{")
    assert command_lines(f"--option {value}x")[0].startswith(r"\mbox{") == (break_ == LONGEST)


def test_a_command_keeps_its_words():
    command = "reportkit build 'a b.csv' --eval 'a b' --ask cost_answer=0.1 a-b.csv --no-x"
    [line] = command_lines(command)
    option = r"\mbox{-{\kern0pt}-"
    assert line == (
        r"reportkit\ build\ \textquotesingle{}a\ b.csv\textquotesingle{}\ "
        rf"{option}eval\ \textquotesingle{{}}a\ b\textquotesingle{{}}}}\ "
        rf"{option}ask\ cost\_answer=0.1}}\ \mbox{{a-b.csv}}\ {option}no-x}}"
    )
    assert command_lines("1 - 2 a-b\n\n") == [r"1\ -\ 2\ a-b", r"\mbox{}", r"\mbox{}"]


def test_notes_of_tables_keep_an_option_with_its_value():
    note = environment("tex").from_string("<< note|flowing >>").render
    assert note(note="Give --margin 0.02.") == r"Give -{\kern0pt}-margin~0.02."
    assert note(note="(cost_answer = 0.1)") == r"\mbox{(cost\_answer}~=~0.1)"
    assert note(note="Detectable, —: a few") == "Detectable,~---:~a few"
    assert note(note="—: not estimable.") == "---:~not estimable."
    assert note(note="--errors --zero, x =") == r"-{\kern0pt}-errors -{\kern0pt}-zero, x ="


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("openai__gpt-4.1-nano-2025-04-14_incl", r"nano-\allowbreak{}\mbox{2025-04-14}\_"),
        ("a-b-c-d-2025-04-14", r"\mbox{2025-04-14}"),
        ("12025-04-14", "12025-04-14"),
        ("2025-24-04x", "2025-24-04x"),
        (
            "intervals: Student's t; metric",
            r"intervals: \mbox{Student's {\fontshape{n}\selectfont t}}; metric",
        ),
        ("a.csv, SHA-256 01c4", r"a.csv, \mbox{SHA-256} 01c4"),
        ("Student's tests", "Student's tests"),
    ],
)
def test_no_line_ends_within_a_date_or_student_s_t(text, expected):
    note = environment("tex").from_string("<< note|flowing >>").render(note=text)
    assert expected in note and (r"\mbox" in note) == (r"\mbox" in expected)


def test_a_product_of_a_plan_stands_in_one_line():
    """A line ended in "0.75 × (1", and the next began with "− 0.41) = 44%"."""
    assert tied("leaves, 0.75 × (1 − 0.41) = 44%.").split(" ")[1].endswith("44%.")
