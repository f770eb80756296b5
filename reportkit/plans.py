"""What is asked of a plan: one record, from which the command's options, the notebook's parameters
and the guide's table are made.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from reportkit.decisions import Decisions
from reportkit.decisions.values import as_number, published_text
from reportkit.errors import PlanError, check_keywords, did_you_mean
from reportkit.record import Record

Design = Literal["paired", "unpaired"]
AnswerKind = Literal["right-or-wrong", "shares", "own-units"]
Group = Literal["goal", "scores", "size", "cost"]
TITLES: dict[Group, str] = {
    "goal": "What is to be found",
    "scores": "What is expected",
    "size": "Size",
    "cost": "Costs",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Question(Record):
    """What is known of one thing that is asked. otherwise: what holds where it is not said."""

    meaning: str
    group: Group
    otherwise: str = ""
    choices: tuple[str, ...] = ()
    metavar: str = "NUMBER"


def _asked(default: Any, group: Group, meaning: str, otherwise: str = "", **more: Any) -> Any:
    question = Question(meaning=meaning, group=group, otherwise=otherwise, **more)
    return field(default=default, metadata={"question": question})


UNKNOWN = math.nan  # of a number that is not said
_PILOT = "as the pilot, else what public evals show"


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked(Record):
    """What is asked of a plan. A number that is not said is nan, an empty text in a notebook.

    Values are checked when the record is made: PlanError for what cannot be, with the reason.

    >>> Asked(difference="0.05").difference, Asked(power=0.9).power
    (0.05, 0.9)
    """

    difference: float = _asked(
        0.03, "goal", "The smallest difference of two models that matters, in the scores' own "
        "units: 0.03 is 3 points of a percentage."
    )  # fmt: skip
    design: Design = _asked(
        "paired", "goal", "Whether both models answer the same questions (paired), or only one "
        "can be run and the other's answers are not known (unpaired).", choices=get_args(Design),
    )  # fmt: skip
    comparisons: float = _asked(
        1, "goal", "Comparisons that share the level (Bonferroni, or Holm's first step).",
        metavar="N",
    )  # fmt: skip
    level: float = _asked(
        0.95, "goal", "Level of the intervals: 0.95 is a two-sided test at 5%.", metavar="SHARE"
    )
    power: float = _asked(
        0.8, "goal", "The chance that the test finds the difference.", metavar="SHARE"
    )
    margin: float = _asked(
        UNKNOWN, "goal", "The margin of equivalence and of non-inferiority.", "the difference"
    )
    answers: AnswerKind = _asked(
        "right-or-wrong", "scores", "What a score of one answer is: right or wrong, a share from 0 "
        "to 1, or a number in units of its own.", "as the pilot, else right-or-wrong",
        choices=get_args(AnswerKind),
    )  # fmt: skip
    mean: float = _asked(
        UNKNOWN, "scores", "The score that the models are expected to have.",
        "as the pilot, else the mean of published, else 0.7",
    )  # fmt: skip
    correlation: float = _asked(
        UNKNOWN, "scores", "Correlation of the two models' scores over questions, with one answer "
        "each.", _PILOT,
    )  # fmt: skip
    noise: float = _asked(
        UNKNOWN, "scores", "The share of one answer's variance that is answer noise: what differs "
        "when one model answers one question again.", _PILOT, metavar="SHARE",
    )  # fmt: skip
    spread: float = _asked(
        UNKNOWN, "scores", "Standard deviation of a model's scores, of shares and own units.",
        "as the pilot; of shares else what public evals show",
    )  # fmt: skip
    other_se: float = _asked(
        UNKNOWN, "scores", "Unpaired, of shares and own units: the standard error of the other "
        "model's published mean. spread is then that of the model that is run.",
        "of own units as spread says",
    )  # fmt: skip
    omega2: float = _asked(
        UNKNOWN, "scores", "In place of mean, correlation and noise: omega^2 of equation 9, the "
        "variance over questions of the true difference.", "from the others",
    )  # fmt: skip
    sigma2: float = _asked(
        0.0, "scores", "With omega2: sigma^2 of equation 9, the variance of one answer within a "
        "question.",
    )  # fmt: skip
    sigma2_b: float = _asked(UNKNOWN, "scores", "The same of the second model.", "as the first's")
    published: str = _asked(
        "", "scores", "Scores of current models, MODEL:SCORE; their gaps stand beside what the "
        "eval can show.", "the pilot's", metavar="MODEL:SCORE;...",
    )  # fmt: skip
    questions: float = _asked(
        UNKNOWN, "size", "Questions that the eval has, or that can be had.", "as many as are "
        "needed", metavar="N",
    )  # fmt: skip
    cluster_size: float = _asked(
        UNKNOWN, "size", "Questions that share a source (a passage, a template); 1: none do.",
        "as the pilot, else 1", metavar="N",
    )  # fmt: skip
    icc: float = _asked(
        UNKNOWN, "size", "Intraclass correlation of the models' differences in such a cluster.",
        _PILOT,
    )  # fmt: skip
    icc_scores: float = _asked(
        UNKNOWN, "size", "Intraclass correlation of one model's scores in such a cluster: it "
        "counts in full for models with questions of their own, and in part where one model is "
        "worse, which loses most in hard clusters.", _PILOT,
    )  # fmt: skip
    epochs: float = _asked(
        UNKNOWN, "size", "Answers to each question (epochs) of the first model.",
        "as the pilot, else 1", metavar="K",
    )  # fmt: skip
    epochs_b: float = _asked(
        UNKNOWN, "size", "The same of the second model.", "as the first's; 1 where its mean is "
        "published", metavar="K",
    )  # fmt: skip
    other_questions: float = _asked(
        UNKNOWN, "size", "Unpaired: questions that the other model's published mean rests on.",
        "as many as are planned", metavar="N",
    )  # fmt: skip
    cost_question: float = _asked(
        0.0, "cost", "What one more question costs to write, in any one currency.",
        metavar="COST",
    )  # fmt: skip
    cost_cluster: float = _asked(
        0.0, "cost", "What one more cluster costs (finding a passage).", metavar="COST"
    )
    cost_answer: float = _asked(
        0.0, "cost", "What one answer of the first model costs.", metavar="COST"
    )
    cost_answer_b: float = _asked(
        UNKNOWN, "cost", "The same of the second model.", "as the first's", metavar="COST"
    )
    cost_models: float = _asked(
        2, "cost", "Models that answer each question; costs are those of all.", metavar="N"
    )
    of_file: tuple[str, ...] = ()  # not asked: of DECIDED, what a file decides
    file: str = ""  # its name

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(f.default, float | int):
                object.__setattr__(self, f.name, as_number(f.name, value, f.default))
            elif f.name in QUESTIONS and QUESTIONS[f.name].choices:
                object.__setattr__(self, f.name, _choice(f.name, value, str(f.default)))
        object.__setattr__(self, "published", published_text(self.published))
        _check_goal(self)
        _check_scores(self)
        _check_size(self)

    @property
    def alpha(self) -> float:
        return 1.0 - self.level

    @property
    def adjusted_level(self) -> float:
        """The level at which each of the comparisons is tested first."""
        return 1.0 - self.alpha / self.comparisons

    @property
    def paired(self) -> bool:
        return self.design == "paired"

    @property
    def published_questions(self) -> float:
        """Of the other model's mean, where one model is run alone; nan where both are compared."""
        return UNKNOWN if self.paired else self.other_questions

    @property
    def the_margin(self) -> float:
        return self.difference if self.margin != self.margin else self.margin

    @property
    def costs(self) -> tuple[float, float, float, float]:
        """Of a question, a cluster, an answer of either half of the models; 0 where not said."""
        second = self.cost_answer if math.isnan(self.cost_answer_b) else self.cost_answer_b
        half = self.cost_models / 2.0 if self.paired else 1.0
        return self.cost_question, self.cost_cluster, half * self.cost_answer, half * second

    @property
    def of_many(self) -> bool:
        """Whether costs are those of more models than two, which all give as many answers."""
        return self.paired and self.cost_models > 2.0

    @property
    def priced(self) -> bool:
        return any(self.costs)

    def parameters(self) -> dict[str, Any]:
        """Everything that is asked, as values of JSON; what is not said is an empty text."""
        values = {name: getattr(self, name) for name in QUESTIONS}
        return {k: "" if v != v else v for k, v in values.items()}

    def said(self) -> dict[str, Any]:
        """What differs from the defaults."""
        default = Asked().parameters()
        return {k: v for k, v in self.parameters().items() if v != default[k]}


