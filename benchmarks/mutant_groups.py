"""Which tests answer for which modules, for mutants.py. A module that no group names has the tests
of its package, so that a new one cannot be forgotten.
"""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    *("stats", "analysis", "tables", "text", "loading/published"),
    *("figures", "documents", "builds"),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are tested by the same tests: all that are quick and that answer for them. A
    mutant runs those of them that reach its function, until one fails.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


@cache
def modules_with_functions() -> frozenset[str]:
    """All modules of these packages in which a function stands, methods included."""
    found = set()
    for package in PACKAGES:
        for path in (ROOT / "reportkit" / package).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if any(isinstance(node, ast.FunctionDef) for node in nodes):
                found.add(path.relative_to(ROOT / "reportkit").with_suffix("").as_posix())
    return frozenset(found)


def of(*starts: str) -> tuple[str, ...]:
    """The modules whose names begin so."""
    return tuple(sorted(m for m in modules_with_functions() if m.startswith(starts)))


def tests_of(*starts: str) -> tuple[str, ...]:
    """The files of tests whose names begin so, a new one among them."""
    paths = (path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))
    return tuple(sorted(p for p in paths if p.startswith(tuple(f"tests/{s}" for s in starts))))


WORKED = "tests/stats/test_worked_numbers.py"
SOFTWARE = "tests/reference/test_statsmodels.py"
PUBLISHED = "tests/reference/test_published.py"
READING = (
    *("", "_asked", "_changes", "_html", "_latex"),
    *("_marks", "_mixed", "_others", "_settings", "_two_heads"),
)
GROUPS = {
    "builds compared": Group(
        ("stats/changes", "analysis/gone", "analysis/moved", "analysis/rounds"),
        ("tests/stats/test_changes.py", "tests/analysis/test_moved.py"),
    ),
    "families": Group(
        (
            "stats/multiplicity",
            "stats/families/best",
            "stats/families/ranks",
            "stats/families/simultaneous",
            "stats/families/exceedance",
        ),
        (
            "tests/stats/test_multiplicity.py",
            "tests/stats/test_best.py",
            "tests/stats/test_exceedance.py",
            "tests/stats/test_ranks.py",
            "tests/stats/test_limits_of_rounding.py",
            "tests/analysis/test_best.py",
            "tests/analysis/test_one_inference.py",
            "tests/analysis/test_rank_results.py",
            "tests/analysis/test_simultaneous.py",
            WORKED,
            SOFTWARE,
        ),
    ),
    "estimates": Group(
        (
            "stats/kinds",
            "stats/pairs/available",
            "stats/digits",
            "stats/pairs/counts",
            "stats/means/mean",
            "stats/intervals",
            "stats/means/intervals",
            "stats/pairs/tango",
            "stats/pairs/paired",
            "stats/clusters",
            "stats/means/proportions",
            "stats/evidence",
        ),
        (
            "tests/stats/test_clusters.py",
            "tests/stats/test_digits.py",
            "tests/stats/test_duality.py",
            "tests/stats/test_edges.py",
            "tests/stats/test_evidence.py",
            "tests/stats/test_intervals.py",
            "tests/stats/test_kinds.py",
            "tests/stats/test_impossible_numbers.py",
            "tests/stats/test_limits_of_rounding.py",
            "tests/stats/test_mean.py",
            "tests/stats/test_paired_counts.py",
            "tests/stats/test_rounding_and_duality.py",
            "tests/analysis/test_ranges.py",
            "tests/analysis/test_results.py",
            "tests/analysis/test_functions_agree.py",
            WORKED,
            SOFTWARE,
        ),
    ),
    "pairs": Group(
        (
            "stats/pairs/every",
            "stats/pairs/missing",
            "stats/pairs/patterns",
            "stats/pairs/moments",
            "stats/pairs/evidence",
        ),
        (
            "tests/stats/test_pairwise.py",
            "tests/stats/test_pair_evidence.py",
            "tests/stats/test_edges.py",
            "tests/stats/test_rounding_and_duality.py",
            "tests/analysis/test_results.py",
            "tests/analysis/test_detectable.py",
        ),
    ),
    "planning": Group(
        (
            "stats/planning/needed",
            "stats/planning/detectable",
            "stats/planning/assured",
            "stats/planning/discordance",
            "stats/variance_components",
            "stats/planning/pilot",
            "stats/planning/epochs",
        ),
        (
            "tests/stats/test_power.py",
            "tests/stats/test_detectable.py",
            "tests/stats/test_components.py",
            "tests/stats/test_rounding_and_duality.py",
            "tests/analysis/test_detectable.py",
            "tests/analysis/test_planning_separate.py",
            "tests/tables/test_power.py",
            WORKED,
            SOFTWARE,
            PUBLISHED,
        ),
    ),
    "alternatives": Group(
        (
            "stats/planning/against",
            "stats/planning/alternative",
            "stats/planning/certainty",
            "stats/planning/clusters",
            "stats/planning/expected",
            "stats/planning/expected_law",
            "stats/pairs/designs",
            "stats/planning/quantities",
            "stats/planning/several_answers",
            "stats/planning/share_powers",
            "stats/planning/tails",
            "stats/planning/within_margin",
        ),
        (
            "tests/stats/test_detectable.py",
            "tests/stats/test_several_answers.py",
            "tests/stats/test_share_powers.py",
            "tests/stats/test_expected.py",
            "tests/stats/test_cluster_shares.py",
            "tests/stats/test_newcombe_power.py",
            "tests/stats/test_seldom_seen.py",
            "tests/stats/test_power.py",
            "tests/stats/test_tails.py",
            "tests/stats/test_within_margin.py",
            "tests/analysis/test_planning_against.py",
            "tests/analysis/test_planning_margins.py",
            "tests/analysis/test_planning_separate.py",
        ),
    ),
    "plans": Group(
        of("analysis/planning/", "tables/planning/"),
        (
            *tests_of("analysis/test_planning", "tables/test_planning"),
            "tests/cli/test_power.py",
            "tests/reference/test_public_evals.py",
            "tests/report/test_planning_report.py",
        ),
    ),
    "published": Group(
        (
            "stats/published",
            *of("analysis/published/"),
            "tables/published",
            "tables/published_marks",
            "tables/published_units",
        ),
        (
            "tests/stats/test_published.py",
            *tests_of("analysis/test_published"),
            "tests/loading/test_published.py",
            "tests/loading/test_published_changes.py",
            "tests/loading/test_published_mixed.py",
            "tests/cli/test_check_table.py",
            "tests/tables/test_published_values.py",
        ),
    ),
    "reading": Group(
        of("loading/published/"),
        (
            *(f"tests/loading/test_published{which}.py" for which in READING),
            "tests/analysis/test_published.py",
            "tests/cli/test_check_table.py",
        ),
    ),
    "suites": Group(
        (*of("analysis/suite"), "analysis/order", *of("tables/suite")),
        (
            "tests/analysis/test_mirrored.py",
            "tests/analysis/test_order.py",
            "tests/analysis/test_suite.py",
            "tests/analysis/test_suite_decided.py",
            "tests/tables/test_suite.py",
            "tests/tables/test_suite_values.py",
        ),
    ),
    "requested": Group(
        (
            *of("analysis/requested/"),
            "tables/requested/clustering_all",
            "tables/requested/equivalence",
            "tables/requested/f1",
            "tables/requested/macro",
            "tables/requested/other_methods",
            "tables/requested/passes",
            "tables/requested/posterior",
            "tables/requested/regression",
            "tables/requested/scores_compared",
            "tables/requested/simultaneous",
            "tables/requested/strata",
        ),
        (
            "tests/analysis/test_equivalence.py",
            "tests/analysis/test_requested.py",
            "tests/analysis/test_requested_numbers.py",
            "tests/analysis/test_scores_compared.py",
            "tests/analysis/test_simultaneous.py",
            "tests/analysis/test_strata.py",
            "tests/tables/test_clustering_all.py",
            "tests/tables/test_f1.py",
            "tests/tables/test_macro.py",
            "tests/tables/test_other_methods.py",
            "tests/tables/test_regressions.py",
            "tests/tables/test_requested.py",
            "tests/tables/test_requested_values.py",
        ),
    ),
    "designs": Group(
        ("stats/means/design", "stats/means/averages"),
        ("tests/stats/test_design.py", WORKED, PUBLISHED),
    ),
    "posteriors": Group(
        (
            "stats/bayes/shares",
            "stats/bayes/pairs",
            "stats/bayes/bivariate",
            "stats/bayes/quadrature",
        ),
        (
            "tests/stats/test_bayes.py",
            "tests/stats/test_intervals.py",
            "tests/analysis/test_equivalence.py",
            "tests/analysis/test_requested.py",
            WORKED,
        ),
    ),
    "counts": Group(
        (
            "stats/exact",
            "stats/repeats",
            "stats/regression",
            "stats/pairs/margins",
            "stats/means/grouped",
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
            "stats/coverage/certificate",
            "stats/coverage/drawing",
            "stats/coverage/shape",
            "stats/coverage/simulated",
            "analysis/certificates",
            "tables/requested/certificate",
        ),
        (
            "tests/stats/test_certificate.py",
            "tests/stats/test_drawing.py",
            "tests/stats/test_simulated_coverage.py",
            "tests/tables/test_certificate.py",
        ),
    ),
    "results": Group(
        (
            "analysis/__init__",
            "analysis/answer_noise",
            "analysis/best",
            "analysis/chances",
            "analysis/codes",
            "analysis/comparisons",
            "analysis/copies",
            "analysis/detectable",
            "analysis/elsewhere",
            "analysis/exact",
            "analysis/macro",
            "analysis/means",
            "analysis/questioned",
            "analysis/questions",
            "analysis/settings",
            "analysis/units",
            "analysis/usage",
        ),
        (
            "tests/analysis/test_answer_noise.py",
            "tests/analysis/test_best.py",
            "tests/analysis/test_copies.py",
            "tests/analysis/test_detectable.py",
            "tests/analysis/test_each_pair_alone.py",
            "tests/analysis/test_few_clusters.py",
            "tests/analysis/test_functions_agree.py",
            "tests/analysis/test_mirrored.py",
            "tests/analysis/test_one_inference.py",
            "tests/analysis/test_questions.py",
            "tests/analysis/test_ranges.py",
            "tests/analysis/test_requested_numbers.py",
            "tests/analysis/test_results.py",
            "tests/analysis/test_settings.py",
            "tests/analysis/test_usage.py",
            "tests/analysis/test_warning_codes.py",
            "tests/tables/test_macro.py",
            "tests/tables/test_means.py",
            "tests/tables/test_other_methods.py",
            "tests/tables/test_requested.py",
            "tests/tables/test_values.py",
        ),
    ),
    "shared": Group(
        ("analysis/mixed", "analysis/one_eval", "analysis/shared", "analysis/warnings"),
        (
            "tests/analysis/test_every_warning.py",
            "tests/analysis/test_few_clusters.py",
            "tests/analysis/test_mixed.py",
            "tests/analysis/test_order.py",
            "tests/analysis/test_questions.py",
            "tests/analysis/test_ranges.py",
            "tests/analysis/test_requested.py",
            "tests/analysis/test_results.py",
            "tests/analysis/test_same_questions.py",
            "tests/analysis/test_settings.py",
            "tests/analysis/test_shared.py",
        ),
    ),
    "cells": Group(
        (
            "tables/aligned",
            "tables/captions",
            "tables/cells",
            "tables/columns",
            "tables/correlations",
            "tables/detectable",
            "tables/differences",
            "tables/elsewhere",
            "tables/frames",
            "tables/given",
            "tables/means",
            "tables/power",
            "tables/ranks",
            "tables/requested/common",
            "tables/stand_ins",
            "tables/usage",
        ),
        (
            "tests/analysis/test_detectable.py",
            "tests/analysis/test_questions.py",
            "tests/analysis/test_rank_results.py",
            "tests/tables/test_aligned.py",
            "tests/tables/test_data.py",
            "tests/tables/test_differences.py",
            "tests/tables/test_every_note.py",
            "tests/tables/test_make_table.py",
            "tests/tables/test_means.py",
            "tests/tables/test_power.py",
            "tests/tables/test_requested.py",
            "tests/tables/test_several.py",
            "tests/tables/test_short.py",
            "tests/tables/test_singular.py",
            "tests/tables/test_stand_ins.py",
            "tests/tables/test_stated_facts.py",
            "tests/tables/test_values.py",
            "tests/tables/test_whole_tables.py",
        ),
    ),
    "layout": Group(
        (
            "tables/__init__",
            "tables/writers/csv",
            "tables/data",
            "tables/data_notes",
            "tables/draft",
            "tables/grid",
            "tables/writers/html",
            "tables/kinds",
            "tables/writers/latex",
            "tables/notes",
            "tables/paper",
            "tables/writers/plain",
            "tables/writers/render",
            "tables/renaming",
            "tables/several",
            "tables/shortened",
            "tables/writers/siunitx",
            "tables/table",
            "text/environment",
            "text/escaping",
            "text/latex",
            "text/latex_width",
            "text/visible",
        ),
        ("tests/tables", "tests/analysis", "tests/text"),
    ),
    "pictures": Group(
        ("text/assets", "text/figure_width", "text/fonts"),
        ("tests/figures", "tests/text/test_fonts.py", "tests/text/test_glyphs.py"),
    ),
}
REPORTS = ("tests/analysis", "tests/tables", "tests/text/test_numbers.py")
OF_PACKAGE = {
    "stats": ("tests/stats", SOFTWARE),
    "analysis": REPORTS,
    "tables": REPORTS,
    "text": ("tests/text",),
    "loading/published": ("tests/loading",),
    "figures": ("tests/figures", "tests/report/test_planning_report.py"),
    "documents": (
        *("tests/documents", "tests/report", "tests/builds", "tests/cli/test_check_table.py"),
        *("tests/analysis/test_best.py", "tests/analysis/test_one_inference.py"),
        *("tests/analysis/test_published.py", "tests/analysis/test_published_words.py"),
        "tests/tables/test_suite.py",
    ),
    "builds": ("tests/builds", "tests/documents/test_numbers.py"),
}


def others(package: str) -> tuple[str, ...]:
    """The modules of a package that no group names."""
    named = {module for group in GROUPS.values() for module in group.modules}
    found = sorted(modules_with_functions() - named)
    return tuple(module for module in found if module.startswith(f"{package}/"))


GROUPS |= {f"other {name}": Group(others(name), tests) for name, tests in OF_PACKAGE.items()}
MODULES = tuple(module for group in GROUPS.values() for module in group.modules)
