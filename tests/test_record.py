"""Records show themselves in a notebook and become frames."""

import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from reportkit import results, stats
from reportkit.analysis import analyse
from reportkit.errors import UnknownNameError
from reportkit.loading.demo import demo_scores
from reportkit.record import Record


@pytest.fixture(scope="module")
def result():
    return analyse(demo_scores(["MATH"]), "MATH")[0]


def test_every_record_shows_itself():
    public = [getattr(results, name) for name in vars(results)]
    public += [getattr(stats, name) for name in stats.__all__]
    records = [c for c in public if isinstance(c, type) and hasattr(c, "__dataclass_fields__")]
    assert len(records) > 25
    assert [c.__name__ for c in records if not issubclass(c, Record)] == []


def test_a_record_of_stats():
    """The example of its docstring: 1, 0, 1, 1 has a mean of 0.75 and an SE of 0.25."""
    estimate = stats.mean_estimate(np.array([1.0, 0.0, 1.0, 1.0]))
    assert estimate.to_frame().to_dict("records") == [
        {"value": 0.75, "se": 0.25, "df": 3.0, "n_questions": 4, "n_clusters": 4}
    ]
    assert "<tr><td>se</td><td>0.25</td></tr>" in estimate._repr_html_()
    assert "se=0.25" in repr(estimate)


def test_a_record_in_a_record_shows_its_own_fields():
    """Answers 1, 0, 1 less 0, 0, 1: the differences 1, 0, 0 have the mean 1/3 and, with a variance
    of 1/3, the SE 1/3.
    """
    difference = stats.paired_difference(np.array([1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0]))
    shown = difference._repr_html_()
    assert "<tr><td>estimate.se</td><td>0.333333</td></tr>" in shown and "Estimate(" not in shown
    frame = difference.to_frame()
    assert frame["estimate.value"].tolist() == pytest.approx([1 / 3], abs=1e-15)


def test_arrays_become_rows():
    pairs = stats.all_pairs(np.array([[1.0, 0, 2], [3, 1, 1], [2, 2, 0], [5, 4, 1]]))
    frame = pairs.to_frame()
    assert len(frame) == 3
    assert list(frame["difference"]) == [1.0, 1.75, 0.75]  # means 2.75, 1.75 and 1


def test_an_eval_gives_its_records(result):
    frame = result.to_frame()
    assert list(frame["model"]) == list(result.models)
    assert list(frame["mean"]) == [m.mean for m in result.means]
    assert (frame["eval"] == "MATH").all()
    assert len(result.to_frame("differences")) == 3
    with pytest.raises(UnknownNameError, match="no records 'mean'.*did you mean 'means'"):
        result.to_frame("mean")
    html = result._repr_html_()
    assert "<td>Galleon</td><td>0.655</td>" in html and "MATH" in html


def test_names_in_html_are_text(result):
    from dataclasses import replace

    hostile = replace(result.means[0], model="<script>x</script>")
    assert "<script>" not in hostile._repr_html_()
    assert "<script>" not in replace(result, means=(hostile,))._repr_html_()


def test_results_need_the_standard_library_alone():
    code = (
        "import sys, reportkit.results; "
        "print({'numpy', 'pandas', 'jinja2', 'scipy'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_records_print_readably(result):
    """A line for each field, and of an eval a line for each model."""
    printed = str(stats.mean_estimate(np.array([1.0, 0.0, 1.0, 1.0]))).splitlines()
    assert printed[:3] == ["Estimate", "value        0.75", "se           0.25"]
    lines = str(result).splitlines()
    assert lines[1].split() == ["MATH", "match", "5000", "none", "declared"]
    assert [line.split()[:2] for line in lines[4:]] == [
        ["Galleon", "0.655"],  # the means of Miller 2024, Table 2
        ["Dreadnought", "0.63"],
        ["Frigate", "0.6494"],
    ]


def test_what_analyse_returns_is_short_in_a_notebook(result):
    from IPython.lib.pretty import pretty

    assert pretty((result, ())) == (
        "(<EvalResult eval='MATH' metric='match' models=3 questions=5000>, ())"
    )


def test_printed_names_move_no_cursor(result):
    from dataclasses import replace

    hostile = replace(result.means[0], model="\x1b[2Ja\nb\ud800")
    assert not {"\x1b", "\ud800"} & set(str(hostile))
    assert "\\x1b[2Ja\\nb\\ud800" in str(hostile)


def test_records_in_a_field_are_counted_and_not_printed_line_in_line():
    """A record that holds records prints a line for each of its own fields."""

    @dataclass(frozen=True)
    class Inner(Record):
        x: float

    @dataclass(frozen=True)
    class Outer(Record):
        many: tuple[Inner, ...]
        none: tuple[Inner, ...] = ()

    assert str(Outer((Inner(1.0), Inner(2.0)))).splitlines() == [
        "Outer", "many   2 × Inner", "none",
    ]  # fmt: skip