QUESTIONS: dict[str, Question] = {f.name: q for f in fields(Asked) for q in f.metadata.values()}


def told_default(name: str) -> str:
    """What holds where a thing is not said.

    >>> told_default("power"), told_default("margin"), told_default("published")
    ('0.8', 'the difference', "the pilot's")
    """
    default = getattr(Asked(), name)
    if QUESTIONS[name].otherwise:
        return QUESTIONS[name].otherwise
    return f"{default:g}" if isinstance(default, float) else str(default)


DECIDED = ("level", "power")  # of all reports, and of plans too


def asked_of(values: Mapping[str, Any], decided: Decisions | None = None, file: str = "") -> Asked:
    """The record of some keywords; UnknownNameError for one that is not asked. decided: the level
    and the power where they are not said, as reportkit.toml has them. file: its name, to be told.

    >>> asked = asked_of({"power": 0.9}, Decisions(level=0.99, power=0.7), "reportkit.toml")
    >>> asked.level, asked.power, asked.of_file
    (0.99, 0.9, ('level',))
    """
    check_keywords("a plan", values, QUESTIONS)
    left = [n for n in DECIDED if decided is not None and values.get(n) in (None, "")]
    said = {**values, **{n: getattr(decided, n) for n in left}}
    return Asked(**said, of_file=tuple(left) if file else (), file=file)


