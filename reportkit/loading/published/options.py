"""What a user says of a published table beside the table itself."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.published import PERCENT, SHARE, Scale

CHOICES: dict[str, tuple[str, ...]] = {
    "scores": ("binary", "fractional"),
    "errors": ("naive", "clustered"),
    "plus_minus": ("se", "interval"),
    "decimal": ("point", "comma"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """What the table does not say itself; empty where the user does not say it either.

    level: of the conclusions, and of printed intervals that do not say theirs. correlations: the
    range for a paired analysis. eval: of a table that names none. scale: percent, share, none, or
    the ends such as 1,10, where the table says none; of one eval MT-Bench=1,10; several are parted
    by semicolons. questions: of evals whose number is not printed, such as MMLU=14042.
    plus_minus: what stands after ±.
    baseline: the model that all others are compared with; empty: every pair.
    """

    level: float = 0.95
    correlations: str = "0.3,0.7"
    eval: str = ""
    scale: str = ""
    scores: str = ""
    errors: str = ""
    questions: tuple[str, ...] = ()
    plus_minus: str = ""
    decimal: str = ""
    baseline: str = ""

    def beaten_by(self, said: Mapping[str, Any]) -> "CheckOptions":
        """These options, but what `said` says."""
        known = [f.name for f in fields(self)]
        for name in said:
            if name not in known:
                raise UnknownNameError(f"no option {name!r}{did_you_mean(name, known)}")
        given = {k: _typed(k, v) for k, v in said.items() if v not in ("", (), None)}
        return replace(self, **given).checked()

    def checked(self) -> "CheckOptions":
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value and value not in choices:
                raise ScoresError(f"{name} = {value!r}: give one of {', '.join(choices)}")
        if not 0.0 < self.level < 1.0:
            raise ScoresError(f"level = {self.level:g}: give a number between 0 and 1, such as .95")
        self.range_of_correlations()
        self.sizes()
        scale_of(self.usual_scale)
        for word in self.scales().values():
            scale_of(word)
        return self

    @property
    def usual_scale(self) -> str:
        """The scale of evals that say none themselves; empty where the user says none."""
        usual = [word for word in self.scale.split(";") if word.strip() and "=" not in word]
        if len(usual) > 1:
            raise ScoresError(f"scale = {self.scale!r}: give one scale for all evals that say none")
        return usual[0].strip() if usual else ""

    def scales(self) -> dict[str, str]:
        """The scale of each eval that the user named, as it was written."""
        found = {}
        for word in self.scale.split(";"):
            name, mark, text = word.rpartition("=")
            if mark and not (name.strip() and text.strip()):
                raise ScoresError(f"scale = {word!r}: give EVAL=LOW,HIGH, such as MT-Bench=1,10")
            if mark:
                found[name.strip()] = text.strip()
        return found

    def scale_for(self, name: str) -> str:
        """What the user says of the scale of one eval by its name, or the empty string."""
        said = self.scales()
        return next((said[n] for n in said if is_meant(n, name)), "")

    def range_of_correlations(self) -> tuple[float, float]:
        try:
            low, high = (float(x) for x in self.correlations.split(","))
        except ValueError:
            low = high = math.nan
        if not -1.0 <= low <= high <= 1.0:
            raise ScoresError(
                f"correlations = {self.correlations!r}: give two numbers from -1 to 1, the smaller "
                "first, such as 0.3,0.7"
            )
        return low, high

    def sizes(self) -> dict[str, str]:
        """The number of questions of each eval that the user named, as it was written."""
        found = {}
        for word in self.questions:
            name, _, text = word.rpartition("=")
            number = text.strip().replace(",", "")
            if not (name.strip() and number.isdigit() and int(number)):
                raise ScoresError(f"questions = {word!r}: give EVAL=NUMBER, such as MMLU=14042")
            found[name.strip()] = number
        return found

    def said(self) -> dict[str, str]:
        """What differs from the defaults, as words."""
        usual = asdict(CheckOptions())
        own = {k: v for k, v in asdict(self).items() if v != usual[k]}
        return {k: ";".join(v) if isinstance(v, tuple) else str(v) for k, v in own.items()}


def is_meant(word: str, name: str) -> bool:
    """Whether a user's word names an eval; HumanEval names HumanEval (0-shot) too."""
    return word in (name, name.partition("(")[0].strip())


def _typed(name: str, value: Any) -> Any:
    if name == "scale" and isinstance(value, Mapping):
        value = [f"{of}={word}" for of, word in value.items()]
    if name == "scale" and isinstance(value, list | tuple):
        return ";".join(str(word).strip() for word in value)
    if name == "questions":
        if isinstance(value, Mapping):
            value = [f"{name}={number}" for name, number in value.items()]
        words = value if isinstance(value, list | tuple) else str(value).split(";")
        return tuple(str(word).strip() for word in words)
    if name == "level":
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ScoresError(f"level = {value!r}: give a number such as 0.95") from None
    if name == "correlations" and isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)


def scale_of(text: str) -> Scale:
    """The scale that a word names; an unknown one where the text is empty.

    >>> scale_of("1,10")
    Scale(low=1.0, high=10.0, percent=False)
    """
    word = text.strip().casefold()
    if word in ("percent", "%", "percentage"):
        return PERCENT
    if word in ("share", "fraction"):
        return SHARE
    if word in ("", "none"):
        return Scale()
    try:
        low, high = (float(x) for x in word.replace("..", ",").split(","))
    except ValueError:
        low = high = math.nan
    if not low < high or math.isinf(high - low):
        raise ScoresError(
            f"scale = {text!r}: give percent, share, none, or the smallest and the largest score, "
            "such as 1,10"
        )
    return Scale(low, high)
