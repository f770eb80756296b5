"""The heads of columns: which number stands below, in which units, at which level."""

import difflib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportkit.errors import ScoresError
from reportkit.loading.published.groups import says_clustered
from reportkit.loading.published.numbers import plain_name

NAMES: dict[str, tuple[str, ...]] = {
    "table": ("table",),
    "eval": ("eval", "evals", "benchmark", "benchmarks", "dataset", "evaluation", "task", "tasks"),
    "model": ("model", "models", "model name", "system", "agent", "llm", "language model"),
    "baseline": ("baseline", "compared with", "against", "versus", "vs"),
    "mean": ("mean", "score", "mean score", "average", "accuracy", "acc", "mean accuracy",
             "eval score", "pass@1", "value", "result", "f1", "exact match", "em"),
    "n": ("n", "questions", "number of questions", "question count", "n questions", "items",
          "examples", "num questions", "no of questions", "size", "problems"),
    "clusters": ("clusters", "number of clusters", "n clusters", "groups"),
    "answers": ("answers", "answers per question", "epochs", "samples per question"),
    "se": ("se", "stderr", "standard error", "std err", "std error", "sem", "s e",
           "clustered se", "se clustered", "clustered", "clustered standard error",
           "cluster robust se", "cluster robust standard error", "cluster se",
           "cluster bootstrap se"),
    "se_naive": ("naive se", "se naive", "unclustered se", "naive", "naive standard error",
                 "se unclustered"),
    "ratio": ("ratio", "se ratio", "clustered/naive", "clustered / naive"),
    "ci": ("ci", "interval", "confidence interval", "conf interval"),
    "low": ("low", "lower", "ci low", "ci lower", "lower end", "lower bound"),
    "high": ("high", "upper", "ci high", "ci upper", "upper end", "upper bound"),
    "difference": ("difference", "diff", "delta", "δ", "model baseline"),
    "correlation": ("correlation", "corr", "r"),
    "p": ("p", "p value", "p values", "pvalue", "p val", "two sided p", "unadjusted p"),
    "level": ("level",),
    "scale": ("scale",),
    "scores": ("scores", "kind of scores"),
    "errors": ("errors", "kind of errors"),
}  # fmt: skip
# What is said of a mean and is no part of its name.
BESIDE = ("p", "p value", "adjusted p", "detectable", "rank", "note", "notes", "z")
# What a table may have that nothing here is made of.
UNUSED = (
    *BESIDE,
    "version",
    "filter",
    "n shot",
    "shots",
    "metric",
    # what the CSV of a report's own tables has too
    "n answers",
    "n unscored",
    "n errors",
    "rank low",
    "rank high",
    "mean common",
    "mean model",
    "mean baseline",
)
_ERROR = r"(?:s\.?e\b|std\.?\s*err|stderr|standard error)"
_SPREAD = r"(?:σ|s\.?d\b|stdev|std\b(?!\.?\s*err)|standard deviation)"
# "Δ vs. Nimbus" names the other model; a gain may be a quotient, and is not used
_TO = r"(?:vs\.?|versus|against|over|to|from)"
_DIFFERENCE_TO = re.compile(rf"(?:Δ|delta|diff\.?|difference)\s+{_TO}\s+(.+)", re.IGNORECASE)
_CHANGE = re.compile(
    rf"(?:(?:rel(?:ative|\.)?|abs(?:olute|\.)?|avg\.?|average|mean)\s+)?"
    rf"(?:gain|improvement|increase|change|lift)s?(?:\s+(?:{_TO}|in|on|of)\s.*)?",
    re.IGNORECASE,
)
_KEYS = {alias: key for key, aliases in NAMES.items() for alias in aliases}
OF_EVAL = ("n", "clusters", "answers", "se", "se_naive", "ratio", "scale", "scores", "errors")


@dataclass(frozen=True, slots=True)
class Head:
    """A head. key: what stands below it, or empty: a name, such as a model's. percent: it says so.
    clustered: of errors, whether it says that they are. level: of an interval, else nan.
    baseline: of differences, the model that it names; model: the other, where it names two.
    """

    text: str
    key: str = ""
    percent: bool = False
    clustered: bool = False
    level: float = math.nan
    baseline: str = ""
    model: str = ""

    @property
    def half(self) -> bool:
        """Whether it says that half of an interval stands beside the mean."""
        return re.search(r"half|±.*\b(?:ci|interval)\b", self.text, re.IGNORECASE) is not None

    @property
    def error(self) -> bool:
        """Whether it says that a standard error stands after ±."""
        return re.search(rf"±\s*{_ERROR}", self.text, re.IGNORECASE) is not None

    @property
    def spread(self) -> bool:
        """Whether it says that a standard deviation stands beside the mean."""
        return re.search(rf"[±(\[]\s*{_SPREAD}", self.text, re.IGNORECASE) is not None


