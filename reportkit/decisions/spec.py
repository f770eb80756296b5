"""What is known of one decision beside its default."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Stage = Literal["scores", "statistics", "look"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Spec:
    """What is known of a decision beside its default.

    meaning: one sentence for a user. otherwise: what holds where the value is empty. stage: what it
    decides, the scores that count, the statistics made of them, or the look alone. metavar: its
    value in a command's help. choices: all values it may have, where they are few. per_eval: it may
    differ from eval to eval. names: it holds several names, between commas. text: makes one text of
    all ways to write a value, and refuses others. file: its types in reportkit.toml, where it may
    be more than a text there. together: it is of several evals together, and no eval's own report
    takes it.
    """

    meaning: str
    stage: Stage
    otherwise: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    per_eval: bool = False
    names: bool = False
    text: Callable[[Any], str] | None = None
    file: Any = None
    together: bool = False

    @property
    def changes_numbers(self) -> bool:
        return self.stage != "look"


def decided(default: Any, meaning: str, stage: Stage, **known: Any) -> Any:
    choices = tuple(filter(None, get_args(known.pop("choices", None))))
    spec = Spec(meaning=meaning, stage=stage, choices=choices, **known)
    return field(default=default, metadata={"spec": spec})
