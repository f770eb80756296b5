"""The reportkit.toml that `reportkit init` writes: what the scores are, and what could be decided,
in comments.
"""

import json
import re
from collections.abc import Mapping, Sequence

import numpy as np

from reportkit.decisions.ranges import ranges_of
from reportkit.loading.evals import Evals
from reportkit.scores.candidates import NAMED as FIELDS
from reportkit.scores.candidates import cluster_candidates
from reportkit.scores.ranges import proposed_range
from reportkit.scores.rows import RANGE
from reportkit.scores.scores import Scores
from reportkit.text.numbers import count, counted, listed
from reportkit.text.visible import in_json, terminal

NAMED = 20  # models of a comment; of more, the first
WIDTH = 88  # of a comment

_HEAD = """\
# What is decided for the reports of these scores. #key = value, without a space, is a proposal:
# take the # away where you agree. `reportkit build --help` lists all decisions, `reportkit check`
# shows the data.

"""


def starter(
    there: Evals,
    sources: Sequence[str],
    columns: Mapping[str, str],
    waiting: Mapping[str, Sequence[str]],
) -> str:
    """The text of the file. sources: as seen from it. columns: our names and the tables'. waiting:
    why evals wait for a choice between runs.
    """
    lines = [f"logs = [{', '.join(map(quoted, sources))}]", 'out = "reports"', ""]
    lines += _of_models(there.models)
    lines += ["#level = 0.95  # of the intervals", '#theme = "error-bars"', ""]
    for name in dict.fromkeys([*there.evals, *waiting]):
        scores = there.of(name) if name in there.evals else None
        lines += [*_of_eval(name, scores, waiting.get(name, ())), ""]
    if columns:
        lines += ["[columns]", *(f"{k} = {quoted(v)}" for k, v in columns.items()), ""]
    lines += ["[aliases]", "# What reports call a model."]
    lines += [f"#{_key(model)} = {quoted(model)}" for model in there.models[:NAMED]]
    return _HEAD + "\n".join(lines).rstrip() + "\n"


def _of_models(models: Sequence[str]) -> list[str]:
    more = f" and {len(models) - NAMED} more" if len(models) > NAMED else ""
    first = models[0] if models else ""
    return [
        *_comment(f"{counted(len(models), 'model')}: {', '.join(models[:NAMED])}{more}"),
        f"#baseline = {quoted(first)}  # compare each model with this one",
        f"#models = [{', '.join(map(quoted, models[:NAMED]))}]  # only these, in this order",
    ]


def _of_eval(name: str, scores: Scores | None, waiting: Sequence[str]) -> list[str]:
    """The section of an eval, with what is known of it and what could be decided."""
    lines = [f"[evals.{_key(name)}]"]
    if scores is not None:
        rows = scores.rows
        n, models = rows["question_id"].nunique(), rows["model"].nunique()
        metrics = [str(m) for m in rows["metric"].unique()]
        lines += _comment(
            f"{counted(n, 'question')}, {counted(models, 'model')}, "
            f"metric{'s' if len(metrics) > 1 else ''} {listed(metrics)}"
        )
        if len(metrics) > 1:
            lines.append(f"#metric = {quoted(metrics[0])}")
        lines += _clusters(cluster_candidates(rows))
        lines += [f"#range = {ends}" for ends in _ranges(scores)]
    for why in waiting:
        lines += _comment(why)
    if waiting:
        lines.append('#runs = "latest"  # or "first", or "pool": each run is a further epoch')
    return lines


def _clusters(found: Sequence[tuple[str, int]]) -> list[str]:
    """A field that could group the questions, and the others that could."""
    if not found:
        return []
    (first, groups), *rest = found[:FIELDS]
    told = [counted(groups, "group"), *(f"or {quoted(f)}: {counted(n, 'group')}" for f, n in rest)]
    if found[FIELDS:]:
        told.append(f"or one of {count(len(found) - FIELDS)} more fields")
    return [f"#cluster = {quoted(first)}  # {'; '.join(told)}"]


def _ranges(scores: Scores) -> list[str]:
    """A range that the scores of the only metric may have."""
    rows = scores.rows
    present = rows["score"].dropna().to_numpy(dtype=float)
    if rows["metric"].nunique() != 1 or RANGE in rows.columns or not len(present):
        return []
    proposed = proposed_range(np.array([present.min(), present.max()]))
    if not proposed:
        return []
    low, high = ranges_of(proposed)[""]
    return [f"[{low:g}, {high:g}]"]


def quoted(text: str) -> str:
    r"""A text as TOML has it.

    >>> print(quoted("a\tb"))
    "a\tb"
    """
    # JSON's escapes are TOML's; DEL, which TOML does not allow as it is, JSON leaves
    return in_json(json.dumps(text, ensure_ascii=False)).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    """A key: as it is where TOML allows that, else in quotes."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else quoted(name)


def _comment(text: str) -> list[str]:
    """Lines of a comment, broken between words; whatever a name holds, it ends no line."""
    lines, now = [], "#"
    for word in terminal(text).split(" "):
        if len(now) + len(word) >= WIDTH and now != "#":
            lines.append(now)
            now = "#  "
        now = f"{now} {word}"
    return [*lines, now]
