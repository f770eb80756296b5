"""Published tables as HTML: what a page shows is read; what may be another number is refused."""

import random

import pytest
from support.published_tables import refusal

from reportkit.errors import ReportkitError
from reportkit.loading.published import read_published

PAGE = """<h2>Results</h2>
<figure class="ltx_table"><figcaption>Table 3: Main results. Errors in brackets.</figcaption>
<table>
<thead><tr><th>Eval<th>Questions<th>Nimbus<sup>†</sup><th>Heron</thead>
<tbody>
<tr><td>GSM8K</td><td>1,319</td><td><b>92.1%</b> (0.7%)</td><td><math alttext="90.4\\%\\pm 0.8\\%">
<semantics><mrow><mn>90.4</mn></mrow><annotation>90.4\\%</annotation></semantics></math></td></tr>
<tr><td>HumanEval<td>1,640<td>74.4%&nbsp;(1.1%)<td><i style="display: none">067</i>67.0% (1.2%)
<tr><th scope="row">MGSM</th><td>2,500<td>88.0%<sub>±0.6%</sub></td><td>82.2%<br>(0.8%)</td></tr>
</tbody></table></figure>
"""


def rows(tmp_path, text, name="t.html"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_published(path, {"scale": "percent", "plus_minus": "se"})[0].means


def test_a_table_of_a_page(tmp_path):
    """Every number by hand from the text above, its line counted there."""
    found = {
        (m.eval, m.model): (m.mean.value, m.se.value, m.n.value, m.place.line)
        for m in rows(tmp_path, PAGE)
    }
    assert found == {
        ("GSM8K", "Nimbus†"): (92.1, 0.7, 1319, 6),
        ("GSM8K", "Heron"): (90.4, 0.8, 1319, 6),
        ("HumanEval", "Nimbus†"): (74.4, 1.1, 1640, 8),
        ("HumanEval", "Heron"): (67.0, 1.2, 1640, 8),
        ("MGSM", "Nimbus†"): (88.0, 0.6, 2500, 9),
        ("MGSM", "Heron"): (82.2, 0.8, 2500, 9),
    }
    assert {m.place.table for m in rows(tmp_path, PAGE)} == {"Table 3: Main results"}
    assert rows(tmp_path, PAGE) == rows(tmp_path, PAGE, "pasted.md")  # by what it looks like


def table(body: str) -> str:
    return f"<table>\n<tr><th>Eval</th><th>A</th><th>B</th></tr>\n{body}\n</table>"


def test_a_cell_that_reaches_down_stands_in_each_of_its_rows(tmp_path):
    text = (
        "<table><tr><th>Eval</th><th>Model</th><th>Mean</th><th>n</th></tr>"
        "<tr><td rowspan=2>QA<td>A<td>60%<td rowspan=2>500<tr><td>B<td>50%<tr><td>QB<td>B<td>40%"
        "<td>100</table>"
    )
    found = [(m.eval, m.model, m.mean.value, m.n.value) for m in rows(tmp_path, text)]
    assert found == [("QA", "A", 60, 500), ("QA", "B", 50, 500), ("QB", "B", 40, 100)]


REFUSED = {
    "<tr><td colspan=3>Open models</td></tr>": "line 3: a cell spans 3 columns",
    "<tr><td>QA<td>65.5<sub>0.7</sub><td>60": "line 3: '0.7' is lowered",
    "<tr><td>QA<td>65.5<sup>+0.7</sup><td>60": "line 3: '+0.7' is raised",
    "<tr><td>QA<td><del>65.5</del> 64.5<td>60": "line 3: a number is struck out",
    "<tr><td>QA<td><table></table><td>60": "line 3: a table stands in a cell",
    "<tr><td>QA<td><math><msup><mn>10</mn><mn>3</mn></msup></math><td>60": "line 3: a formula has",
    '<tr><td>QA<td><math alttext="\\ours"></math><td>60': "line 3: the command \\ours",
    "<tr><th>n</th><th>5</th><th>6</th></tr>": "line 2: 2 rows are heads, and it is not sure",
    "<tr><td>QA<td>5<td>6<tr><th>QB<th>5<th>6": "line 1: 2 rows are heads, not all at the top",
    "<tr><td>QA<td>65.5<td>60<td>50": "line 3: 4 cells below 3 heads",
}


@pytest.mark.parametrize("row", REFUSED)
def test_what_is_not_sure_is_refused_with_its_line(row, tmp_path):
    said = refusal(tmp_path, table(row), "t.html")
    assert said.startswith(f"t.html, {REFUSED[row]}") and "; " in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<table><tr><td>a", "there is no </table>"),
        ("<table></table>", "the table has no row"),
        ("<table><td>a</table>", "stands in no row"),
        (table("<tr><td>QA<td>1<td>2") + "\n\n| eval | A |\n|---|---|\n| QA | 60 |\n", "one kind"),
    ],
)
def test_a_table_that_is_not_read(text, why, tmp_path):
    assert why in refusal(tmp_path, text, "t.html")


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_table_is_read_or_refused_in_words(seed, tmp_path):
    made = random.Random(seed)
    at = made.randrange(len(PAGE))
    cut = made.choice(["", "<", ">", "</td>", "<tr>", "<td>", "</table>", "&"])
    try:
        rows(tmp_path, PAGE[:at] + cut + PAGE[at + 1 :])
    except ReportkitError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("text", ['[{"eval": "QA"}]', '{"means": []}', "[[1, 2]]"])
def test_json_is_refused_in_a_sentence(text, tmp_path):
    for name in ("t.json", "t.txt"):
        with pytest.raises(
            ReportkitError, match="is JSON, which is not read here; write the table"
        ):
            rows(tmp_path, text, name)
