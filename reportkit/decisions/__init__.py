"""What a user decides: one record, from which the commands' options, reportkit.toml, the notebook's
parameters and the manifest's command are made.
"""

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, get_args

from reportkit.decisions.choices import (
    ELSEWHERE,
    Average,
    Better,
    CsvText,
    Errors,
    MatchOn,
    OnRequest,
    Prior,
    Reruns,
    Rows,
    Theme,
)
from reportkit.decisions.prices import prices_text
from reportkit.decisions.ranges import range_text
from reportkit.decisions.spec import Spec
from reportkit.decisions.spec import decided as _decided
from reportkit.decisions.values import (
    check_power,
    digits_text,
    fields_text,
    listed,
    margin_text,
    plain,
    positive_text,
    published_text,
    some_of,
    split,
    weight_text,
)
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean


@dataclass(frozen=True, kw_only=True, slots=True)
class Decisions:
    """All that a user decides of a report. Each field has a Spec (see `spec`); `evals` holds what
    is decided for single evals.

    A value is checked and brought to its type when the record is made, so that papermill's numbers
    (a model called 007) and a command's texts are the same decisions. ScoresError for a value that
    a decision cannot have, UnknownNameError for a decision that there is not.

    >>> Decisions(level="0.9").level, Decisions(eval=7).eval
    (0.9, '7')
    >>> Decisions(errors="zero", evals={"MATH": {"errors": "exclude"}}).of("MATH").errors
    'exclude'
    """

    eval: str | tuple[str, ...] = _decided(
        "", "The evals to report on.", "scores", otherwise="all", metavar="A,B", names=True
    )
    models: str | tuple[str, ...] = _decided(
        "", "The models to report on, in this order.", "scores", otherwise="all",
        metavar="X,Y", names=True,
    )  # fmt: skip
    baseline: str = _decided(
        "", "Compare each model with this one.", "scores", metavar="MODEL",
        otherwise="every pair of up to four models, of more those with the best",
    )  # fmt: skip
    metric: str = _decided(
        "", "The metric to report.", "scores", otherwise="the headline metric",
        metavar="NAME", per_eval=True,
    )  # fmt: skip
    cluster: str = _decided(
        "", "The field that groups the questions; none: they are not grouped.", "scores",
        otherwise="as the scores say", metavar="FIELD", per_eval=True,
    )  # fmt: skip
    better: Better = _decided(
        "", "Which scores are better.", "scores", otherwise="as the logs say", choices=Better,
        per_eval=True,
    )  # fmt: skip
    range: str = _decided(
        "", "The smallest and the largest score that can be, such as 0,100; of one metric: "
        "judge:1,10; none: no range.", "scores", otherwise="as the scores say", metavar="LOW,HIGH",
        per_eval=True, text=range_text, file=str | list[float] | dict[str, list[float]],
    )  # fmt: skip
    errors: Errors = _decided(
        "", "Failed answers: zero counts them as 0, exclude leaves them out.", "scores",
        otherwise="as the benchmark counts them", choices=Errors, per_eval=True,
    )  # fmt: skip
    runs: Reruns = _decided(
        "ask", "Which of several full runs of a model counts: ask stops and names them, pool takes "
        "each run as a further epoch.", "scores", choices=Reruns, per_eval=True,
    )  # fmt: skip
    match_on: MatchOn = _decided(
        "id", "How the questions of two models are paired: by their id or by their content.",
        "scores", choices=MatchOn, per_eval=True,
    )  # fmt: skip
    id: str = _decided(
        "", "The field that tells questions apart.", "scores", otherwise="as the logs do",
        metavar="FIELD", per_eval=True,
    )  # fmt: skip
    category: str = _decided(
        "", "The category of an eval; tables of several evals group by it.", "scores",
        otherwise="as the scores say", metavar="NAME", per_eval=True,
    )  # fmt: skip
    level: float = _decided(
        0.95, "Level of the confidence intervals: 0.95 is 95%.", "statistics", metavar="SHARE"
    )
    power: float = _decided(
        0.8, "Power of the smallest detectable differences: 0.8 is 80%.", "statistics",
        metavar="SHARE",
    )  # fmt: skip
    tables: str = _decided(
        "", "Tables that are made only on request.", "statistics", otherwise="none",
        choices=OnRequest, metavar="A,B", names=True,
        text=some_of("tables", get_args(OnRequest), ELSEWHERE),
    )  # fmt: skip
    certificate: bool = _decided(
        False, "Also simulate how often the printed intervals cover the truth.", "statistics"
    )
    seed: int = _decided(0, "Seed of the certificate's simulations.", "statistics", metavar="N")
    margin: str = _decided(
        "", "Two models whose means differ by less are equivalent, in the scores' own units: 0.02 "
        "is 2 points of a percentage.", "statistics", otherwise="none", metavar="NUMBER",
        per_eval=True, text=margin_text, file=str | float,
    )  # fmt: skip
    weights: str = _decided(
        "", "The field that holds the weights of the questions.", "statistics",
        otherwise="all questions weigh the same", metavar="FIELD", per_eval=True,
    )  # fmt: skip
    strata: str = _decided(
        "", "The field that parts the questions into fixed groups, such as subjects.",
        "statistics", otherwise="none", metavar="FIELD", per_eval=True,
    )  # fmt: skip
    crossed: str = _decided(
        "", "A second field that groups the questions, across the first, in clustering-all.",
        "statistics", otherwise="none", metavar="FIELD", per_eval=True,
    )  # fmt: skip
    positive: str = _decided(
        "", "The questions whose right answer is positive, for F1: a field and its value there, "
        "such as target:yes.", "statistics", otherwise="none", metavar="FIELD:VALUE",
        per_eval=True, text=positive_text,
    )  # fmt: skip
    covariates: str = _decided(
        "", "Fields of the questions that may make them hard, between commas, for the table "
        "regression.", "statistics", otherwise="none", metavar="A,B", per_eval=True,
        text=fields_text, file=str | list[str],
    )  # fmt: skip
    prior: Prior = _decided("uniform", "Prior of a right answer.", "statistics", choices=Prior)
    theme: Theme = _decided("error-bars", "How tables print uncertainty.", "look", choices=Theme)
    digits: str = _decided(
        "", "Decimals of scores.", "look", otherwise="as the standard errors need them",
        metavar="N", text=digits_text, file=str | int,
    )  # fmt: skip
    hide: str | tuple[str, ...] = _decided(
        "", "Columns that tables leave out.", "look", otherwise="none", metavar="A,B", names=True
    )
    csv_text: CsvText = _decided(
        "guarded", "Text in CSV: with a guard for spreadsheets, or raw.", "look", choices=CsvText
    )
    name: str = _decided(
        "", "What tables call an eval.", "look", otherwise="as the scores do", metavar="NAME",
        per_eval=True,
    )  # fmt: skip
    metric_name: str = _decided(
        "", "What tables call the metric.", "look", otherwise="as the scores do", metavar="NAME",
        per_eval=True,
    )  # fmt: skip
    rows: Rows = _decided(
        "", "What stands in the rows of the suite's table.", "look", choices=Rows,
        otherwise="models where they are more than 6 and more than the evals, else evals",
        together=True,
    )  # fmt: skip
    order: str | tuple[str, ...] = _decided(
        "", "The order of evals and categories in a suite; those that are not named come last.",
        "look", otherwise="as they are read", metavar="A,B", names=True, together=True,
    )  # fmt: skip
    average: Average = _decided(
        "", "The average over the evals in the suite's table, with how they weigh: all the same, "
        "as their questions, or as weight says.", "statistics", otherwise="none", choices=Average,
        together=True,
    )  # fmt: skip
    weight: str = _decided(
        "", "How much an eval weighs in averages, where average is weights.", "statistics",
        otherwise="1", metavar="NUMBER", per_eval=True, text=weight_text, file=str | float,
        together=True,
    )  # fmt: skip
    published: str = _decided(
        "", "Published scores without rows, beside ours.", "look",
        otherwise="none", metavar="MODEL:SCORE", per_eval=True, text=published_text,
        file=str | dict[str, float | dict[str, float | str]],
    )  # fmt: skip
    prices: str = _decided(
        "", "What a million tokens of a model cost, for the table of data.", "look",
        otherwise="none", metavar="MODEL:INPUT,OUTPUT", text=prices_text,
        file=str | dict[str, dict[str, float]],
    )  # fmt: skip
    currency: str = _decided("USD", "The currency of the prices.", "look", metavar="CODE")
    evals: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in SPECS:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))
        object.__setattr__(self, "evals", _checked_evals(self.evals))
        check_power(self.level, self.power)

    def of(self, eval: str, logged: str = "") -> "Decisions":
        """What is decided for one eval. logged: the eval's name in its logs; what is decided under
        the eval's own name comes before it.
        """
        own = dict(self.evals.get(logged, {})) | dict(self.evals.get(eval, {}))
        if not own and not self.evals:
            return self
        return replace(self, evals={}, **own)

    def beaten_by(self, said: Mapping[str, Any]) -> "Decisions":
        """These decisions, with others in their place: what a command says beats the file, for all
        evals where it names none.

        >>> file = Decisions(theme="pm", evals={"MATH": {"runs": "first", "errors": "zero"}})
        >>> said = {"runs": "pool", "evals": {"MATH": {"id": "key"}}}
        >>> file.beaten_by(said).evals
        {'MATH': {'errors': 'zero', 'id': 'key'}}
        """
        _check_names(said)
        said = dict(said)
        more = _checked_evals(said.pop("evals", {}))
        kept = {e: {k: v for k, v in own.items() if k not in said} for e, own in self.evals.items()}
        for eval_name, own in more.items():
            kept[eval_name] = kept.get(eval_name, {}) | own
        return replace(self, evals=kept, **said)

    def without(self, *names: str) -> "Decisions":
        """The same with some decisions not taken, for no eval."""
        return self.beaten_by({name: DEFAULTS[name] for name in names})

    @property
    def asked(self) -> tuple[str, ...]:
        """The tables on request that are asked for, in the order in which a report shows them.

        >>> Decisions(tables="pass,posterior", certificate=True).asked
        ('posterior', 'pass', 'certificate')
        """
        names = {*split(self.tables), *(["certificate"] if self.certificate else [])}
        return tuple(name for name in SPECS["tables"].choices if name in names)

    def asking(self, table: str) -> "Decisions":
        """The same, with one more of the tables on request."""
        return replace(self, tables=",".join([*split(self.tables), table]))

    def changed(self) -> dict[str, Any]:
        """The decisions that differ from the defaults, without those of single evals.

        >>> Decisions(runs="latest").changed()
        {'runs': 'latest'}
        """
        return {k: v for k, v in self.parameters().items() if v != DEFAULTS[k]}

    def parameters(self) -> dict[str, Any]:
        """Every decision as a value of JSON: what a notebook is given and results.json holds."""
        values = {name: getattr(self, name) for name in SPECS}
        return {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}


