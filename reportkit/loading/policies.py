"""Which runs count: copies, retries, broken and partial runs, versions, reruns (formats.md, section
9).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from reportkit.decisions import Decisions
from reportkit.facts import RunFacts
from reportkit.loading.declared import with_decisions
from reportkit.loading.same_answers import (
    AnyRun,
    Gone,
    Left,
    grouped,
    same_answers,
    same_bytes,
    same_run,
    scored_again,
    without_column,
    without_repeated,
)
from reportkit.scores.run import Run
from reportkit.scores.selfcheck import nothing
from reportkit.text.numbers import count, counted

TOLD = 3  # choices that are told one by one


def choose_runs(
    runs: Sequence[Run], decisions: Decisions, aliases: Mapping[str, str]
) -> tuple[list[Run], Left, list[tuple[str, str]]]:
    """The runs that count, those that do not with the reason, and evals that wait for a choice with
    what to choose from.

    Copies, earlier scorings of the same answers, retries, broken runs, and runs on part of the
    questions of a fuller one are left out. Where two runs of a model on an eval remain, the
    decision `runs` of that eval chooses; "ask" names them, and none counts. Versions of an eval,
    and arguments that change its questions, make evals of their own (formats.md, section 9).
    """
    left: Left = []
    kept = _renamed(runs, aliases)
    kept = _without(kept, left, same_bytes)
    kept = _without(kept, left, same_run)
    kept = _without(kept, left, scored_again)
    kept = _without(kept, left, _retries)
    kept = _split_evals(kept)
    decided = {name: decisions.of(*name) for name in {(r.eval, r.logged_eval) for r in kept}}
    kept = [with_decisions(r, decided[r.eval, r.logged_eval]) for r in kept]
    kept = _without(kept, left, _broken)
    kept = _without(kept, left, _partial)
    kept, open_ = _reruns(kept, decisions, left)
    return [without_column(r) for r in kept], left, open_


def named_evals(runs: Sequence[RunFacts], aliases: Mapping[str, str]) -> list[tuple[str, RunFacts]]:
    """What choose_runs will call the eval of each run, and the run as it was: known without its
    rows.
    """
    kept = _renamed(runs, aliases)
    left: list[Gone[RunFacts]] = []
    # runs that are the same are named the same
    kept = _without(_without(kept, left, same_bytes), left, _retries)
    before = [r for group in grouped(kept, lambda r: r.eval) for r in group]
    return [(after.eval, r) for r, after in zip(before, _split_evals(kept), strict=True)]


def _renamed(runs: Sequence[AnyRun], aliases: Mapping[str, str]) -> list[AnyRun]:
    return [replace(r, model=aliases[r.model]) if r.model in aliases else r for r in runs]


def _without(
    runs: list[AnyRun],
    left: list[Gone[AnyRun]],
    rule: Callable[[list[AnyRun]], list[Gone[AnyRun]]],
) -> list[AnyRun]:
    """The runs that a rule leaves."""
    out = rule(runs)
    left += out
    gone = {id(r) for r, *_ in out}
    return [r for r in runs if id(r) not in gone]


def _retries(runs: list[AnyRun]) -> list[Gone[AnyRun]]:
    """Of a task that was retried, the last log holds what the others held; a log of the same run
    was not retried.
    """
    out: list[Gone[AnyRun]] = []
    for group in grouped(
        [r for r in runs if r.task_id], lambda r: (r.harness, r.task_id, r.eval, r.model)
    ):
        last = max(group, key=lambda r: (r.status == "success", r.created))
        out += [
            (r, "retried: the later log of the same task is", last.file)
            for r in group
            if r.created <= last.created
            and r is not last
            and (not r.run_id or r.run_id != last.run_id)
        ]
    return out


def _broken(runs: list[Run]) -> Left:
    return [
        (r, f"the run ended with status {r.status!r}; run it again, or finish it with a retry", "")
        for r in runs
        if r.status != "success"
    ]


def _partial(runs: list[Run]) -> Left:
    """Of one model's runs, those on part of the questions of a fuller one: smoke tests."""
    out: Left = []
    for group in (g for g in grouped(runs, lambda r: (r.eval, r.model)) if len(g) > 1):
        asked = {id(r): set(r.rows["question_id"].unique()) for r in group}
        for r in group:
            most = max((len(a) for a in asked.values() if asked[id(r)] < a), default=0)
            if most:
                limit = f" ({r.limit})" if r.limit else ""
                why = (
                    f"{len(asked[id(r)])} of {most} questions{limit}, where another run of "
                    f"{r.model} has all"
                )
                out.append((r, why, ""))
    return out


