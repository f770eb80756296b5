"""What a reader of an eval's numbers has to know: the warnings of a report."""

from collections.abc import Iterable

from reportkit.results import EvalResult, MeanResult, Warning
from reportkit.text.numbers import bare, counted

FEW_DF = 10.0  # below, an SE rests on few clusters (statistics of Pustejovsky & Tipton 2018)
FULL_OVERLAP = 0.95
# share of a model's planned answers from which leaving them out may change what the report says
EXCLUDED = 0.05
# an interval that misses so many times as often as it promises is warned of: 0.90 at level 0.95
LOW_COVERAGE = 2.0


def warnings_of(r: EvalResult) -> Iterable[Warning]:
    """The warnings of one eval's results, its coverage certificates included."""

    def warn(code: str, message: str, model: str = "") -> Warning:
        return Warning(code, r.eval, model, message)

    if r.fictional:
        yield warn(
            "fictional",
            "These scores are generated: the models are fictional, made to show what a report "
            "holds.",
        )
    if not r.scale.percent:
        yield warn(
            "own-units",
            f"Scores run from {bare(r.scale.low)} to {bare(r.scale.high)} and are printed in "
            "their own units, not as percent.",
        )
    if len(r.models) == 1:
        yield warn("one-model", "There is one model, so nothing to compare it with.")
    if r.options.get("errors") == "zero":
        n = sum(r.zeroed)
        yield warn(
            "errors-zero",
            f"Errored answers count as 0, as reportkit.toml says{f': {n} of them' if n else ''}.",
        )
    elif any(r.zeroed):
        yield warn(
            "errors-zero",
            "Answers that failed or were not given count as 0, by the benchmark's rule: "
            f"{sum(r.zeroed)} "
            "of them.",
        )
    limited = {run["model"]: run["limit"] for run in r.runs if run["limit"]}
    if limited:
        named = ", ".join(f"{model} ({limit})" for model, limit in limited.items())
        yield warn(
            "limited",
            f"Runs cut down to part of the questions, of which their numbers are: {named}.",
        )
    of_bytes: dict[str, dict[str, str]] = {}
    for run in r.runs:
        of_bytes.setdefault(run["sha256"], {})[run["file"]] = run["model"]
    for files in of_bytes.values():
        if len(files) > 1 and len({*files.values()}) > 1:
            yield warn(
                "same-file",
                f"{' and '.join(files.values())} have the same file, byte for byte: one of them "
                "may be "
                "a copy under another name.",
            )
    for model in dict.fromkeys(run["model"] for run in r.left_out if run["model"] not in r.models):
        why = next(run["why"] for run in r.left_out if run["model"] == model)
        yield warn("model-left-out", f"{model} is not in this report: {why}.", model)
    for m in r.means:
        yield from _mean_warnings(r, m, warn)
    flat_models = [
        m
        for m in r.means
        if m.se == 0.0 and m.n_questions > 1 and m.mean in (0.0, 1.0) and m.method != "none"
    ]
    if flat_models:
        yield warn(
            "saturated",
            f"{counted(len(flat_models), 'model')}, the first {flat_models[0].model}, answered "
            "every question right or every "
            "one wrong: a standard error of 0 then says nothing, and the interval is to be read.",
        )
    few = [m for m in r.means if m.df < FEW_DF and r.clustered]
    if few:
        worst = min(few, key=lambda m: m.df)
        yield warn(
            "few-clusters",
            f"The standard errors rest on few clusters: {worst.n_clusters} of them carry "
            f"{worst.df:.1f} degrees of freedom. Intervals are wide because of it; detectable "
            "differences, which take "
            "the normal distribution, are too small.",
        )
    partial = [
        d
        for d in r.differences
        if 0
        < d.n_questions
        < FULL_OVERLAP * max(d.n_questions + d.n_only_model, d.n_questions + d.n_only_baseline)
    ]
    if partial:
        worst_pair = min(partial, key=lambda d: d.n_questions)
        yield warn(
            "overlap",
            f"{len(partial)} of {len(r.differences)} comparisons use fewer than 95% of a model's "
            "questions, the fewest "
            f"{worst_pair.n_questions} ({worst_pair.model} and {worst_pair.baseline}): only "
            "common questions are compared.",
        )
    apart = [d for d in r.differences if not d.n_questions]
    if apart:
        yield warn(
            "no-common-question",
            f"{len(apart)} comparisons have no common question, the first {apart[0].model} and "
            f"{apart[0].baseline}: "
            "they cannot be compared in pairs.",
        )
    flat = [d for d in r.differences if d.n_questions and d.method == "none" and d.se == 0.0]
    if flat:
        yield warn(
            "no-interval",
            f"{len(flat)} differences have a standard error of 0 and no interval, the first "
            f"{flat[0].model} and "
            f"{flat[0].baseline}: {'their clusters' if r.clustered else 'they'} differ by the "
            "same everywhere, so nothing says "
            "by how much they could.",
        )
    tiny = [d for d in r.differences if d.method == "none" and d.se > 0.0]
    if tiny:
        yield warn(
            "too-few",
            f"{len(tiny)} differences have no interval, the first {tiny[0].model} and "
            f"{tiny[0].baseline}: "
            f"{_units(tiny[0].n_questions, tiny[0].n_clusters)} are too few.",
        )
    yield from _coverage_warnings(r)


