"""numbers.tex and numbers.md: keys that cannot clash, and what they print."""

import re

import pandas as pd
import pytest
from pypdf import PdfReader
from support.engines import latex

from reportkit.analysis import analyse
from reportkit.documents.macros import Number, list_numbers, numbers, render_numbers
from reportkit.loading.demo import demo_scores

DOCUMENT = r"""\documentclass{article}
%s
\begin{document}\raggedright
%s
\end{document}
"""


def typeset(folder, files: dict[str, list[Number]], body: str, engine: str = "pdflatex") -> str:
    for name, entries in files.items():
        (folder / f"{name}.tex").write_text(render_numbers(entries), encoding="utf-8")
    inputs = "\n".join(rf"\input{{{name}}}" for name in files)
    (folder / "t.tex").write_text(DOCUMENT % (inputs, body), encoding="utf-8")
    latex(engine, folder, "t.tex")
    text = "".join(page.extract_text() for page in PdfReader(folder / "t.pdf").pages)
    return re.sub(r"\s+", " ", text)


def of(eval: str, mean: str = "65.5%", model: str = "Galleon") -> list[Number]:
    return [Number(eval, model, "mean", mean)]


@pytest.mark.latex
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_evals_of_like_names_stand_in_one_paper(engine, tmp_path):
    files = {"a": of("HumanEval", "1.5%"), "b": of("HumanEval+", "2.5%"), "c": of("MATH", "3.5%")}
    files["d"] = of("math", "4.5%")
    body = r"\rk{HumanEval}{Galleon}{mean} \rk{HumanEval+}{Galleon}{mean} \rk{MATH}{Galleon}{mean}"
    text = typeset(tmp_path, files, body + r" \rk{math}{Galleon}{mean}", engine)
    assert text.startswith("1.5% 2.5% 3.5% 4.5%")


@pytest.mark.latex
def test_a_short_name_of_two_numbers_prints_neither(tmp_path):
    files = {"a": of("HumanEval", "1.5%"), "b": of("HumanEval+", "2.5%")}
    with pytest.raises(AssertionError, match="HumanEvalGalleonMean is the short name of two"):
        typeset(tmp_path, files, r"\HumanEvalGalleonMean{}")
    both = {"a": of("E", "1", "a-b") + of("E", "2", "a_b")}  # within one file as well
    with pytest.raises(AssertionError, match="EABMean is the short name of two"):
        typeset(tmp_path, both, r"\EABMean{}")


@pytest.mark.latex
def test_the_same_numbers_twice_are_no_error(tmp_path):
    body = r"\MathGalleonMean{} \rk{MATH}{Galleon}{mean}"
    text = typeset(tmp_path, {"suite": of("MATH"), "own": of("MATH")}, body)
    assert text.startswith("65.5% 65.5%")


@pytest.mark.latex
def test_two_builds_of_one_eval_print_neither_number(tmp_path):
    files = {"old": of("MATH", "64.5%") + of("DROP"), "new": of("MATH", "65.5%") + of("DROP")}
    assert typeset(tmp_path, files, r"\rk{DROP}{Galleon}{mean}").startswith("65.5%")
    for use in (r"\rk{MATH}{Galleon}{mean}", r"\MathGalleonMean{}"):
        with pytest.raises(AssertionError, match="Two numbers for"):
            typeset(tmp_path, files, use)


@pytest.mark.latex
def test_a_command_of_latex_stays_what_it_is(tmp_path):
    (tmp_path / "own.tex").write_text(r"\newcommand{\MathGalleonMean}{my own}", encoding="utf-8")
    (tmp_path / "numbers.tex").write_text(render_numbers(of("MATH")), encoding="utf-8")
    (tmp_path / "t.tex").write_text(
        DOCUMENT % (r"\input{own}\input{numbers}", r"\MathGalleonMean{}"), encoding="utf-8"
    )
    log = latex("pdflatex", tmp_path, "t.tex")
    assert "my own" in PdfReader(tmp_path / "t.pdf").pages[0].extract_text()
    assert "MathGalleonMean is a command" in log


@pytest.fixture(scope="module")
def math():
    """MATH of the demonstration: Miller 2024, Tables 2 and 5."""
    result, _ = analyse(demo_scores(["MATH"]), eval="MATH", models="Galleon,Dreadnought")
    return {n[:3]: n for n in numbers(result)}


