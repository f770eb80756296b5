"""report.md as GitHub shows it: read by cmark-gfm, GitHub's own library. It leaves maths to the
page, so that a formula stands between dollars here.
"""

import html
import re
from dataclasses import replace

import cmarkgfm
import pandas as pd
import pytest
from click.testing import CliRunner
from cmarkgfm.cmark import Options
from nbformat.v4 import new_markdown_cell, new_notebook
from support.cells import code, shown, table
from support.places import ROOT
from support.published_tables import PAPER
from support.sentences import render_prose
from support.tables import CJK, HOSTILE, SMALL, hostile_table, parse

from reportkit.cli import commands
from reportkit.documents.make import make_documents
from reportkit.tables.writers.render import render_drop_in, render_table
from reportkit.text.escaping import markdown

# What GitHub would make a link, a mark or a list of.
NAMES = (
    *HOSTILE, CJK, "www.x.y", "see WWW.X.Y now", "(www.x.y)", "HTTP://x.y", "ftp://x.y",
    "<https://x.y>", "e.f+d@g-h.ij", "a@b_c.de", "<a@b.c>", "mailto:a@b.c", "xmpp:a@b.c",
    "@octo/cat", "#12", "a*b*c", "**b**", "_i_ __b__", "snake_case_", "*", "***", "---", "===",
    "~x~", "~~~ x", "``` x", "`x`", "[^1]", "[x]: y", "[ ] t", "- [x] t", "![i](x)", "<b>x</b>",
    "<!-- x -->", "&lt;", "&copy", "&#x41;", "\\*", "a\\|b", "| a | b |", "$a$ and $b$", "1) x",
    "9. x", "> q", "+1", "a:b:c", "x^2^", "==m==", "{.cls}",
)  # fmt: skip
WHERE = {
    "paragraph": ("{}", "{}", {"p"}),
    "sentence": ("By {}, and so on.", "By {}, and so on.", {"p"}),
    "bold": ("**{}**", "{}", {"p", "strong"}),
    "head": ("## {}", "{}", {"h2"}),
    "list": ("- {}", "{}", {"ul", "li"}),
    "cell": ("| a | b |\n|:---|---:|\n| {} | 1 |", "a b {} 1",
             {"table", "thead", "tbody", "tr", "th", "td"}),
}  # fmt: skip


def github(text: str) -> str:
    """The HTML; raw HTML is shown, so that what is not escaped would be seen."""
    return cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)


def words(page: str) -> str:
    """What a reader sees, its spaces as one."""
    page = re.sub(r"(?s)<!--.*?-->", "", page)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


@pytest.mark.parametrize("where", WHERE)
def test_a_name_prints_as_itself_and_nothing_else(where):
    source, seen, tags = WHERE[where]
    for name in NAMES:
        page = github(source.format(markdown(name)))
        assert words(page) == seen.format(" ".join(name.split())), name
        assert set(re.findall(r"<([a-z]\w*)", page)) == tags, name


def test_a_name_that_is_not_escaped_would_be_seen():
    """The tests here see what they are for."""
    for name in ("www.x.y", "e@f.gh", "*a*", "~~a~~", "<b>x</b>"):
        assert github(name).count("<") == 4, name  # p and one more


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("github")
    frame = pd.DataFrame({"a|b": ["*x*"]})
    said = "## Findings\n\n**{{ m }}** leads, where $x_1 * y_1 * z$.\n\n- {{ m }}\n- {{ n }}"
    cells = [
        code(shown(md=render_prose(said, m="a|b *c* www.x.y", n="<i>e@f.gh</i>"), plain="x")),
        code(table(hostile_table(NAMES))),
        code(table(SMALL)),
        code(shown(html=frame.to_html(), plain=str(frame))),
    ]
    make_documents(new_notebook(cells=cells), folder, ["md"], title="E*x*ample")
    return (folder / "report.md").read_text(encoding="utf-8")


def test_tables_of_a_report_are_tables_and_their_cells_are_whole(report):
    page = github(report)
    tables = re.findall(r"(?s)<table>.*?</table>", page)
    assert len(tables) == 3  # the two of reportkit and the user's own
    seen = [" ".join(c.split()) for c in parse(re.sub(r"(?s)<!--.*?-->", "", tables[0])).cells]
    assert seen[3::3] == [" ".join(n.split()) for n in NAMES]  # after three heads, three in a row
    assert seen[4::3] == ["65.5% (0.7%)"] * len(NAMES)


