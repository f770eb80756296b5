"""What a reader of an eval's numbers has to know: the warnings of a report."""

from collections.abc import Callable, Iterable, Sequence

from reportkit.analysis import questioned
from reportkit.results import DifferenceResult, EvalResult, MeanResult, Warning
from reportkit.text.numbers import count, counted, score_range

WIDE = " Therefore the intervals are wide, and only large differences are found."
FEW_DF = 10.0  # below, an SE rests on few clusters (statistics of Pustejovsky & Tipton 2018)
FULL_OVERLAP = 0.95  # share of a model's questions from which a comparison needs no warning
# Share of a model's planned answers from which leaving them out may change what the report says.
EXCLUDED = 0.05
# An interval that misses so many times as often as it promises is warned of: 0.90 at level 0.95.
LOW_COVERAGE = 2.0


def warnings_of(r: EvalResult) -> Iterable[Warning]:
    """The warnings of one eval's results, its coverage certificates included."""
    for rule in RULES:
        yield from rule(r)


# Of the scores and their runs ---------------------------------------------------------------------


def _scores(r: EvalResult) -> Iterable[Warning]:
    if r.fictional:
        yield _of_eval(
            r,
            "fictional",
            "These scores are generated: the models are fictional, made to show what a report "
            "holds.",
        )
    if not r.scale.percent:
        text = score_range(r)
        message = (
            f"{text[0].upper()}{text[1:]}; they are printed in their own units, not as percent."
        )
        yield _of_eval(r, "own-units", message)
    if len(r.models) == 1:
        yield _of_eval(r, "one-model", "There is one model, so nothing to compare it with.")


def _zeroed(r: EvalResult) -> Iterable[Warning]:
    n = sum(r.zeroed)
    good = (
        " Lower is better, so 0 is no penalty here." if n and r.lower and r.scale.low >= 0.0 else ""
    )
    if r.options.get("errors") == "zero":
        counted_as_zero = f": {count(n)} of them" if n else ""
        message = f"Errored answers count as 0, as was decided{counted_as_zero}.{good}"
        yield _of_eval(r, "errors-zero", message)
    elif n:
        # Of rows that came without their logs, nobody knows whose rule it is.
        rule = ", by the benchmark's rule" if r.runs else ""
        message = (
            f"Answers that failed or were not given count as 0{rule}: {count(n)} of them.{good}"
        )
        yield _of_eval(r, "errors-zero", message)


def _runs(r: EvalResult) -> Iterable[Warning]:
    limited = r.limited()
    if limited:
        named = ", ".join(f"{model} ({limit})" for model, limit in limited.items())
        yield _of_eval(
            r,
            "limited",
            "These runs answered only part of the questions, and their numbers are of that part: "
            f"{named}.",
        )
    same: dict[str, dict[str, str]] = {}  # hash of the bytes -> file -> model
    for run in r.runs:
        same.setdefault(run.sha256, {})[run.file] = run.model
    for files in same.values():
        if len(files) > 1 and len({*files.values()}) > 1:
            yield _of_eval(
                r,
                "same-file",
                f"{' and '.join(files.values())} have the same file, byte for byte: one of them "
                "may be a copy under another name.",
            )
    absent = [left for left in r.left_out if left.run.model not in r.models]
    for model in dict.fromkeys(left.run.model for left in absent):
        why = next(left.why for left in absent if left.run.model == model)
        message = f"{model} is not in this report: {why}."
        yield Warning("model-left-out", r.eval, model, message)


# Of the means -------------------------------------------------------------------------------------


def _means(r: EvalResult) -> Iterable[Warning]:
    for m in r.means:
        yield from _excluded(r, m)
        yield from _missing(r, m)
        yield from _not_estimable(r, m)


