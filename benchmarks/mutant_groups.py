"""Which tests answer for which modules, for mutants.py. tests/test_mutant_groups.py fails where a
module with functions is in no group, so that a new one cannot be forgotten.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("stats", "analysis", "tables", "text")


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are tested by the same tests: all that are quick and that answer for them. A
    mutant runs those of them that reach its function, until one fails.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


WORKED = "tests/stats/test_worked_numbers.py"
SOFTWARE = "tests/reference/test_statsmodels.py"
PUBLISHED = "tests/reference/test_published.py"
GROUPS = {
    "families": Group(
        (
            "stats/multiplicity",
            "stats/best",
            "stats/ranks",
            "stats/simultaneous",
            "stats/exceedance",
        ),
        (
            "tests/stats/test_multiplicity.py",
            "tests/stats/test_best.py",
            "tests/stats/test_ranks.py",
            WORKED,
            SOFTWARE,
        ),
    ),
    "estimates": Group(
        (
            "stats/mean",
            "stats/intervals",
            "stats/mean_intervals",
            "stats/tango",
            "stats/paired",
            "stats/clusters",
            "stats/kinds",
            "stats/available",
            "stats/digits",
            "stats/paired_counts",
            "stats/proportions",
            "stats/evidence",
        ),
        (
            "tests/stats/test_clusters.py",
            "tests/stats/test_digits.py",
            "tests/stats/test_edges.py",
            "tests/stats/test_evidence.py",
            "tests/stats/test_intervals.py",
            "tests/stats/test_mean.py",
            "tests/stats/test_paired_counts.py",
            "tests/stats/test_rounding_and_duality.py",
            WORKED,
            SOFTWARE,
        ),
    ),
    "pairs": Group(
        (
            "stats/pairwise",
            "stats/pairwise_missing",
            "stats/pairwise_patterns",
            "stats/pair_moments",
        ),
        (
            "tests/stats/test_pairwise.py",
            "tests/stats/test_edges.py",
            "tests/stats/test_rounding_and_duality.py",
            "tests/analysis/test_results.py",
            "tests/analysis/test_detectable.py",
        ),
    ),
    "planning": Group(
        (
            "stats/power",
            "stats/detectable",
            "stats/assured",
            "stats/discordance",
            "stats/components",
            "stats/pilot",
            "stats/epochs",
        ),
        (
            "tests/stats/test_power.py",
            "tests/stats/test_detectable.py",
            "tests/stats/test_components.py",
            "tests/stats/test_rounding_and_duality.py",
            WORKED,
            SOFTWARE,
            PUBLISHED,
        ),
    ),
    "designs": Group(
        ("stats/design", "stats/averages"),
        ("tests/stats/test_design.py", WORKED, PUBLISHED),
    ),
    "posteriors": Group(
        ("stats/bayes", "stats/bayes_pairs", "stats/bivariate", "stats/quadrature"),
        ("tests/stats/test_bayes.py", "tests/stats/test_intervals.py", WORKED),
    ),
    "counts": Group(
        (
            "stats/exact",
            "stats/repeats",
            "stats/regression",
            "stats/equivalence",
            "stats/grouped",
        ),
        (
            "tests/stats/test_exact.py",
            "tests/stats/test_regression.py",
            "tests/stats/test_equivalence.py",
            "tests/stats/test_grouped.py",
            "tests/scores/test_selfcheck.py",
            WORKED,
            PUBLISHED,
        ),
    ),
    "certificates": Group(
        (
            "stats/certificate",
            "stats/drawing",
            "stats/eval_shape",
            "stats/simulated_coverage",
            "analysis/certificates",
            "tables/certificate",
        ),
        (
            "tests/stats/test_certificate.py",
            "tests/stats/test_drawing.py",
            "tests/stats/test_simulated_coverage.py",
            "tests/tables/test_certificate.py",
        ),
    ),
    "reports": Group(
        (
            "analysis/__init__",
            "analysis/chances",
            "analysis/codes",
            "analysis/comparisons",
            "analysis/detectable",
            "analysis/means",
            "analysis/answer_noise",
            "analysis/best",
            "analysis/warnings",
            "analysis/copies",
            "analysis/questioned",
            "analysis/questions",
            "analysis/units",
            "tables/power",
            "tables/detectable",
            "analysis/macro",
            "analysis/requested/__init__",
            "analysis/requested/common",
            "analysis/requested/equivalence",
            "analysis/requested/passes",
            "analysis/requested/posterior",
            "analysis/requested/request",
            "analysis/requested/scores_compared",
            "analysis/requested/simultaneous",
            "analysis/requested/strata",
            "tables/common",
            "tables/equivalence",
            "tables/macro",
            "tables/scores_compared",
            "tables/simultaneous",
            "tables/strata",
            "tables/passes",
            "tables/posterior",
            "tables/ranks",
            "tables/means",
            "tables/differences",
            "tables/cells",
            "text/numbers",
        ),
        ("tests/analysis", "tests/tables", "tests/text/test_numbers.py"),
    ),
    "layout": Group(
        (
            "tables/__init__",
            "tables/csv",
            "tables/data",
            "tables/data_notes",
            "tables/draft",
            "tables/grid",
            "tables/html",
            "tables/kinds",
            "tables/latex",
            "tables/notes",
            "tables/paper",
            "tables/plain",
            "tables/render",
            "tables/renaming",
            "tables/several",
            "tables/shortened",
            "tables/siunitx",
            "tables/table",
            "text/environment",
            "text/escaping",
            "text/latex",
            "text/latex_width",
            "text/visible",
        ),
        ("tests/tables", "tests/analysis/test_best.py", "tests/text"),
    ),
    "pictures": Group(
        ("text/assets", "text/figure_width", "text/fonts"),
        ("tests/figures", "tests/text/test_fonts.py", "tests/text/test_glyphs.py"),
    ),
}
MODULES = tuple(module for group in GROUPS.values() for module in group.modules)


def modules_with_functions() -> set[str]:
    """All modules of the four packages in which a function stands, methods included."""
    found = set()
    for package in PACKAGES:
        for path in (ROOT / "reportkit" / package).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if any(isinstance(node, ast.FunctionDef) for node in nodes):
                found.add(path.relative_to(ROOT / "reportkit").with_suffix("").as_posix())
    return found
