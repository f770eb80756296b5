"""A plan's records -> sentences: what it comes to, each answer with its formula, and numbers for
prose.
"""

import re

from markupsafe import Markup

from reportkit.analysis.planning import Planned
from reportkit.documents.macros import Number
from reportkit.documents.prose import from_template
from reportkit.tables.planning import prose
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.designs import best_of, models_of
from reportkit.tables.planning.pasted import pasted
from reportkit.tables.planning.telling import CITED, REFERENCES
from reportkit.tables.planning.words import (
    cost_text,
    needed_text,
    power_text,
    questions,
    words_of,
)
from reportkit.text.escaping import escape
from reportkit.text.left_open import rounded
from reportkit.text.numbers import count

VARIANCES = re.compile(r"\bV\\_B / n\\_B\b|\bV\\_A\b")  # as they are escaped
EVAL = "Plan"  # what the numbers of a plan are called by


def title(p: Planned) -> str:
    """What the documents of a plan are called."""
    return f"Plan for a difference of {words_of(p).points(p.asked.difference)}"


def findings(p: Planned) -> str:
    return from_template("findings.md.j2", opening=prose.findings(p), sentences=[])


def to_paste(p: Planned) -> str:
    """The sentences for a methods section, as quotations."""
    return from_template("planning_paste.md.j2", sentences=pasted(p))


def methods(p: Planned) -> str:
    """Each answer with its formula and what it assumes."""
    every = told(p, short=True)  # the table of answers has the reasons in full
    answers = [
        {"question": t.question, "answer": t.answer, "assumes": _typeset(t.assumes),
         "maths": Markup(f"${t.maths}$") if t.maths else "", "source": CITED.get(t.maths, "")}
        for t in every
    ]  # fmt: skip
    printed = _printed(p)
    # The tables have the numbers of Miller's equations beside all others.
    cited = ["Miller 2024", *(CITED.get(t.maths, "") + t.assumes for t in every)]
    text = " ".join([*cited, *(x.sentence for x in pasted(p))])
    references = [Markup(f"{key}, {of}.") for key, of in REFERENCES.items() if key in text]
    return from_template(
        "planning_methods.md.j2", answers=answers, printed=printed, references=references
    )


def _typeset(text: str) -> Markup:
    """Markdown of a text, with the variances that a formula beside it names as maths.

    >>> print(_typeset("V_A is that of spread (other_se)"))
    $V_A$ is that of spread (other\\_se)
    """
    return Markup(VARIANCES.sub(lambda m: f"${m[0].replace(chr(92), '')}$", escape(text, "md")))


def _printed(p: Planned) -> dict[str, str]:
    """Equation 9 with appendix C as it is printed, beside the corrected form."""
    facts = p.pilot
    if facts is None or facts.questions_printed != facts.questions_printed:
        return {}
    return {
        "corrected": count(facts.questions_corrected),
        "low": count(rounded(facts.questions_low, up=False)),
        "high": count(rounded(facts.questions_high)),
        "printed": count(facts.questions_printed),
    }  # fmt: skip


def numbers(p: Planned) -> list[Number]:
    """What prose says of a plan: \\rk{Plan}{}{questions} and so on."""
    w, n, f = words_of(p), p.need, p.found
    texts = {
        "questions": questions(n.questions), "needed": needed_text(n),
        "clusters": count(n.clusters), "adjustedquestions": questions(n.adjusted),
        "difference": w.given(p.asked.difference), "size": questions(f.questions),
        "detectable": w.difference(f.detectable), "power": power_text(f.power),
        "cost": cost_text(n.cost), "answers": _answers(p, n.epochs_a, n.epochs_b),
    }  # fmt: skip
    best = best_of(p)
    if best is not None:
        texts |= {
            "bestanswers": _answers(p, best.epochs_a, best.epochs_b),
            "bestquestions": questions(best.questions), "bestcost": cost_text(best.cost),
        }  # fmt: skip
    return [Number(EVAL, "", what, text) for what, text in texts.items()]


def _answers(p: Planned, a: float, b: float) -> str:
    """Answers to each question: one number, or two with whose they are: 8 of A and 3 of B. Where
    only the first model is run, its own.
    """
    if a == b or not p.asked.paired:
        return count(a)
    first, second = models_of(p)
    return f"{count(a)} of {first} and {count(b)} of {second}"
