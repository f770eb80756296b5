"""What the rows of an eval break together: repeated rows, clusters and questions that disagree."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from reportkit.facts import Facts
from reportkit.scores.frames import scores_of
from reportkit.scores.repeated import KEY, advice
from reportkit.scores.rows import HASHES
from reportkit.scores.scores import Scores
from reportkit.text.numbers import counted


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that an eval's rows break: how often, with the first examples."""

    eval: str
    rule: str
    count: int
    message: str


def _short(text: object) -> str:
    """An id that fits a line of a message."""
    return f"{str(text)[:20]}…" if len(str(text)) > 24 else str(text)


def validate(scores: "pd.DataFrame | Scores") -> list[Violation]:
    """Every rule that the rows of an eval break together: repeated rows, clusters and questions
    that disagree.

    scores: Scores, or a DataFrame as frames.scores_of takes it. Raises ScoresError where a row by
    itself breaks a rule.
    """
    scores = scores_of(scores)
    frame = scores.rows
    found: list[Violation] = []

    def note(
        rows: pd.DataFrame, rule: str, what: tuple[str, str], todo: str, shown: Sequence[str]
    ) -> None:
        for name, group in _by_eval(rows):
            first = group.drop_duplicates(list(shown)).head(3)
            examples = "; ".join(
                ", ".join(f"{c} {_short(r[c])!r}" for c in shown) for _, r in first.iterrows()
            )
            found.append(
                Violation(
                    str(name),
                    rule,
                    len(group),
                    f"eval {name!r}: {counted(len(group), what[0])}{what[1]}: {examples}; {todo}",
                )
            )

    repeats = frame[KEY]
    repeats = repeats[repeats.duplicated()]
    # Only the first of equal rows is a score; the others would count a question twice.
    for name, rows in _by_eval(repeats):
        todo = advice(frame[frame["eval"] == name], files=bool(scores.facts.sources))
        note(rows, "duplicate", ("repeated row", ""), todo, ["model", "question_id"])
    # no rule of clusters can be broken where no question has one
    if frame["cluster_id"].notna().any():
        clusters = frame[["eval", "question_id", "cluster_id"]].drop_duplicates()
        known = clusters[clusters["cluster_id"].notna()]
        declared = known["eval"].unique()
        blank = clusters[clusters["cluster_id"].isna() & clusters["eval"].isin(declared)]
        fields = {declared_cluster(scores.facts, e) for e in blank["eval"].unique()}
        note(
            blank,
            "no-cluster",
            ("question", f" without a cluster ({', '.join(fields)}), where others have one"),
            "give every question one, or choose: --cluster EVAL=FIELD, or --cluster EVAL=none for "
            "no clusters",
            ["question_id"],
        )
        note(
            known[known.duplicated(["eval", "question_id"])],
            "two-clusters",
            ("question", " in two clusters"),
            "a question belongs to one cluster, the same for every model",
            ["question_id", "cluster_id"],
        )
    by_hash = "with a column content_hash you can "
    for column in (c for c in HASHES if c in frame.columns):
        texts = frame.loc[
            frame[column].notna() & (frame[column] != ""), ["eval", "question_id", column]
        ].drop_duplicates()
        twice = texts[texts.duplicated(["eval", "question_id"])].drop_duplicates(
            ["eval", "question_id"]
        )
        evals = set(twice["eval"])
        shuffled = any(r.positional_ids for r in scores.facts.runs if r.eval in evals)
        note(
            twice,
            "two-questions",
            (
                "id",
                f" standing for questions of different content ({column}"
                f"{'; the ids are positions in a list that was shuffled' if shuffled else ''})",
            ),
            "these are not the same questions, so models cannot be paired by id; "
            f"{'' if column == 'content_hash' else by_hash}"
            'pair them by content: --match-on content_hash, or match_on = "content_hash" in '
            "reportkit.toml",
            ["question_id"],
        )
    return found


def _by_eval(rows: pd.DataFrame) -> Iterable[tuple[object, pd.DataFrame]]:
    """The rows of each eval; of none, at no cost: few evals break a rule."""
    return () if rows.empty else rows.groupby("eval", sort=False, observed=True)


def declared_cluster(facts: Facts, eval: str) -> str:
    """The field that the logs of an eval name as its clusters, where they agree; otherwise the
    column that holds them.
    """
    fields = {r.cluster for r in facts.runs if r.eval == eval}
    if not fields:
        fields = {facts.options(eval).get("cluster", "")}
    return next(iter(fields)) if len(fields) == 1 and fields != {""} else "cluster_id"
