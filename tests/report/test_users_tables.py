"""Tables that a user changes in the notebook: numbered, saved and shown like ours."""

import re

import nbformat
import pandas as pd
import pytest
from support.places import ROOT

from reportkit import make_table
from reportkit.errors import OutputError
from reportkit.report import Report
from reportkit.tables import FORMATS


@pytest.fixture
def report(tmp_path):
    return Report(eval="MGSM", out=tmp_path / "out")


def test_a_table_with_more_digits(report, tmp_path):
    """MGSM of Galleon is 1882 right answers of 2500: 75.28%."""
    shown = report.table("means", digits=2)
    assert "75.28% (" in shown.bundle["text/vnd.typst"].replace("~", " ")
    report.finish(documents=False)  # what cells saved is put in place at the end
    for suffix in ("md", "tex", "html"):
        saved = (tmp_path / "out" / "tables" / f"means.{suffix}").read_text()
        assert re.search(r"75\.28\\?% \(", saved), suffix


def test_a_changed_table_takes_the_place_of_ours(report, tmp_path):
    mine = make_table(report.result, "means").without("Clusters").with_names({"Galleon": "ours"})
    shown = report.table(mine)
    assert shown.bundle["text/markdown"].startswith("**Table 1:")
    report.finish(documents=False)
    saved = (tmp_path / "out" / "tables" / "means.md").read_text()
    assert "| ours |" in saved and "Clusters" not in saved.partition("\n\n")[2].partition("\n")[0]


# --- tables, scores and results of the user's own


def test_a_frame_is_shown_and_saved_in_every_format(report, tmp_path):
    # 1950, 1882 and 1745 right answers of 2500: 0.78, 0.7528, 0.698, as the scores themselves say
    counts = {m.model: round(m.mean * m.n_questions) for m in report.result.means}
    frame = report.scores.groupby("model").agg(share=("score", "mean"), right=("score", "sum"))
    assert frame["right"].to_dict() == counts
    assert counts == {"Dreadnought": 1950, "Galleon": 1882, "Frigate": 1745}
    shown = report.save(frame, "by-hand", caption="Shares of right answers.")
    assert shown.bundle["text/markdown"].startswith("**Table 1: Shares of right answers.**")
    assert "| Galleon | 0.753 | 1,882 |" in shown.bundle["text/markdown"]
    report.finish(documents=False)
    folder = tmp_path / "out" / "tables"
    assert {p.suffix[1:] for p in folder.glob("by-hand.*")} == set(FORMATS)
    assert (folder / "by-hand.csv").read_text() == (
        "model,share,right\nDreadnought,0.78,1950.0\nFrigate,0.698,1745.0\nGalleon,0.7528,1882.0\n"
    )
    assert r"Galleon & 0.753 & 1,882 \\" in (folder / "by-hand.tex").read_text()


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        # 0.041 has three significant digits with four decimals, of which the data have three
        ([0.036, 0.041], ["0.036", "0.041"]),
        ([0.74, 0.687], ["0.740", "0.687"]),  # one column, as many decimals
        ([0.0361, 0.041], ["0.0361", "0.0410"]),
        ([1 / 3, 0.5], ["0.333", "0.500"]),
        ([2.5, 100.0], ["2", "100"]),  # as before: three digits of the largest number
    ],
)
def test_a_cell_has_no_digit_that_the_column_does_not_have(report, column, cells):
    printed = report.save(pd.DataFrame({"SE": column}), "rounded").bundle["text/markdown"]
    rows = [line.strip("| ") for line in printed.splitlines() if line.startswith("|")]
    assert rows[2:] == cells


def test_what_a_script_prints_of_a_shown_table_says_what_it_is(report):
    shown = report.save(pd.DataFrame({"a": [1]}), "own", "My *own* table.")
    assert repr(shown).startswith("<Shown: Table 1: My ") and "object at" not in repr(shown)
    assert "A notebook displays it" in repr(shown)


def test_a_frame_of_several_levels_texts_and_gaps(report):
    frame = pd.DataFrame(
        {("A", "x"): [1.5, 2.25], ("A", "y"): [100, None], ("B", "z"): ["a|b", pd.NA]}
    )
    printed = report.save(frame, "mine", "Mine.", digits=1).bundle["text/markdown"]
    rows = [line for line in printed.splitlines() if line.startswith("|")]
    assert rows == [
        "| A: x | A: y | B: z |", "|---:|---:|:---|", "| 1.5 | 100 | a&#124;b |", "| 2.2 | — | — |"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["means", "../mine", "", "a b", "x.y"])
def test_a_name_that_is_ours_or_no_files_is_refused(report, name):
    with pytest.raises(OutputError, match="name"):
        report.save(pd.DataFrame({"a": [1]}), name)


def test_scores_are_those_of_the_models_that_are_reported(tmp_path):
    chosen = Report(eval="MGSM", models="Galleon,Frigate", out=tmp_path / "out")
    scores = chosen.scores
    assert set(scores["model"]) == {"Galleon", "Frigate"} and len(scores) == 5000
    means = {m.model: m.mean for m in chosen.result.means}
    assert scores.groupby("model")["score"].mean().to_dict() == pytest.approx(means, abs=1e-12)


def test_the_cell_that_tells_of_own_cells_calls_what_there_is(report):
    """Every `report.` name that the template's Markdown names is there."""
    cells = nbformat.read(ROOT / "notebooks" / "template.ipynb", as_version=4).cells
    told = [c for c in cells if "remove-cell" in c.metadata.get("tags", [])]
    assert len(told) == 1
    for name in re.findall(r"`report\.(\w+)", told[0].source):
        assert hasattr(report, name), name
    for fmt in FORMATS:
        assert f".{fmt}`" in told[0].source


def test_a_figure_that_repeats_a_table_is_saved_and_not_shown(tmp_path):
    """One model: its table has the variance. Three: the differences have the correlations."""
    one = Report(eval="HumanEval", models="Galleon", out=tmp_path / "one")
    assert one.figure("variance") is None
    three = Report(eval="HumanEval", out=tmp_path / "three")
    assert three.figure("correlations") is None
    assert three.figure("variance") is not None
    one.finish(documents=False)
    three.finish(documents=False)
    assert (tmp_path / "one" / "figures" / "variance.svg").is_file()
    assert (tmp_path / "three" / "figures" / "correlations.svg").is_file()


def test_correlations_are_shown_where_the_table_has_part_of_the_pairs(tmp_path):
    report = Report(eval="MGSM", baseline="Galleon", out=tmp_path / "out")
    assert report.figure("correlations") is not None