def _split_evals(runs: list[AnyRun]) -> list[AnyRun]:
    """Runs whose eval differs in harness, version or arguments get evals of their own, with the
    difference in the name.
    """
    out = []
    for group in grouped(runs, lambda r: r.eval):
        alike = {h: [r for r in group if r.harness == h] for h in {r.harness for r in group}}
        versions_of = {h: list(dict.fromkeys(r.eval_version for r in a)) for h, a in alike.items()}
        n_arguments = {h: len({r.eval_args for r in a}) for h, a in alike.items()}
        for r in group:
            versions = versions_of[r.harness]
            apart = [r.harness] if len(alike) > 1 else []
            notes = list(r.notes)
            if len(versions) > 1:
                apart.append(f"version {r.eval_version or 'unknown'}")
                if not r.eval_version:
                    notes.append(
                        f"its log does not tell the version of {r.eval}, which others have as "
                        f"{', '.join(filter(None, versions))}: they are not compared"
                    )
            if n_arguments[r.harness] > 1:
                apart.append(r.eval_args or "defaults")
            if not apart:
                out.append(r)
                continue
            name = f"{r.eval} ({', '.join(apart)})"
            out.append(replace(r, eval=name, logged_eval=r.eval, notes=notes))
    return out


def _reruns(
    runs: list[Run], decisions: Decisions, left: Left
) -> tuple[list[Run], list[tuple[str, str]]]:
    """One run for each model and eval: the one that the user chose, or all as further epochs; and
    what is to be chosen.
    """
    out, waiting = [], []
    for group in grouped(runs, lambda r: (r.eval, r.model)):
        policy = decisions.of(group[0].eval, group[0].logged_eval).runs
        ordered = sorted(group, key=lambda r: (r.created, r.file))
        if len(group) == 1:
            out += group
        elif same_answers(group):
            waiting.append((group[0].eval, _scorings(same_answers(group)[0])))
        elif policy == "pool":
            out.append(_pooled(ordered))
        elif policy == "ask" or _undated(ordered, policy):
            waiting.append((group[0].eval, _choice(ordered, policy)))
        else:
            chosen = ordered[-1 if policy == "latest" else 0]
            out.append(chosen)
            left += [
                (r, f"another run counts ({policy}):", chosen.file)
                for r in ordered
                if r is not chosen
            ]
    return out, waiting


def _undated(ordered: Sequence[Run], policy: str) -> bool:
    """Whether the dates do not tell which run is the latest, or the first."""
    end = ordered[-1 if policy == "latest" else 0]
    return not all(r.created for r in ordered) or sum(r.created == end.created for r in ordered) > 1


def _scorings(runs: Sequence[Run]) -> str:
    """What to do where the same answers have several scorings. To pool them would count each answer
    twice.
    """
    files = "; ".join(r.file for r in runs)
    return (
        f"eval {runs[0].eval!r}: model {runs[0].model!r} has {len(runs)} scorings of the same "
        f"answers, and nothing tells which is the later: {files}; name the file you want"
    )


