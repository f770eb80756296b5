"""Tables that a user changes in the notebook: numbered, saved and shown like ours."""

import re

import pytest

from reportkit import make_table
from reportkit.report import Report


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
