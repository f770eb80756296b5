"""Evals that are known to be drawn in groups: what they share, which ratio was seen, and where."""

import re
from dataclasses import dataclass

MILLER = "Miller 2024 (arXiv 2411.00640)"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an eval. names: how its name begins, in small letters and digits alone.
    groups: what its questions share. seen: the ratio of clustered to naive errors that was seen, as
    a phrase; empty: none that we can quote. source: of both. fractional: its usual score is.
    """

    names: tuple[str, ...]
    groups: str
    seen: str
    source: str
    fractional: bool = False


EVALS = (
    Known(("drop",), "several questions about one passage", "3.05", f"{MILLER}, Table 4", True),
    Known(("race",), "several questions about one passage", "1.10 (RACE-H)", f"{MILLER}, Table 4"),
    Known(("mgsm",), "the same problem in ten languages", "1.88", f"{MILLER}, Table 4"),
    Known(("quac",), "several questions of one dialogue", "", f"{MILLER}, section 2.2", True),
    Known(("squad",), "several questions about one passage", "", f"{MILLER}, section 2.2", True),
    Known(
        ("gsmsymbolic", "mgsmsymbolic"), "several instances of one template", "0.97 to 2.4",
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
          "inspect_evals, pull request 221", True),
    Known(("coqa",), "the turns of one dialogue", "", "Reddy, Chen & Manning 2019", True),
    Known(("multirc",), "several questions about one paragraph", "", "Khashabi et al. 2018"),
    Known(("xquad", "mlqa"), "the same question in several languages", "",
          "Artetxe et al. 2020; Lewis et al. 2020", True),
    Known(("belebele",), "two questions about one passage, in many languages", "",
          "Bandarkar et al. 2024"),
)  # fmt: skip


def known_eval(name: str) -> Known | None:
    """What is known of an eval by its name; a word more may follow it, as in "RACE-H" or "MGSM
    (8-shot)".

    >>> known_eval("DROP (F1, 3-shot)").seen, known_eval("MGSM-Symbolic").seen
    ('3.05', '0.97 to 2.4')
    >>> known_eval("Dropout") is None, known_eval("SQuAD2.0").groups
    (True, 'several questions about one passage')
    """
    parts = [p for p in re.split(r"[^a-z0-9]+", name.casefold()) if p]
    heads = {"".join(parts[:2]), parts[0], re.sub(r"\d+$", "", parts[0])} if parts else set()
    found = [k for k in EVALS if not heads.isdisjoint(k.names)]
    longest = max((len(n) for k in found for n in k.names if n in heads), default=0)
    return next((k for k in found if any(len(n) == longest and n in heads for n in k.names)), None)
