"""The tables of a plan: the registry, each a function from what is answered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reportkit.analysis.planning import Planned
from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.record import plain
from reportkit.tables.planning import kinds, layout_kinds, other_evals
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.pasted import SENTENCES, pasted
from reportkit.tables.table import Table

__all__ = ["PLANNING", "PlanKind", "plan_table", "planning_json"]


@dataclass(frozen=True, slots=True)
class PlanKind:
    """One table of a plan. there: whether this plan has it, else the sentence in its place."""

    make: Callable[[Planned], Table]
    instead: Callable[[Planned], str] = kinds.always


PLANNING: dict[str, PlanKind] = {
    "planning": PlanKind(kinds.answers),
    "planning-known": PlanKind(kinds.known),
    "planning-differences": PlanKind(kinds.differences, kinds.no_needs),
    "planning-sizes": PlanKind(kinds.sizes, kinds.no_sizes),
    "planning-epochs": PlanKind(kinds.epochs, layout_kinds.no_epochs),
    "planning-clusters": PlanKind(layout_kinds.clusters, layout_kinds.no_clusters),
    "planning-costs": PlanKind(layout_kinds.costs, layout_kinds.no_costs),
    "planning-gaps": PlanKind(other_evals.gaps, other_evals.no_gaps),
    "planning-public": PlanKind(other_evals.public),
}


def plan_table(p: Planned, kind: str = "planning") -> Table:
    """A table of a plan by its name, with its rows unrounded in data; UnknownNameError where there
    is none. A table that the plan has nothing for has no rows, and says why below.
    """
    if kind not in PLANNING:
        raise UnknownNameError(f"no table {kind!r} of a plan{did_you_mean(kind, PLANNING)}")
    about = PLANNING[kind]
    why = about.instead(p)
    return kinds.empty(p, kind, why) if why else about.make(p)


def planning_json(p: Planned) -> dict[str, Any]:
    """Every number of a plan as values of JSON, unrounded, and its answers in words. Undefined and
    infinite numbers are null; `reason` says why.
    """
    left_out = {"asked", "curves", "epochs_curve"}
    numbers = {
        name: plain(getattr(p, name)) for name in p.__dataclass_fields__ if name not in left_out
    }
    return {
        "asked": {k: None if v == "" else v for k, v in p.asked.parameters().items()},
        **numbers,
        "told": [{"question": t.question, "answer": t.answer, "formula": t.formula,
                  "assumes": t.assumes, "value": plain(t.value)} for t in told(p)],
        **dict.fromkeys(SENTENCES),
        **{x.name: x.sentence for x in pasted(p)},
    }  # fmt: skip