def _excluded(r: EvalResult, m: MeanResult) -> Iterable[Warning]:
    planned = r.planned(m)
    excluded = planned - m.n_answers
    if excluded <= EXCLUDED * planned:
        return
    kinds = {
        "errors": m.n_errors,
        "unscored": m.n_unscored,
        "not in the log": excluded - m.n_unscored - m.n_errors,
    }
    if m.n_errors == 1:
        kinds = {kind.replace("errors", "error"): n for kind, n in kinds.items()}
    parts = ", ".join(f"{count(n)} {kind}" for kind, n in kinds.items() if n)
    verb = "is" if excluded == 1 else "are"
    advice = "Run these questions again."
    if m.n_errors:  # no other answers become 0 by that
        advice = (
            "Run these questions again, or decide that errors count as 0: --errors zero, or "
            'errors = "zero" in reportkit.toml.'
        )
    yield Warning(
        "many-excluded",
        r.eval,
        m.model,
        f"{m.model}: {count(excluded)} of {count(planned)} planned answers "
        f"({100.0 * excluded / planned:.1f}%) {verb} excluded: {parts}. Its mean is of the rest, "
        f"and may be far from the mean of all. {advice}",
    )


def _missing(r: EvalResult, m: MeanResult) -> Iterable[Warning]:
    left = []
    if m.n_unscored:
        left.append(f"{counted(m.n_unscored, 'answer')} without a score")
    if m.n_errors:
        left.append(counted(m.n_errors, "error"))
    if left:
        message = f"{m.model}: {' and '.join(left)} left out, not counted as 0."
        yield Warning("missing-scores", r.eval, m.model, message)


def _not_estimable(r: EvalResult, m: MeanResult) -> Iterable[Warning]:
    """Why a model's row has a dash; one reason, the first that holds."""
    if not m.n_questions:
        code, message = "no-score", f"{m.model} has no score at all; its row is empty."
    elif m.n_questions == 1:
        code = "one-question"
        message = f"{m.model} answered one question: its standard error is not estimable."
    elif m.n_clusters == 1:
        code = "one-cluster"
        message = (
            f"{m.model}: all questions are in one cluster; the standard error is not estimable."
        )
    elif m.method == "none" and m.se == 0.0:
        unit = "cluster" if r.clustered else "question"
        code = "no-interval"
        message = (
            f"{m.model}: the standard error is 0, as no {unit} differs from another, "
            "so there is no interval."
        )
    elif m.method == "none":
        code = "too-few"
        units = _units(m.n_questions, m.n_clusters)
        message = f"{m.model}: {units} are too few for an interval."
    else:
        return
    yield Warning(code, r.eval, m.model, message)


READ = "read the interval"
EITHER = "every question right or every one wrong"


def _saturated(r: EvalResult) -> Iterable[Warning]:
    flat = [
        m
        for m in r.means
        if m.se == 0.0 and m.n_questions > 1 and m.mean in r.scale.ends and m.method != "none"
    ]
    if flat:
        who = flat[0].model
        if len(flat) > 1:
            who = f"{counted(len(flat), 'model')} ({who} and {count(len(flat) - 1)} more)"
        best = r.scale.ends[0 if r.lower else 1]
        how = {"right" if m.mean == best else "wrong" for m in flat}
        what = f"every question {how.pop()}" if len(how) == 1 else EITHER
        yield _of_eval(
            r,
            "saturated",
            f"{who} answered {what}. A standard error of 0 then says nothing: {READ}.",
        )


def of_few_clusters(r: EvalResult) -> list[MeanResult]:
    """The means whose standard errors rest on few clusters."""
    return [m for m in r.means if m.df < FEW_DF and r.clustered]


def _few_clusters(r: EvalResult) -> Iterable[Warning]:
    if few := of_few_clusters(r):
        worst = min(few, key=lambda m: m.df)
        none = all(m.method == "none" for m in r.means)  # a warning of its own says it
        wide = "" if none else WIDE
        yield _of_eval(
            r,
            "few-clusters",
            f"The standard errors rest on few clusters: {worst.n_clusters}, with "
            f"{worst.df:.1f} degrees of freedom.{wide}",
        )


# Of the differences -------------------------------------------------------------------------------


