"""What a user decides: of an eval, and of how its report looks."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from reportkit.errors import ScoresError, did_you_mean

Theme = Literal["error-bars", "plain", "pm", "ci", "stacked"]
Reruns = Literal["ask", "latest", "first", "pool"]
Errors = Literal["", "exclude", "zero"]
Better = Literal["", "higher", "lower"]
MatchOn = Literal["id", "content_hash"]


@dataclass(frozen=True, slots=True)
class Options:
    """What is decided for one eval. Empty: as the logs say.

    metric: the headline. cluster: column that groups questions. id: column that identifies them.
    errors: "zero" counts an errored answer as 0, "exclude" leaves it out also where the benchmark
    counts it so. better: which scores are. runs: which of several full runs of a model counts.
    match_on: pair questions by their content.
    """

    metric: str = ""
    cluster: str = ""
    id: str = ""
    errors: Errors = ""
    runs: Reruns = "ask"
    match_on: MatchOn = "id"
    category: str = ""
    better: Better = ""

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if value not in get_args(known):
                choices = [c for c in get_args(known) if c]
                raise ScoresError(
                    f"{name} = {value!r} is no choice{did_you_mean(str(value), choices)}"
                )


CHOICES = {"errors": Errors, "runs": Reruns, "match_on": MatchOn, "better": Better}


def differing(o: Options) -> dict[str, str]:
    """The options that differ from the defaults: what a manifest records.

    >>> differing(Options(runs="latest"))
    {'runs': 'latest'}
    """
    default = asdict(Options())
    return {k: v for k, v in asdict(o).items() if v != default[k]}


def options_of(options: Mapping[str, Options], eval: str, logged: str = "") -> Options:
    """What is decided for an eval: under its name, under the name that its logs give it, or for
    all.
    """
    return next((options[k] for k in (eval, logged or eval, "") if k in options), Options())