def _specified() -> Iterable[tuple[Field[Any], Spec]]:
    return ((f, f.metadata["spec"]) for f in fields(Decisions) if "spec" in f.metadata)


SPECS: dict[str, Spec] = {f.name: s for f, s in _specified()}
DEFAULTS: dict[str, Any] = {f.name: f.default for f, _ in _specified()}
PER_EVAL = tuple(name for name, s in SPECS.items() if s.per_eval)
TOGETHER = tuple(name for name, s in SPECS.items() if s.together)


def made(decisions: Decisions | None, said: Mapping[str, Any]) -> Decisions:
    """A record from the keywords of a call; a record and keywords together: the keywords win."""
    return (decisions or Decisions()).beaten_by(said)


def flag(name: str) -> str:
    """A decision's option on the command line.

    >>> flag("match_on")
    '--match-on'
    """
    return f"--{name.replace('_', '-')}"


def placeholder(name: str) -> str:
    """A decision's value in a command's help.

    >>> placeholder("better"), placeholder("models")
    ('[EVAL=]higher|lower', 'X,Y')
    """
    spec = SPECS[name]
    return "[EVAL=]" * spec.per_eval + (spec.metavar or "|".join(spec.choices))


_NO = ("", "false", "no", "off", "0", "none")


def _checked(name: str, value: Any) -> Any:
    """A value in the type of its decision; ScoresError where it cannot be one."""
    value, spec, default = plain(value), SPECS[name], DEFAULTS[name]
    if spec.text is not None:
        return spec.text(value)
    if spec.names and isinstance(value, list | tuple):
        return listed([str(v) for v in value])
    if isinstance(default, bool):
        return str(value).strip().lower() not in _NO
    if isinstance(default, int | float):
        return _number(name, value)
    text = "" if value is None else str(value)
    if spec.choices and text not in (*spec.choices, default):
        raise ScoresError(f"{name} = {value!r} is no choice{did_you_mean(text, spec.choices)}")
    return text