# Values -------------------------------------------------------------------------------------------


def _choice(name: str, value: Any, default: str) -> str:
    text, known = str(value or default), QUESTIONS[name].choices
    if text not in known:
        raise PlanError(f"{name} = {text!r} is none{did_you_mean(text, known)}")
    return text


def _check_goal(a: Asked) -> None:
    if a.difference == 0.0:
        raise PlanError(
            "difference = 0: no number of questions shows a difference of 0; give the smallest "
            "difference that matters to you, such as 0.03 for 3 points"
        )
    if a.difference < 0.0:
        raise PlanError(f"difference = {a.difference:g}: give its size; the test looks both ways")
    if not 0.5 < a.level < 1.0:
        raise PlanError(f"level = {a.level:g} is not between 0.5 and 1: write 95% as 0.95")
    if 1.0 < a.power <= 100.0:
        share = f"write {a.power:g}% as {a.power / 100.0:g}"
        raise PlanError(f"power = {a.power:g} is no share between 0 and 1: {share}")
    if not a.alpha < a.power < 1.0:
        raise PlanError(
            f"power = {a.power:g} cannot be planned for: it lies between {a.alpha:.4g}, which the "
            "test has where there is no difference, and 1, which no number of questions reaches; "
            "give one such as 0.8"
        )
    for name, least in (("comparisons", 1), ("cost_models", 2)):
        n = getattr(a, name)
        if n < least or n != int(n):
            raise PlanError(f"{name} = {n:g}: give a whole number, {least} or more")
    if not math.isnan(a.margin) and not a.margin > 0.0:
        raise PlanError(f"margin = {a.margin:g}: two models are never shown to be exactly alike; "
                        "give the largest difference that would not matter, above 0")  # fmt: skip


def _check_scores(a: Asked) -> None:
    within = "the variance of one answer within a question"
    for name, what in (
        ("omega2", "the variance over questions of the true difference"),
        ("sigma2", within), ("sigma2_b", within), ("spread", "a standard deviation"),
        ("other_se", "a standard error"),
        *((name, "a cost") for name in QUESTIONS if name.startswith("cost_")),
    ):  # fmt: skip
        if getattr(a, name) < 0.0:
            raise PlanError(f"{name} = {getattr(a, name):g}: {what} cannot be negative; "
                            "give 0 or more")  # fmt: skip
    if a.of_many and a.cost_answer_b == a.cost_answer_b:
        raise PlanError(f"cost_answer_b = {a.cost_answer_b:g} is that of two models; with "
                        "cost_models give the mean cost as cost_answer alone")  # fmt: skip
    if zero := next((n for n in ("spread", "other_se") if getattr(a, n) == 0.0), ""):
        raise PlanError(f"{zero} = 0: where every score is the same there is nothing to plan")
    if a.omega2 == a.omega2:
        also = [n for n in ("mean", "correlation", "noise", "spread")
                if not math.isnan(getattr(a, n))]  # fmt: skip
        if also:
            raise PlanError(
                f"omega2 and {also[0]} are both given, and one follows from the other; "
                f"leave out {also[0]}"
            )
        if a.omega2 + a.sigma2 == 0.0:
            raise PlanError(
                "omega2 and sigma2 are both 0: models whose scores never vary differ by the same "
                "on every question, and one question would do; give the variances of a pilot"
            )
    elif a.sigma2 or a.sigma2_b == a.sigma2_b:
        raise PlanError(
            "sigma2, the variance of one answer within a question, comes with omega2, the variance "
            "over questions of the true difference; give both, or mean, correlation and noise"
        )


def _check_size(a: Asked) -> None:
    for name in ("epochs", "epochs_b", "questions", "other_questions"):
        n = getattr(a, name)
        if n == n and (n < 1.0 or n != int(n)):
            answers = "each question gets a whole number of answers; give 1 or more"
            why = answers if name.startswith("epochs") else "give a whole number, 1 or more"
            raise PlanError(f"{name} = {n:g}: {why}")
        if a.of_many and n == n and name == "epochs_b":
            raise PlanError(f"epochs_b = {n:g}: all of cost_models give as many answers as epochs "
                            "says; leave out epochs_b")  # fmt: skip
    if a.cluster_size < 1.0:
        raise PlanError(
            f"cluster_size = {a.cluster_size:g}: a cluster holds 1 question or more; give how "
            "many questions share a passage or a template, or 1 where none do"
        )
    if a.cluster_size > a.questions:
        raise PlanError(
            f"{a.questions:g} questions do not fill one cluster of {a.cluster_size:g}; give fewer "
            "questions for each cluster, or more questions"
        )
