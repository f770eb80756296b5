"""Every default drop-in fits the page of a paper in type of 8 pt or more, measured in the PDF."""

import pytest
from support.engines import ARTICLE, IEEE, TWOCOLUMN, typeset
from support.pdfs import EIGHT, type_sizes
from support.suites_made import suite_results

from reportkit.analysis import analyse
from reportkit.analysis.suite_decided import suite_for
from reportkit.decisions import Decisions
from reportkit.loading.demo import demo_scores
from reportkit.tables import KINDS, make_table
from reportkit.tables.writers.render import render_drop_in

pytestmark = pytest.mark.latex
CLASSES = {"article": ARTICLE, "two columns": TWOCOLUMN, "IEEEtran": IEEE}


def demonstration():
    scores = demo_scores(["MATH", "MGSM"])
    return [analyse(scores, name)[0] for name in ("MATH", "MGSM")]


def drop_ins(results):
    """The drop-ins of the evals' own reports and, of several evals, of the suite's."""
    kinds = [k for k, kind in KINDS.items() if kind.in_reports and not kind.on_request]
    own = [k for k in kinds if KINDS[k].suite is None]
    tables = [make_table(r, k) for r in results for k in own]
    if len(results) > 1:
        suite = suite_for(results, Decisions(), {})
        tables += [make_table(suite, k) for k in kinds if KINDS[k].suite is not None]
        tables += [make_table(results, k) for k in ("means", "differences")]
    return [
        render_drop_in(table, "tex").replace(r"\label{tab:", rf"\label{{tab:{k}-")
        for k, table in enumerate(tables)
    ]


def fits(folder, bodies, head):
    """Nothing beyond a margin (typeset refuses an overfull box), and no type below 8 pt."""
    typeset(folder, "pdflatex", bodies, head=CLASSES[head], runs=3)
    # Captions of IEEEtran are in small capitals.
    sizes = type_sizes(folder / "t.pdf", r"\d[.,]\d" if head == "IEEEtran" else r"\S")
    assert len(sizes) > 50
    assert min(sizes) >= EIGHT


@pytest.mark.parametrize("head", CLASSES)
def test_the_demonstration_is_in_eight_points_or_more(head, tmp_path):
    fits(tmp_path, drop_ins(demonstration()), head)


@pytest.mark.slow
@pytest.mark.parametrize("head", CLASSES)
@pytest.mark.parametrize("n_models", [25, 58])
def test_many_models_are_in_eight_points_or_more(n_models, head, tmp_path):
    fits(tmp_path, drop_ins(suite_results(2, n_models, differences=True)), head)