def _number(name: str, value: Any) -> float | int:
    kind = type(DEFAULTS[name])
    try:
        number = kind(DEFAULTS[name] if value in (None, "") else value)
    except (TypeError, ValueError, OverflowError):
        raise ScoresError(f"{name} = {value!r} is not a number") from None
    if kind is float and not 0.0 < number < 1.0:
        raise ScoresError(f"{name} = {value!r} is no share between 0 and 1: write 95% as 0.95")
    if kind is int and (number < 0 or number != float(value or 0)):
        raise ScoresError(f"{name} = {value!r} is no whole number from 0; give 0 or more")
    return number


def _check_names(said: Mapping[str, Any]) -> None:
    for name in said:
        if name not in SPECS and name != "evals":
            raise UnknownNameError(f"no decision {name!r}{did_you_mean(name, SPECS)}")


def _checked_evals(evals: Any) -> dict[str, dict[str, Any]]:
    if not isinstance(evals, Mapping):
        raise ScoresError(
            f"evals = {evals!r} must say what is decided for each eval, such as "
            "{'MATH': {'cluster': 'passage'}}; to choose evals, give eval"
        )
    found: dict[str, dict[str, Any]] = {}
    for eval_name, own in evals.items():
        for name in own:
            if name not in PER_EVAL:
                close = did_you_mean(name, PER_EVAL)
                raise UnknownNameError(f"evals.{eval_name}: no decision {name!r} of an eval{close}")
        found[str(eval_name)] = {name: _checked(name, value) for name, value in own.items()}
    return found