def test_a_mean_with_its_error_is_one_number(math):
    assert math["MATH", "Galleon", "estimate"].text == "65.5% (0.7%)"  # Table 2


def test_a_difference_is_in_points_both_ways(math):
    # Table 5: +2.5% (0.7%), (1.2%, 3.8%)
    there = "Galleon - Dreadnought"
    assert math["MATH", there, "difference"].text == "+2.5 points"
    assert math["MATH", there, "estimate"].text == "+2.5 (0.7) points"
    assert math["MATH", there, "ci"].text == "(+1.2, +3.8) points"
    back = "Dreadnought - Galleon"
    assert math["MATH", back, "difference"].text == "−2.5 points"
    assert math["MATH", back, "ci"].text == "(−3.8, −1.2) points"
    for what in ("se", "p", "pvalue", "adjustedp", "correlation", "mde", "n"):
        assert math["MATH", back, what].text == math["MATH", there, what].text


def test_the_chance_of_being_better_turns_with_the_pair():
    frame = demo_scores(["MATH"])
    first = frame["question_id"].drop_duplicates().iloc[:60]
    few = frame[frame["question_id"].isin(first)]
    result, _ = analyse(few, eval="MATH", models="Galleon,Dreadnought")
    found = {n.model: float(n.text) for n in numbers(result) if n.what == "pgreater"}
    assert len(found) == 2 and sum(found.values()) == pytest.approx(1.0, abs=1e-9)


def test_a_posterior_of_a_difference_is_in_points():
    """As every difference of shares: Tables 2 and 5 of Miller 2024 have 65.5, 63.0 and +2.5."""
    frame = demo_scores(["MATH"])
    result, _ = analyse(frame, eval="MATH", models="Galleon,Dreadnought", tables="posterior")
    texts = {n.model: n.text for n in numbers(result) if n.what == "posteriormean"}
    assert texts == {
        "Galleon": "65.5%", "Dreadnought": "63.0%", "Galleon - Dreadnought": "+2.5 points"
    }  # fmt: skip


def test_two_pairs_of_like_names_are_two_numbers():
    """ "A" and "B - C" make the name of "A - B" and "C": the build stopped with an error."""
    right = {"A": 9, "B - C": 7, "A - B": 4, "C": 2}  # of ten
    frame = pd.DataFrame(
        {m: [1] * k + [0] * (10 - k) for m, k in right.items()}, index=[*"abcdefghij"]
    )
    found = [n for n in numbers(analyse(frame, "E")[0]) if n.what == "difference"]
    assert render_numbers(found).count("points") == len({n.model for n in found}) == 12
    texts = {n.model: n.text for n in found}
    assert texts["A minus B - C"] == texts["A - B minus C"] == "+20.0 points"
    assert texts["A - C"] == "+70.0 points"


@pytest.mark.latex
def test_p_is_mathematics(math, tmp_path):
    number = math["MATH", "Galleon - Dreadnought", "pvalue"]
    assert number.math and number.text.startswith("p ")
    small = Number("E", "a", "p", "<0.001", math=True)
    source = render_numbers([number, small])
    assert r"\ensuremath{p " in source
    body = r"(\rk{E}{a}{p}) (\rk{MATH}{Galleon - Dreadnought}{pvalue})"
    assert "(< 0.001)" in typeset(tmp_path, {"n": [number, small]}, body).replace("<0", "< 0")


def test_only_a_few_numbers_have_short_names(math):
    source = render_numbers(math.values())
    names = re.findall(r"(?m)^\\rkname\{(\w+)\}", source)
    assert "MathGalleonMean" in names and "MathGalleonCilow" not in names
    assert len(names) < 0.6 * len(math)


def test_the_list_names_each_key_and_what_it_prints(math):
    text = list_numbers(math.values())
    row = r"| MATH | Galleon | mean | 65.5% | `\rk{MATH}{Galleon}{mean}` | `\MathGalleonMean` |"
    assert row in text
    assert text.count("\n| MATH |") == len(math)


def test_the_list_shows_odd_names_as_they_are():
    odd = Number("E", "a`b|<i>*c*", "mean", "1")
    row = list_numbers([odd]).splitlines()[-1]
    assert row.count("|") == 7 and "<i>" not in row
    clash = list_numbers(of("E", "1", "a-b") + of("E", "2", "a_b"))
    assert r"\EABMean" not in clash