def read_head(text: str) -> Head:
    """
    >>> read_head("# Questions").key, read_head("95% Conf. Interval").level
    ('n', 0.95)
    >>> h = read_head("Accuracy (%)")
    >>> h.key, h.percent, read_head("Galleon").key
    ('mean', True, '')
    >>> read_head("**Claude 3 Opus**").text  # a name whole: other models begin like it
    'Claude 3 Opus'
    >>> read_head("Δ vs. Nimbus").baseline, read_head("Gain over Nimbus (%)").key
    ('Nimbus', 'unused')
    """
    plain = text.replace("**", "").replace("\\[", "[").replace("\\]", "]").strip()
    found = re.search(r"(\d{2}(?:\.\d+)?)\s*%", plain)
    level = float(found[1]) / 100.0 if found else math.nan
    bare = re.sub(r"\d{2}(?:\.\d+)?\s*%", "", plain)
    percent = "%" in bare or "percent" in bare.casefold()
    key = key_of(bare)
    if key == "difference" and "relative" in bare.casefold():
        key = "unused"  # a quotient
    named = _DIFFERENCE_TO.fullmatch(without_brackets(plain))
    if named:
        key = "difference"
    elif is_change(plain):
        key = "unused"
    clustered = says_clustered(plain)
    if key in ("se", "ci"):
        clustered = (
            re.search(r"(?<!un)(?<!non)(?<!non-)(?<!not )cluster", bare.casefold()) is not None
        )
    baseline = plain_name(named[1]) if named else ""
    return Head(plain_name(text) or plain, key, percent, clustered, level, baseline)


def without_changes(heads: Sequence[Head]) -> list[Head]:
    """The heads; errors and intervals that stand behind a gain are of it, and not used either."""
    found: list[Head] = []
    for head in heads:
        behind = found and found[-1].key == "unused" and head.key in ("se", "ci", "low", "high")
        if behind and is_change(found[-1].text):
            head = replace(head, key="unused")
        found.append(head)
    return found


def is_change(text: str) -> bool:
    """Whether a text is a word for a gain, which may be a quotient.

    >>> is_change("Abs. improvement (%)"), is_change("Gainer-7B")
    (True, False)
    """
    return _CHANGE.fullmatch(without_brackets(text)) is not None


def without_brackets(text: str) -> str:
    """A text without what stands in brackets behind it."""
    return re.sub(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$", "", text).strip()


def key_of(text: str) -> str:
    """What a head names; empty where it is none of the known names."""
    word = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|[#%:↑]|±.*", " ", text.casefold())
    word = " ".join(re.sub(r"[_−–-]|\.(?!\d)", " ", word).split())
    if word in _KEYS:
        return _KEYS[word]
    return "unused" if word in UNUSED else ""


def near_miss(text: str) -> str:
    """The known name that a head is a slip of, or the empty string.

    >>> near_miss("qestions"), near_miss("Galleon")
    ('questions', '')
    >>> near_miss("IFEval"), near_miss("C-Eval")  # evals, and no slips of "eval"
    ('', '')
    """
    word = " ".join(text.casefold().replace("_", " ").split())
    if len(word) < 4 or (word != "eval" and text.endswith("EVAL")):  # CEVAL is one
        return ""
    close = difflib.get_close_matches(word, [k for k in _KEYS if len(k) > 3], n=1, cutoff=0.8)
    # of a short name a letter more or less is a slip, and two are another word
    if not close or abs(len(word) - len(close[0])) > max(1, len(close[0]) // 6):
        return ""
    return close[0]


def check_slips(heads: Sequence[Head], where: str, names_allowed: bool) -> None:
    """An error for a head that is nearly a known one: a slip would silently lose a column."""
    for head in heads:
        near = "" if head.key else near_miss(head.text)
        if near:
            kind = " (or rename the model)" if names_allowed else ""
            raise ScoresError(
                f"{where}: no column {head.text!r} is known; did you mean {near!r}? Rename it{kind}"
            )


def place_of(heads: Sequence[Head], key: str) -> int | None:
    """The first column of this key."""
    return next((i for i, head in enumerate(heads) if head.key == key), None)