def _overlap(r: EvalResult) -> Iterable[Warning]:
    partial = [d for d in r.differences if 0 < d.n_questions < FULL_OVERLAP * _most_questions(d)]
    if partial:
        fewest = min(partial, key=lambda d: d.n_questions)
        yield _of_eval(
            r,
            "overlap",
            f"{count(len(partial))} of {counted(len(r.differences), 'comparison')} "
            f"{'uses' if len(partial) == 1 else 'use'} fewer than 95% of a model's "
            f"questions, the fewest {count(fewest.n_questions)} "
            f"({fewest.model} and {fewest.baseline}). "
            "Only common questions are compared.",
        )
    apart = [d for d in r.differences if not d.n_questions]
    if apart:
        yield _of_eval(
            r,
            "no-common-question",
            f"{_that_have(apart, 'comparison')} no common question, {_first_of(apart)}: "
            "they cannot be compared in pairs.",
        )


def _most_questions(d: DifferenceResult) -> int:
    """Questions of the one of the two models that has more of them."""
    return d.n_questions + max(d.n_only_model, d.n_only_baseline)


def _no_interval(r: EvalResult) -> Iterable[Warning]:
    flat = [d for d in r.differences if d.n_questions and d.method == "none" and d.se == 0.0]
    if flat:
        who = "their clusters" if r.clustered else "they"
        yield _of_eval(
            r,
            "no-interval",
            f"{_that_have(flat, 'difference')} a standard error of 0 and no interval, "
            f"{_first_of(flat)}: {who} differ by the same amount "
            "everywhere, so the error of this amount is unknown.",
        )
    few = [d for d in r.differences if d.method == "none" and d.se > 0.0]
    if few:
        units = _units(few[0].n_questions, few[0].n_clusters)
        yield _of_eval(
            r,
            "too-few",
            f"{_that_have(few, 'difference')} no interval, {_first_of(few)}: {units} are too few.",
        )


def _that_have(pairs: Sequence[DifferenceResult], noun: str) -> str:
    """How many pairs, up to the verb."""
    return f"{counted(len(pairs), noun)} {'has' if len(pairs) == 1 else 'have'}"


def _first_of(pairs: Sequence[DifferenceResult]) -> str:
    """Which pair it is, or the first of several."""
    which = "that of" if len(pairs) == 1 else "the first"
    return f"{which} {pairs[0].model} and {pairs[0].baseline}"


def _units(questions: int, clusters: int) -> str:
    """What an interval rests on: questions, or the clusters they come in."""
    if clusters == questions:
        return counted(questions, "question")
    return counted(clusters, "cluster")


# Of the certificates ------------------------------------------------------------------------------


def _low_coverage(r: EvalResult) -> Iterable[Warning]:
    floor = round(1.0 - LOW_COVERAGE * (1.0 - r.level), 12)
    low = [c for c in r.certificates if c.coverage < floor]
    if not low:
        return
    worst = min(low, key=lambda c: c.coverage)
    if worst.baseline:
        model, name = "", f"that of {worst.model} minus {worst.baseline}"
    else:
        model, name = worst.model, f"the mean of {worst.model}"
    known = sum(c.coverage == c.coverage for c in r.certificates)
    short = "are too short: they promise to hold"
    then = "hold"
    if len(low) == 1:
        short, then = "is too short: it promises to hold", "holds"
    yield Warning(
        "low-coverage",
        r.eval,
        model,
        f"{len(low)} of {counted(known, 'certified interval')} {short} the truth "
        f"in {100.0 * r.level:g}% of evals of this shape, and {then} it in less than "
        f"{100.0 * floor:g}% of simulated evals. The lowest, {name}, holds it in "
        f"{100.0 * worst.coverage:.1f}% (simulation error {100.0 * worst.simulation_error:.1f}%).",
    )


def _of_eval(r: EvalResult, code: str, message: str) -> Warning:
    return Warning(code, r.eval, "", message)


# In the order in which a report prints them.
RULES: tuple[Callable[[EvalResult], Iterable[Warning]], ...] = (
    _scores,
    _zeroed,
    _runs,
    *questioned.RULES,
    _means,
    _saturated,
    _few_clusters,
    _overlap,
    _no_interval,
    _low_coverage,
)
