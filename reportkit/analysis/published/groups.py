"""Evals that are known to be drawn in groups: what they share, which ratio was seen, and where."""

import re
from dataclasses import dataclass

from reportkit.published import PublishedDifference, PublishedMean

MILLER = "Miller 2024 (arXiv 2411.00640)"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an eval. names: its whole name and its variants', in small letters and
    digits alone. groups: what its questions share. seen: the ratio of clustered to naive errors
    that was seen, as a phrase; empty: none that we can quote. source: of both. partial: the usual
    score in part, such as F1; empty: right or wrong, or not known.
    """

    names: tuple[str, ...]
    groups: str
    seen: str
    source: str
    partial: str = ""


EVALS = (
    Known(("drop",), "several questions about one passage", "3.05", f"{MILLER}, Table 4", "F1"),
    Known(
        ("race", "raceh", "racehigh", "racem", "racemiddle"), "several questions about one passage",
        "1.10 (RACE-H)", f"{MILLER}, Table 4",
    ),
    Known(("mgsm",), "the same problem in ten languages", "1.88", f"{MILLER}, Table 4"),
    Known(("quac",), "several questions of one dialogue", "", f"{MILLER}, section 2.2", "F1"),
    Known(
        ("squad", "squadv1", "squad1", "squad11", "squadv11", "squadv2", "squad2", "squad20",
         "squadv20"),
        "several questions about one passage", "", f"{MILLER}, section 2.2", "F1",
    ),
    Known(
        ("gsmsymbolic", "gsmsymbolicp1", "gsmsymbolicp2", "gsmsymbolicm1", "mgsmsymbolic"),
        "several instances of one template", "0.97 to 2.4",
        "18 model runs of centre-for-humanities-computing/m-gsm-symbolic, our computation",
    ),
    Known(
        ("tatqa",), "several questions about one document", "1.10 to 1.30",
        "5 runs of TIGER-AI-Lab/Program-of-Thoughts, our computation",
    ),
    Known(
        ("boolq",), "a few questions about one passage", "1.05 to 1.07",
        "8 model runs of naimenz/inverse-scaling-eval-pipeline, our computation",
    ),
    Known(("docvqa",), "several questions about one document", "",
          "inspect_evals, pull request 221", "ANLS"),
    Known(("coqa",), "the turns of one dialogue", "", "Reddy, Chen & Manning 2019", "F1"),
    Known(("multirc",), "several questions about one paragraph", "", "Khashabi et al. 2018"),
    Known(("xquad", "mlqa"), "the same question in several languages", "",
          "Artetxe et al. 2020; Lewis et al. 2020", "F1"),
    Known(("belebele",), "two questions about one passage, in many languages", "",
          "Bandarkar et al. 2024"),
)  # fmt: skip
# What may stand behind the name of an eval that is the same eval still: how it was run or scored,
# which of its sets. Of another word nobody knows what it makes of the eval.
_SHOTS = re.compile(r"\b(?:\d+|zero|one|few|five) ?shots?\b|\b(?:pass|maj|cot) ?\d+\b")
_SETTINGS = {
    "f1", "anls", "em", "exact", "match", "acc", "accuracy", "score", "cot", "direct", "dev",
    "development", "validation", "val", "test", "set", "average", "avg", "macro", "micro", "mean",
    "all", "full",
}  # fmt: skip
_WHOLE = re.compile(r"\b(?:em|exact match|acc|accuracy)\b")  # each answer is right or wrong


def known_eval(name: str) -> Known | None:
    """What is known of an eval by its name. The name is whole, or that of a variant; behind it may
    stand how it was run, as in "MGSM (8-shot)". A name that only begins alike is of another eval.

    >>> known_eval("DROP (F1, 3-shot)").seen, known_eval("MGSM-Symbolic").seen
    ('3.05', '0.97 to 2.4')
    >>> known_eval("SQuAD2.0").groups, known_eval("DROP-X"), known_eval("SQuAD-like")
    ('several questions about one passage', None, None)
    """
    words = _SHOTS.sub(" ", _plain(name)).split()
    for k in range(len(words), 0, -1):
        whole = "".join(words[:k])
        found = next((known for known in EVALS if whole in known.names), None)
        if found is not None:
            return found if set(words[k:]) <= _SETTINGS else None
    return None


def unsaid_groups(row: PublishedMean | PublishedDifference) -> Known | None:
    """What is known of the groups of a row's eval, where its errors may allow for them: nobody says
    that they are naive.
    """
    return None if getattr(row, "errors", "") == "naive" else known_eval(row.eval)


def unsaid(
    row: PublishedMean | PublishedDifference, what: str = "does not say it", that: str = ""
) -> str:
    """What is said of a table that is not read to say something of its errors: text beside it may
    say it in words that are not understood. `that` is what it may say, where "it" is not enough,
    such as "that its errors are clustered".
    """
    may = "may say it in the text beside it, which is not read here"
    if that:
        may = f"may say in the text beside it, which is not read here, {that}"
    return f"the table {may if row.beside == 'maybe' else what}"


def _plain(name: str) -> str:
    """Small letters and digits, with a space for all else."""
    return re.sub(r"[^a-z0-9]+", " ", name.casefold())


def known_partial(name: str) -> str:
    """In which part an eval of this name is known to be scored, such as F1; empty where it is not,
    or where the name says that its answers are right or wrong.

    >>> known_partial("DROP"), known_partial("DROP (exact match)"), known_partial("RACE-H")
    ('F1', '', '')
    """
    known = known_eval(name)
    if known is None or _WHOLE.search(_plain(name)):
        return ""
    return known.partial
