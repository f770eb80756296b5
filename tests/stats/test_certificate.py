"""Coverage certificates: against enumeration, against slow simulations of whole evals, and in a
report.
"""

import csv
import itertools
import json
import math
import tracemalloc
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from pypdf import PdfReader
from scipy.stats import binom, multinomial

from reportkit.analysis import analyse
from reportkit.builds.build import build
from reportkit.cli import main
from reportkit.errors import ScoresError
from reportkit.loading.read import read_scores
from reportkit.schema import results_schema
from reportkit.stats.coverage.certificate import (
    Certificate,
    certify_difference,
    certify_mean,
)
from reportkit.stats.coverage.simulated import simulation_error
from reportkit.stats.means.intervals import mean_interval
from reportkit.stats.pairs.paired import paired_difference
from reportkit.tables import make_table

SLOW = 1500  # evals of the slow simulations


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def agree(c: Certificate, inside: list[bool], errors: float = 4.0) -> None:
    """Two simulations within their joint error."""
    share = float(np.mean(inside))
    assert abs(c.coverage - share) < errors * math.hypot(
        c.simulation_error, simulation_error(share, len(inside))
    )


def holds(interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


# Against enumeration ------------------------------------------------------------------------------


@pytest.mark.parametrize(("right", "n"), [(0, 7), (3, 5), (9, 12), (12, 12), (29, 30), (60, 100)])
def test_binary_mean_against_every_outcome(right, n):
    """Sum of the binomial over the k whose interval, from question scores, holds the mean."""
    scores = np.repeat([0.0, 1.0], [n - right, right])
    c = certify_mean(scores, binary=True, repeats=20_000, rng=rng())
    assert c.mean == pytest.approx((right + 0.5) / (n + 1) if right in (0, n) else right / n)
    intervals = [
        mean_interval(np.repeat([0.0, 1.0], [n - k, k]), binary=True) for k in range(n + 1)
    ]
    exact = sum(binom.pmf(k, n, c.mean) for k in range(n + 1) if holds(intervals[k], c.mean))
    assert abs(c.coverage - exact) < 4 * max(c.simulation_error, 0.25 / 20_000)
    assert (c.not_printed, c.reason) == (0.0, "") and math.isnan(c.icc) and math.isnan(c.answer_icc)


@pytest.mark.parametrize(
    ("gain", "loss", "n"), [(2, 1, 6), (3, 0, 8), (0, 0, 5), (5, 5, 10), (6, 0, 6)]
)
@pytest.mark.parametrize("share", [None, True])
def test_binary_difference_against_every_outcome(gain, loss, n, share):
    """Sum of the trinomial over all gains and losses whose interval, from question scores, holds
    the difference.
    """

    def models(up: int, down: int) -> tuple[np.ndarray, np.ndarray]:
        return np.repeat([1.0, 0, 1], [up, down, n - up - down]), np.repeat(
            [0.0, 1, 1], [up, down, n - up - down]
        )

    said = {"binary": True, "share": share}
    c = certify_difference(*models(gain, loss), **said, repeats=20_000, rng=rng())
    # All the same: half a question of the n + 1 differs; all gains: half a question of the n + 1 is
    # a tie.
    tie = 0.5 / (n + 1)
    g, m = (
        (tie / 2, tie / 2)
        if gain + loss == 0
        else (1 - tie, 0.0)
        if gain == n
        else (gain / n, loss / n)
    )
    assert c.mean == pytest.approx(g - m)
    exact = 0.0
    for up in range(n + 1):
        for down in range(n + 1 - up):
            interval = paired_difference(*models(up, down), binary=True).interval
            if interval.low - 1e-12 <= g - m <= interval.high + 1e-12:
                exact += float(multinomial.pmf([up, down, n - up - down], n, [g, m, 1 - g - m]))
    assert abs(c.coverage - exact) < 4 * max(c.simulation_error, 0.25 / 20_000)


def test_repeated_answers_against_every_outcome():
    """4 questions of 2 answers each, by the chances of 0, 1 and 2 right answers to a question."""
    c = certify_mean(
        np.array([1.0, 1.0, 0.5, 0.0]), epochs=np.full(4, 2), binary=True, repeats=20_000, rng=rng()
    )
    # Variance of the means 11/48, within (1/2)/4, noise half of it: between 1/6, and 1/6 / (1/6 +
    # 1/8) = 4/7.
    assert c.answer_icc == pytest.approx(4 / 7) and c.mean == 0.625
    same = 4 / 7 * 0.625 * 0.375
    chance = {0.0: 0.375**2 + same, 0.5: 2 * (0.625 * 0.375 - same), 1.0: 0.625**2 + same}
    inside = printed = 0.0
    for drawn in itertools.product(chance, repeat=4):
        interval = mean_interval(np.array(drawn), binary=True, n_answers=8)
        weight = math.prod(chance[x] for x in drawn)
        printed += weight * (interval.low == interval.low)
        inside += weight * holds(interval, 0.625)
    assert c.not_printed == pytest.approx(1.0 - printed, abs=4 * math.sqrt(0.002 / 20_000))
    assert printed == pytest.approx(1.0)  # also with 1/2 everywhere: Wilson's interval of half of 4
    assert abs(c.coverage - inside / printed) < 4 * c.simulation_error


# Against slow simulations of whole evals ----------------------------------------------------------

SIZES = np.array([1, 2, 2, 3, 5, 8, 12, 20])
CLUSTERS = np.repeat(np.arange(8), SIZES)


def beta(r: np.random.Generator, mean: float, icc: float) -> float:
    """One Beta draw of variance icc mean (1 - mean), by the two gammas that make it."""
    if icc <= 0.0 or mean in (0.0, 1.0):
        return mean
    if icc >= 1.0:
        return float(r.random() < mean)
    x, y = r.gamma(mean * (1 / icc - 1)), r.gamma((1 - mean) * (1 / icc - 1))
    return x / (x + y) if x + y > 0 else float(r.random() < mean)


def clustered_scores(seed: int, spread: float) -> np.ndarray:
    r = rng(seed)
    shares = 1 / (1 + np.exp(-1.5 - spread * r.standard_normal(8)))
    return (r.random(len(CLUSTERS)) < shares[CLUSTERS]).astype(float)


@pytest.mark.parametrize("spread", [0.0, 2.0])
def test_clustered_binary_against_questions_one_by_one(spread):
    c = certify_mean(clustered_scores(3, spread), CLUSTERS, binary=True, repeats=8000, rng=rng())
    assert (c.icc > 0.1) == (spread > 0.0)
    r, inside = rng(1), []
    for _ in range(SLOW):
        shares = np.array([beta(r, c.mean, c.icc) for _ in SIZES])
        scores = (r.random(len(CLUSTERS)) < shares[CLUSTERS]).astype(float)
        inside.append(holds(mean_interval(scores, CLUSTERS, binary=True), c.mean))
    agree(c, inside)


def test_clusters_of_one_size_are_drawn_together_and_alike():
    """60 clusters of 3: totals by a multinomial; the slow way question by question."""
    clusters = np.repeat(np.arange(60), 3)
    r = rng(5)
    shares = np.array([beta(r, 0.8, 0.5) for _ in range(60)])
    c = certify_mean(
        (r.random(180) < shares[clusters]).astype(float),
        clusters,
        binary=True,
        repeats=8000,
        rng=rng(),
    )
    inside = []
    for _ in range(SLOW):
        shares = np.array([beta(r, c.mean, c.icc) for _ in range(60)])
        scores = (r.random(180) < shares[clusters]).astype(float)
        inside.append(holds(mean_interval(scores, clusters, binary=True), c.mean))
    agree(c, inside)


def test_clustered_repeated_answers_against_answers_one_by_one():
    """Cluster, question and answer are drawn in turn; the correlations are those of the
    certificate.
    """
    k = np.where(np.arange(len(CLUSTERS)) % 3 == 0, 2, 4)
    r = rng(11)
    shares = np.array([beta(r, 0.7, 0.3) for _ in SIZES])
    drawn = r.binomial(k, [beta(r, shares[g], 0.3) for g in CLUSTERS]) / k
    c = certify_mean(drawn, CLUSTERS, k, binary=True, repeats=8000, rng=rng())
    # variance of question scores over mean (1 - mean)
    observed = c.answer_icc + (1 - c.answer_icc) * np.mean(1 / k)
    groups = c.icc * observed
    assert 0 < groups < c.answer_icc
    inside = []
    for _ in range(SLOW // 2):
        shares = np.array([beta(r, c.mean, groups) for _ in SIZES])
        right = [beta(r, shares[g], (c.answer_icc - groups) / (1 - groups)) for g in CLUSTERS]
        scores = r.binomial(k, right) / k
        interval = mean_interval(scores, CLUSTERS, binary=True, n_answers=int(k.sum()))
        inside.append(holds(interval, c.mean))
    agree(c, inside)


@pytest.mark.parametrize("units", [False, True])
def test_scores_that_are_not_binary_against_questions_one_by_one(units):
    """Beta question scores around Beta cluster means; in units of 10 to 30 the same evals, judged
    by t.
    """
    r = rng(2)
    shares = np.array([beta(r, 0.85, 0.1) for _ in SIZES])
    x = np.array([beta(r, shares[g], 0.3) for g in CLUSTERS])
    given = {"low": 10.0, "high": 30.0} if units else {"share": True}
    c = certify_mean(10.0 + 20.0 * x if units else x, CLUSTERS, **given, repeats=8000, rng=rng())
    mean, total = float(x.mean()), float(x.var()) / float(x.mean() * (1 - x.mean()))
    assert c.mean == pytest.approx(10 + 20 * mean if units else mean)
    inside = []
    for _ in range(SLOW // 2):
        shares = np.array([beta(r, mean, c.icc * total) for _ in SIZES])
        rest = (total - c.icc * total) / (1 - c.icc * total)
        scores = np.array([beta(r, shares[g], rest) for g in CLUSTERS])
        inside.append(holds(mean_interval(scores, CLUSTERS, share=not units), mean))
    agree(c, inside)


def test_clustered_differences_against_questions_one_by_one():
    a, b = clustered_scores(7, 2.0), clustered_scores(8, 2.0)
    c = certify_difference(a, b, CLUSTERS, binary=True, share=True, repeats=8000, rng=rng())
    assert c.mean == pytest.approx(float(np.mean(a - b))) and 0.02 < c.icc < 0.98
    kinds = np.array([np.mean(a > b), np.mean(a < b), np.mean(a == b)])
    r, inside = rng(1), []
    for _ in range(SLOW // 2):
        shares = r.dirichlet(kinds * (1 / c.icc - 1), size=8)
        u = r.random(len(CLUSTERS))
        kind = np.where(
            u < shares[CLUSTERS, 0], 0, np.where(u < shares[CLUSTERS, :2].sum(axis=1), 1, 2)
        )
        found = paired_difference(
            (kind == 0) * 1.0, (kind == 1) * 1.0, CLUSTERS, binary=True, share=True
        )
        inside.append(holds(found.interval, c.mean))
    agree(c, inside)


@pytest.mark.parametrize("units", [False, True])
def test_differences_of_other_scores_against_questions_one_by_one(units):
    """Gains and losses of Beta size: 0.2 and 0.6 on average, half of the questions tie."""
    r, n = rng(4), 40
    d = np.where(
        np.arange(n) < 12, r.beta(2, 8, n), np.where(np.arange(n) < 20, -r.beta(6, 4, n), 0.0)
    )
    a, b = np.maximum(d, 0.0), np.maximum(-d, 0.0)
    given = {"low": 0.0, "high": 7.0} if units else {"share": True}
    scale = 7.0 if units else 1.0
    c = certify_difference(scale * a, scale * b, **given, repeats=8000, rng=rng())
    assert c.mean == pytest.approx(scale * float(d.mean()))
    up, down = d[d > 0], -d[d < 0]

    def icc(x: np.ndarray) -> float:
        return float(x.var() / (x.mean() * (1 - x.mean())))

    inside = []
    for _ in range(SLOW // 2):
        kind = r.choice(3, p=[12 / n, 8 / n, 20 / n], size=n)
        x = [
            0
            if k == 2
            else beta(r, up.mean(), icc(up))
            if k == 0
            else -beta(r, down.mean(), icc(down))
            for k in kind
        ]
        first, second = np.maximum(x, 0.0), np.maximum(-np.array(x), 0.0)
        inside.append(holds(paired_difference(first, second, share=not units).interval, d.mean()))
    agree(c, inside)


# Properties ---------------------------------------------------------------------------------------


def test_the_same_generator_gives_the_same_certificate():
    scores = clustered_scores(3, 2.0)
    one, two, other = (
        certify_mean(scores, CLUSTERS, binary=True, rng=rng(seed)) for seed in (1, 1, 2)
    )
    assert one == two
    assert one.coverage != other.coverage and one.icc == other.icc


def test_units_change_nothing_but_the_mean():
    x = rng(3).beta(2, 2, 50)
    one = certify_mean(x, low=0.0, high=1.0, rng=rng())
    two = certify_mean(100.0 * x - 7.0, low=-7.0, high=93.0, rng=rng())
    assert two.mean == pytest.approx(100 * one.mean - 7)
    # rounding may move one or two of 2000
    assert two.coverage == pytest.approx(one.coverage, abs=0.002)


def test_swapping_the_models_flips_the_mean_and_keeps_the_rest():
    a, b = clustered_scores(7, 2.0), clustered_scores(8, 2.0)
    one = certify_difference(a, b, CLUSTERS, binary=True, share=True, repeats=8000, rng=rng())
    two = certify_difference(b, a, CLUSTERS, binary=True, share=True, repeats=8000, rng=rng(1))
    assert (two.mean, two.icc) == (pytest.approx(-one.mean), pytest.approx(one.icc))
    assert abs(one.coverage - two.coverage) < 4 * math.hypot(
        one.simulation_error, two.simulation_error
    )


def test_right_and_wrong_answers_in_clusters_are_covered_alike():
    """Nine right answers of 100, and nine wrong ones: clusters that are alike inside tell as little
    of either (where the right answers alone counted, the second was covered in 94.5%, not 97.8%).
    """
    few = np.zeros((20, 5))
    few[3, :4] = few[11] = 1.0
    labels = np.repeat(np.arange(20), 5)
    one, two = (
        certify_mean(x.ravel(), labels, binary=True, repeats=4000, rng=rng())
        for x in (few, 1.0 - few)
    )
    assert (two.mean, two.icc) == (pytest.approx(1.0 - one.mean), pytest.approx(one.icc))
    error = math.hypot(one.simulation_error, two.simulation_error)
    assert abs(one.coverage - two.coverage) < 4.0 * error < 0.02


def test_labels_of_clusters_and_order_of_questions_change_nothing():
    scores, order = clustered_scores(3, 2.0), rng(9).permutation(len(CLUSTERS))
    named = np.array(list("abcdefgh"))[CLUSTERS]
    one = certify_mean(scores, CLUSTERS, binary=True, rng=rng())
    two = certify_mean(scores[order], named[order], binary=True, rng=rng())
    assert (two.coverage, two.mean) == (one.coverage, pytest.approx(one.mean))


def test_clusters_that_are_all_alike_inside():
    """ICC 1: each cluster is one answer, so 4 equal clusters are 4 answers; half of them 0 give a
    mean of 1/2.
    """
    clusters = np.repeat(np.arange(4), 5)
    c = certify_mean(np.repeat([0.0, 0, 1, 1], 5), clusters, binary=True, repeats=20_000, rng=rng())
    assert (c.icc, c.mean) == (pytest.approx(1.0), 0.5)
    exact = sum(
        binom.pmf(k, 4, 0.5)
        * holds(
            mean_interval(np.repeat(np.arange(4) < k, 5).astype(float), clusters, binary=True), 0.5
        )
        for k in range(5)
    )
    assert abs(c.coverage - exact) < 4 * c.simulation_error


def test_evals_without_an_interval_do_not_count():
    """Four questions at both ends of their own units are drawn as 0 or 1: all equal one time in
    eight.
    """
    own = {"binary": False, "low": 0.0, "high": 1.0}
    c = certify_mean(np.array([0.0, 0.0, 1.0, 1.0]), **own, repeats=20_000, rng=rng())
    # V = mean (1 - mean): draws are 0 or 1, all equal with probability 2/16, and then without
    # interval; else at least 0.25 -+ 3.18 * 0.25, which holds 0.5.
    assert abs(c.not_printed - 0.125) < 4 * math.sqrt(0.125 * 0.875 / 20_000)
    assert c.coverage == 1.0 and c.simulation_error == pytest.approx(
        0.5 / (20_000 * (1 - c.not_printed) + 1)
    )


@pytest.mark.parametrize(
    ("scores", "clusters", "given", "reason"),
    [
        ([1.0], None, {"binary": True}, "one question"),
        ([1.0, 0.0, 1.0], [5, 5, 5], {"binary": True}, "one cluster"),
        ([0.4, 0.4, 0.4], None, {"share": True}, "do not vary"),
        ([3.0, 3.0, 3.0], None, {}, "do not vary"),
        ([0.0, 0.0, 0.0], None, {"binary": False}, "do not vary"),
    ],
)
def test_what_cannot_be_certified_is_nan_with_its_reason(scores, clusters, given, reason):
    labels = None if clusters is None else np.array(clusters)
    c = certify_mean(np.array(scores), labels, **given, rng=rng())
    assert math.isnan(c.coverage) and math.isnan(c.simulation_error) and reason in c.reason
    c = certify_difference(
        np.array(scores) + 2.0, np.full(len(scores), 2.0), labels, low=0.0, high=9.0, rng=rng()
    )
    assert math.isnan(c.coverage) and c.reason


def test_perfect_shares_and_identical_models_are_certified():
    """Printed with an interval, so there is something to certify: means of (n + 1/2)/(n + 1),
    differences of 0.
    """
    ones, clusters = np.ones(12), np.repeat(np.arange(6), 2)
    for given in ({"binary": True}, {"share": True}):
        for labels in (None, clusters):
            c = certify_mean(ones, labels, **given, rng=rng())
            assert c.mean == pytest.approx(12.5 / 13) and c.coverage > 0.5
            d = certify_difference(ones, ones, labels, **given | {"share": True}, rng=rng())
            assert d.mean == 0.0 and d.coverage > 0.9


def test_wrong_arguments_are_said():
    with pytest.raises(ValueError, match="binary and share need scores between 0 and 1"):
        certify_mean(np.array([0.0, 2.0]), binary=True, rng=rng())
    with pytest.raises(ValueError, match="beyond 0 to 1"):
        certify_mean(np.array([0.0, 2.0]), low=0.0, high=1.0, rng=rng())
    with pytest.raises(ValueError, match="epochs have shape"):
        certify_mean(np.array([0.0, 1.0]), epochs=np.array([1]), rng=rng())
    with pytest.raises(ValueError, match="answered 2 and 3 questions"):
        certify_difference(np.zeros(2), np.zeros(3), rng=rng())
    with pytest.raises(ValueError, match="repeats"):
        certify_mean(np.array([0.0, 1.0]), binary=True, repeats=0, rng=rng())


def test_memory_stays_small_at_100_000_questions():
    x = rng(0).beta(2, 1, 100_000)
    tracemalloc.start()
    certify_mean(x, np.repeat(np.arange(20_000), 5), share=True, repeats=30, rng=rng())
    certify_difference(
        x, x[::-1], np.repeat(np.arange(20_000), 5), share=True, repeats=30, rng=rng()
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6


# In a report --------------------------------------------------------------------------------------

FORMATS = ("tex", "md", "html", "typ", "csv")
SKEWED = {"A": (1, 2, 1, 3, 2, 1, 1, 400), "B": (5, 2, 4, 3, 6, 1, 9, 300), "C": (3,) * 8}


@pytest.fixture(scope="module")
def skewed(tmp_path_factory) -> Path:
    """Eight scores in seconds, one of them huge: t intervals miss the mean of such data far too
    often.
    """
    path = tmp_path_factory.mktemp("scores") / "latency.csv"
    rows = [f"{m},q{i},{x}" for m, scores in SKEWED.items() for i, x in enumerate(scores)]
    path.write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    return path


@pytest.fixture(scope="module")
def built(skewed, tmp_path_factory, warm) -> tuple[Path, Path]:
    """The same scores with a certificate and without."""
    out = tmp_path_factory.mktemp("reports")
    for name, certificate in (("with", True), ("without", False)):
        formats = ("html", "md", "tex", "pdf") if certificate else ("md",)
        assert (
            build([str(skewed)], out=out / name, certificate=certificate, formats=formats).failures
            == {}
        )
    return out / "with" / "latency", out / "without" / "latency"


def results(folder: Path) -> dict:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_a_report_with_its_certificate(built):
    asked, plain = built
    assert {p.suffix[1:] for p in (asked / "tables").glob("certificate.*")} == set(FORMATS)
    got = results(asked)
    jsonschema.validate(got, results_schema())
    rows = got["evals"][0]["certificates"]
    assert [(c["model"], c["baseline"]) for c in rows] == [
        ("A", ""), ("B", ""), ("C", ""), ("A", "B"), ("A", "C"), ("B", "C"),
    ]  # fmt: skip
    assert all(
        c["coverage"] is None and "do not vary" in c["reason"]
        for c in rows
        if (c["model"], c["baseline"]) == ("C", "")
    )
    with (asked / "tables" / "certificate.csv").open(newline="") as lines:
        assert [float(x["coverage"] or "nan") for x in csv.DictReader(lines)] == pytest.approx(
            [math.nan if c["coverage"] is None else c["coverage"] for c in rows], nan_ok=True
        )
    [b] = [c for c in rows if (c["model"], c["baseline"]) == ("B", "")]
    shown = f"{100 * b['coverage']:.1f}% ({100 * b['simulation_error']:.1f}%)"
    pdf = " ".join(page.extract_text() for page in PdfReader(asked / "report.pdf").pages)
    for text in (*((asked / f"report.{s}").read_text() for s in ("html", "md", "tex")), pdf):
        said = " ".join(text.replace("\\%", "%").split())
        assert shown in said and "It does not say that an interval printed here is right" in said
    assert b["coverage"] < 0.9
    [low] = [w for w in got["warnings"] if w["code"] == "low-coverage"]
    assert (
        "less than 90% of simulated evals" in low["message"]
        and low["message"] in (asked / "report.md").read_text()
    )
    assert got["report"]["parameters"]["certificate"] is True
    assert json.loads((asked / "manifest.json").read_text())["command"].endswith(" --certificate")
    assert "{coverage}" in (asked / "numbers.tex").read_text()


def test_a_report_without_is_as_if_there_were_none(built):
    asked, plain = built
    got = results(plain)
    assert "certificates" not in got["evals"][0]
    assert got["report"]["parameters"]["certificate"] is False
    assert not list((plain / "tables").glob("certificate.*"))
    assert "overage" not in (plain / "report.md").read_text() + (plain / "numbers.tex").read_text()
    jsonschema.validate(got, results_schema())
    # And nothing else differs.
    for kind in ("means", "differences", "power"):
        assert got["evals"][0][kind] == results(asked)["evals"][0][kind]


def test_certificates_do_not_depend_on_what_else_the_report_holds(skewed):
    frame = read_scores([str(skewed)])

    def rows(**options) -> dict:
        found = analyse(frame, "latency", certificate=True, **options)[0].certificates
        return {(c.model, c.baseline): c for c in found}

    every, fewer, other = rows(), rows(models=["C", "B"], baseline="C"), rows(seed=1)
    # Draws are scaled to the range of the models chosen, so the numbers are the same only with the
    # whole of them.
    turned = rows(models=["C", "B", "A"])
    for name in ("A", "B"):
        assert turned[name, ""] == every[name, ""] != other[name, ""]
    one, two = every["A", "B"], turned["B", "A"]
    assert (one.coverage, one.mean, one.method) == (two.coverage, -two.mean, two.method)
    assert set(fewer) == {("C", ""), ("B", ""), ("B", "C")}


def test_perfect_scores_and_clusters_in_a_table(tmp_path):
    path = tmp_path / "s.csv"
    rows = [
        f"{m},q{i},p{i // 3},{k},{s(i, k)}"
        for m, s in (("X", lambda i, k: 1), ("Y", lambda i, k: (i + k) % 4 // 3))
        for i in range(18)
        for k in (1, 2)
    ]
    path.write_text("\n".join(["model,question_id,cluster_id,epoch,score", *rows]) + "\n")
    result, warned = analyse(read_scores([str(path)]), "s", certificate=True)
    table = make_table(result, "certificate")
    heads = [
        "Interval of",
        "Coverage",
        "Mean",
        "ICC",
        "Answer ICC",
        "Questions",
        "Clusters",
        "Answers",
        "Method",
    ]
    assert [c.head for c in table.columns] == heads
    assert [row[0] for row in table.cells] == ["X", "Y", "X − Y"]
    assert table.cells[0][2:8] == ("97.4%", "0.00", "0.00", "18", "6", "36")  # 18.5 / 19
    assert table.cells[2][7] == "72" and any("half a question away" in note for note in table.notes)
    assert all(row["coverage"] > 0.9 for row in table.data) and "low-coverage" not in {
        w.code for w in warned
    }
    assert not make_table(analyse(read_scores([str(path)]), "s")[0], "certificate").cells


def test_the_table_command_makes_one(skewed, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["table", "certificate", str(skewed), "--models", "A"])
    assert ended.value.code == 0
    assert "| A | " in capsys.readouterr().out


def test_a_seed_that_starts_nothing_is_said(skewed):
    with pytest.raises(ScoresError, match="seed = -1 is no whole number from 0; give 0 or more"):
        analyse(read_scores([str(skewed)]), "latency", certificate=True, seed=-1)