def _choice(runs: Sequence[Run], policy: str) -> str:
    """What a user has to choose from, and how."""
    of = f"eval {runs[0].eval!r}: model {runs[0].model!r} has {len(runs)}"
    shots = len({r.shots for r in runs}) > 1
    listed = "; ".join(
        f"{r.created or 'no date'}{f' ({r.shots or 0} shots)' if shots else ''} {r.file}"
        for r in runs
    )
    asked = [set(r.rows["question_id"].unique()) for r in runs]
    common = set.intersection(*asked)
    if policy != "ask":
        return (
            f"{of} runs whose dates do not tell the {policy}: {listed}; name the files you "
            "want, or use --runs pool"
        )
    if not common:
        return (
            f"{of} runs on different questions: {listed}; join them with --runs pool (in "
            "reportkit.toml, under "
            f'[evals.{_toml(runs[0])}], runs = "pool"), or name the files you want'
        )
    dated = not (_undated(runs, "latest") or _undated(runs, "first"))
    return (
        f"{of} {'full ' if all(a == common for a in asked) else ''}runs: {listed}; choose with "
        "--runs "
        f"{'latest, first or ' * dated}pool (as further answers to each question), or in "
        "reportkit.toml, under "
        f'[evals.{_toml(runs[0])}], runs = "{"latest" if dated else "pool"}", or name the files '
        "you want"
    )


def told_together(choices: Sequence[str]) -> str:
    """What waits for a choice, a line each; of many the first, and what decides for all."""
    first, more = choices[:TOLD], len(choices) - TOLD
    if more < 1:
        return "\n".join(first)
    rest = (
        f"{count(more)} more of the same kind; --runs latest decides for all evals, and so does "
        'runs = "latest" at the head of reportkit.toml, before the first section'
    )
    return "\n".join([*first, rest])


def _toml(run: Run) -> str:
    return json.dumps(run.logged_eval or run.eval, ensure_ascii=False)


def _pooled(runs: list[Run]) -> Run:
    """Runs as further epochs of one; rows keep the order of the runs."""
    parts, done = [], 0
    runs, again = without_repeated(runs)
    for run in runs:
        if run.rows.empty:
            continue
        parts.append(run.rows.assign(epoch=run.rows["epoch"].astype("int64") + done))
        done = int(parts[-1]["epoch"].max())
    notes = [f"{len(runs)} runs are pooled: {', '.join(r.file for r in runs)}"]
    rows = pd.concat(parts, ignore_index=True)
    if again:
        notes.append(f"{counted(again, 'answer')} in more than one of them; each counts once")
        rows["epoch"] = rows.groupby(["question_id", "metric"]).cumcount() + 1
    return replace(
        runs[-1],
        rows=rows,
        n_planned=sum(r.n_planned for r in runs) - again,
        since=runs[0].created,
        pooled=[r.harness_version for r in runs],
        harness_version=_all_of([r.harness_version for r in runs]),
        time_of="; ".join(dict.fromkeys(r.time_of for r in runs if r.time_of)),
        shots=_all_of([r.shots for r in runs]),
        temperature=_all_of([r.temperature for r in runs]),
        # without a limit nothing was cut
        limit=_all_of([r.limit for r in runs if r.limit]),
        # what one answer took is not told
        **_taken_together([] if again else runs),
        notes=[*runs[-1].notes, *notes],
        inputs=[i for r in runs for i in r.inputs],
        harness_metrics=(),
        checks=[c for r in runs for c in r.checks or [nothing(r)]],
        counts={
            k: sum(r.counts.get(k, 0) for r in runs)
            for k in dict.fromkeys(k for r in runs for k in r.counts)
        },
    )


def _all_of(told: Sequence[str]) -> str:
    """What pooled runs were made with; of several values all, in the order of the runs.

    >>> _all_of(["0", "", "0"]), _all_of(["5", "5"]), _all_of([])
    ('0, unknown', '5', '')
    """
    values = list(dict.fromkeys(told))
    if len(values) < 2:
        return "".join(values)
    return ", ".join(v or "unknown" for v in values)


def _taken_together(runs: Sequence[Run]) -> dict[str, Any]:
    """What several runs took. What one of them does not say is not known of all."""
    found = {}
    for names in (("tokens_in", "tokens_out"), ("seconds",)):
        known = all(getattr(r, name) for r in runs for name in names)
        for name in names:
            found[name] = sum(getattr(r, name) for r in runs) if known else 0
    for name in ("tokens_cache_read", "tokens_cache_write"):
        found[name] = sum(getattr(r, name) for r in runs) if found["tokens_in"] else 0
    return found