def _units(questions: int, clusters: int) -> str:
    """What an interval rests on: questions, or the clusters they come in."""
    return f"{questions} questions" if clusters == questions else f"{clusters} clusters"


def _mean_warnings(r: EvalResult, m: MeanResult, warn) -> Iterable[Warning]:
    planned = r.planned(m)
    if planned - m.n_answers > EXCLUDED * planned:
        gone = planned - m.n_answers - m.n_unscored - m.n_errors
        parts = [
            f"{n} {what}"
            for n, what in (
                (m.n_errors, "errors"),
                (m.n_unscored, "unscored"),
                (gone, "not in the log"),
            )
            if n
        ]
        yield warn(
            "many-excluded",
            f"{m.model}: {planned - m.n_answers} of {planned} planned answers "
            f"({100.0 * (planned - m.n_answers) / planned:.1f}%) are excluded: "
            f"{', '.join(parts)}. Its mean is of the rest, "
            "and may be far from that of all. Run these questions again, or decide in "
            "reportkit.toml that errors count as 0 "
            '(errors = "zero").',
            m.model,
        )
    left = [f"{m.n_unscored} answers without a score"] * bool(m.n_unscored) + [
        f"{m.n_errors} errors"
    ] * bool(m.n_errors)
    if left:
        yield warn(
            "missing-scores",
            f"{m.model}: {' and '.join(left)} left out, not counted as 0.",
            m.model,
        )
    if not m.n_questions:
        yield warn("no-score", f"{m.model} has no score at all; its row is empty.", m.model)
    elif m.n_questions == 1:
        yield warn(
            "one-question",
            f"{m.model} answered one question: its standard error is not estimable.",
            m.model,
        )
    elif m.n_clusters == 1:
        yield warn(
            "one-cluster",
            f"{m.model}: all questions are in one cluster; the standard error is not estimable.",
            m.model,
        )
    elif m.method == "none" and m.se == 0.0:
        yield warn(
            "no-interval",
            f"{m.model}: the standard error is 0, as no "
            f"{'cluster' if r.clustered else 'question'} differs from another, "
            "so there is no interval.",
            m.model,
        )
    elif m.method == "none":
        yield warn(
            "too-few",
            f"{m.model}: {_units(m.n_questions, m.n_clusters)} are too few for an interval.",
            m.model,
        )


def _coverage_warnings(r: EvalResult) -> Iterable[Warning]:
    floor = round(1.0 - LOW_COVERAGE * (1.0 - r.level), 12)
    low = [c for c in r.certificates if c.coverage < floor]
    if low:
        worst = min(low, key=lambda c: c.coverage)
        name = (
            f"that of {worst.model} minus {worst.baseline}"
            if worst.baseline
            else f"the mean of {worst.model}"
        )
        known = sum(c.coverage == c.coverage for c in r.certificates)
        yield Warning(
            "low-coverage",
            r.eval,
            "" if worst.baseline else worst.model,
            f"{len(low)} of {known} certified intervals hold the truth in less than "
            f"{100.0 * floor:g}% of simulated evals of "
            f"this shape, where they promise {100.0 * r.level:g}%; the lowest, {name}, in "
            f"{100.0 * worst.coverage:.1f}% "
            f"(simulation error {100.0 * worst.simulation_error:.1f}%). Read them as too short.",
        )