def test_bold_is_bold_and_no_mark_is_seen(report):
    page = github(report)
    assert "<strong>a|b *c* www.x.y</strong> leads" in re.sub(r"<!--.*?-->", "", page)
    assert page.count("<h1>") == 1 and "<h1>E*x*ample</h1>" in page
    assert "$x_1 * y_1 * z$" in page  # a formula as it was written
    assert "<a " not in page and "<em>" not in page and "<del>" not in page
    assert words(page).count("**b**") == words(page).count("\\*") == 2  # in the table, in the notes


def shown_whole(text: str) -> str:
    """The HTML, after a look that each table of the text is one, and that no mark is seen outside
    code and maths.
    """
    page = github(text)
    assert page.count("<table>") == len(re.findall(r"(?m)^\|[:|-]+\|$", text)) > 0
    plain = re.sub(r"(?s)<(pre|code)\b.*?</\1>", "code", page)
    plain = re.sub(r"\$[^$]+\$", "", words(plain))
    assert re.search(r"\*\*|\\|\||`|&\w+;|&#", plain) is None
    return page


@pytest.mark.parametrize("name", ["HumanEval", "MGSM", "suite"])
def test_the_reports_of_the_example_are_shown_whole(name):
    text = (ROOT / "reports" / "example" / name / "report.md").read_text(encoding="utf-8")
    page = shown_whole(text)
    captions = re.findall(r"(?m)^\*\*(Table \d+: .*)\*\*$", text)
    bold = [words(b) for b in re.findall(r"<strong>(.*?)</strong>", page)]
    assert len(captions) > 3 and {words(github(c)) for c in captions} <= set(bold)
    assert page.count("<img ") == text.count("![") >= 3


def run(*asked: str) -> str:
    done = CliRunner().invoke(commands, [*asked, "--format", "md"])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_plan_and_a_checked_table_are_shown_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper.md").write_text(PAPER, encoding="utf-8")
    assert "<strong>" in shown_whole(run("power", "--difference", "0.05", "--mean", "0.8"))
    page = shown_whole(run("check-table", "paper.md"))
    assert page.count(">depends on rounding</td>") == 1


def test_a_link_to_another_report_leads_to_its_markdown(tmp_path):
    """GitHub shows the source of a page. What only looks like such a link stays as it is."""
    plain = r"\](../b/report.html) and https://x.y/report.html"
    text = f"- [a (b)](../a%20%28b%29/report.html)\n\n{plain}"
    make_documents(new_notebook(cells=[code(shown(md=text))]), tmp_path, ["md"], title="t")
    written = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert '<a href="../a%20%28b%29/report.md">a (b)</a>' in github(written)
    assert plain in written


ARABIC = "\u0646\u0645\u0648\u0630\u062c"


@pytest.mark.parametrize("between", "- ")
def test_a_name_that_runs_from_the_right_is_isolated_with_its_size(between, tmp_path):
    """ "-7B" behind it was shown as 7, the name, B. A command is to be copied as it is."""
    name = f"{ARABIC}{between}7B"
    given = replace(SMALL, cells=((name, "65.5% (0.7%)", "[64.2, 66.8]"), *SMALL.cells[1:]))
    command = f"`reportkit build --models '{name}'`"
    cells = [code(table(given)), new_markdown_cell(f"By {name}, and {ARABIC}. Run {command}.")]
    make_documents(new_notebook(cells=cells), tmp_path, ["md"], title=name)
    whole = f"\u2068{name}\u2069"
    for text in ((tmp_path / "report.md").read_text(), render_drop_in(given, "md")):
        assert f"| {whole} | " in text
    text = (tmp_path / "report.md").read_text()
    assert f"# {whole}\n" in text and f"By {whole}, and {ARABIC}. Run {command}." in text


def test_a_long_head_over_columns_leaves_room_for_names():
    """Names stood in two to four lines beside heads of 36 letters."""
    group = "Questions needed to detect"
    columns = (SMALL.columns[0], *(replace(c, group=group) for c in SMALL.columns[1:]))
    [_, _, head, *_] = render_table(replace(SMALL, columns=columns), "md").splitlines()
    broken = "Questions needed<br>to detect:<br>"
    assert head == f"| Model | {broken}Mean (SE) | {broken}95% CI |"
