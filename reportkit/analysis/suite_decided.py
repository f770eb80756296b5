"""What is decided of several evals together: order, weights, published scores, names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportkit.analysis.elsewhere import published_scores
from reportkit.analysis.suite import suite_of
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.results import EvalResult, SuiteResult
from reportkit.scores.select import split_names
from reportkit.suites import PublishedScore


def decided_suite(
    results: Sequence[EvalResult],
    d: Decisions,
    own: Mapping[str, Decisions],
    left_out: Mapping[str, str] | None = None,
) -> SuiteResult:
    """The suite as it is decided. d: for all evals. own: all that is decided for each eval.

    UnknownNameError where the order names what there is not; ScoresError for a published score
    outside the range of its eval.
    """
    made = suite_of(
        ordered(results, d),
        models=split_names(d.models, [m for r in results for m in r.models]),
        weights=_weights(results, d, own),
        left_out=left_out,
    )
    return replace(made, average=d.average, published=_published(made, own))


def _published(made: SuiteResult, own: Mapping[str, Decisions]) -> tuple[PublishedScore, ...]:
    found = (published_scores(r, _own(own, r).published) for r in made.evals)
    return tuple(p for scores in found for p in scores)


def suite_for(
    results: Sequence[EvalResult], d: Decisions, own: Mapping[str, Decisions]
) -> SuiteResult:
    """The suite as tables call it."""
    return named_suite(decided_suite(results, d, own), own)


def evals_for(
    results: Sequence[EvalResult], d: Decisions, own: Mapping[str, Decisions]
) -> list[EvalResult]:
    """The evals in their order, as tables call them."""
    return [named_eval(r, _own(own, r)) for r in ordered(results, d)]


def ordered(results: Sequence[EvalResult], d: Decisions) -> list[EvalResult]:
    """Evals in the order that is decided: of categories as of evals, those not named after them."""
    known = list(dict.fromkeys([*(r.eval for r in results), *(r.category for r in results)]))
    names = split_names(d.order, known)
    for name in names:
        if name not in known or not name:
            close = did_you_mean(name, list(filter(None, known)))
            raise UnknownNameError(f"order: no eval or category {name!r}{close}")

    def place(name: str) -> int:
        return names.index(name) if name and name in names else len(names)

    return sorted(results, key=lambda r: (place(r.category), place(r.eval)))


def _weights(
    results: Sequence[EvalResult], d: Decisions, own: Mapping[str, Decisions]
) -> dict[str, float] | None:
    if d.average == "questions":
        return {r.eval: float(r.n_questions) for r in results}
    if d.average == "weights":
        return {r.eval: float(_own(own, r).weight or 1.0) for r in results}
    return None


def _own(own: Mapping[str, Decisions], r: EvalResult) -> Decisions:
    return own.get(r.eval, Decisions())


# Names --------------------------------------------------------------------------------------------


def named_eval(r: EvalResult, own: Decisions) -> EvalResult:
    """A result with its eval and metric as tables call them; the records keep the scores' names."""
    name = own.name or r.eval
    published = tuple(replace(p, eval=name) for p in r.published)
    return replace(r, eval=name, metric=own.metric_name or r.metric, published=published)


def named_suite(s: SuiteResult, own: Mapping[str, Decisions]) -> SuiteResult:
    """A suite with evals and metrics as tables call them. ScoresError where two evals would have
    one name.
    """
    evals = tuple(named_eval(r, _own(own, r)) for r in s.evals)
    names = {r.eval: shown.eval for r, shown in zip(s.evals, evals, strict=True)}
    shown = list(names.values())
    twice = next((name for name in shown if shown.count(name) > 1), None)
    if twice is not None:
        raise ScoresError(f"two evals would be called {twice!r}; choose two names")
    metrics = {r.eval: r.metric for r in evals}

    def renamed(record: Any) -> Any:
        name = names.get(record.eval, record.eval)
        changed: dict[str, Any] = {"eval": name}
        if hasattr(record, "metric"):
            changed["metric"] = metrics[name]
        return replace(record, **changed)

    again = {
        names[e]: replace(found, evals=tuple(names[other] for other in found.evals))
        for e, found in s.shared.items()
    }
    apart = {names[e]: why for e, why in s.apart.items()}
    return replace(
        s,
        evals=evals,
        differences=tuple(map(renamed, s.differences)),
        published=tuple(map(renamed, s.published)),
        weights={names[e]: w for e, w in s.weights.items()},
        apart=apart | {name: found.reason for name, found in again.items()},
        shared=again,
        same_questions=tuple(tuple(names[e] for e in group) for group in s.same_questions),
    )
