"""What a table says of one mean or difference, as cells of text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reportkit.loading.published.columns import OF_DIFFERENCE, name_of
from reportkit.loading.published.eval_names import with_bare_size, without_size
from reportkit.loading.published.heads import Head, place_of
from reportkit.published import Place


@dataclass(slots=True)
class Unused:
    """What tables have and nothing is made of: heads, names of rows, and sentences about them."""

    columns: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    averages: list[tuple[str, str]] = field(default_factory=list)  # over evals, or over models
    eval: str = ""  # that the user says, for tables that name none
    eval_used: bool = False
    # differences of nobody knows what: each with what is missing, and a head that would say it
    whose: list[tuple[str, str, str]] = field(default_factory=list)

    def of_models(self, name: str, models: Sequence[str]) -> None:
        """Of which models a difference is, nobody knows."""
        if len(models) > 1:
            self.whose.append((name, "of which two models", f"{models[1]} − {models[0]}"))

    def told(self) -> Iterator[str]:
        for what, names in (("Columns", self.columns), ("Rows", self.rows)):
            if names:
                yield f"{what} that are not used: {', '.join(dict.fromkeys(names))}."
        for name, missing, example in dict.fromkeys(self.whose):
            yield (
                f"Nothing says {missing} {name!r} is the difference: call it, for example, "
                f"{example!r}, and it is checked."
            )
        for name, over in dict.fromkeys(self.averages):
            yield f"{name!r} is read as an average over {over}, so it is in no pair."
        if self.eval and not self.eval_used:
            over = next((name for name, over in self.averages if over == "evals"), "")
            yield (
                f"The eval {self.eval!r} that was given is not used, as the table names its evals."
                + f" If {over!r} is the mean of {self.eval}, leave the others out." * bool(over)
            )


@dataclass(slots=True)
class Entry:
    """What one table says of one mean or difference: cells of text with their heads, by key."""

    place: Place
    eval: str = ""
    model: str = ""
    baseline: str = ""
    mark: str = ""  # taken from the name of a model
    average: bool = False  # over evals
    column: str = ""  # of a difference beside its means: what its column or row is called
    order: str = ""  # of that: "said" where it names which minus which, else "free"
    percent: bool = False  # as the caption says
    after: str = ""  # what stands after ±, as the caption says: se or interval
    errors: str = ""  # clustered, as the caption says
    several: bool = False  # as PublishedMean has it, and beside too
    beside: str = ""
    p_said: str = ""  # as PublishedDifference has it
    cells: dict[str, tuple[str, Head]] = field(default_factory=dict)

    @property
    def is_difference(self) -> bool:
        return "difference" in self.cells


def take(entry: Entry, head: Head, cell: str) -> None:
    """Puts a cell where its head says; of two cells below one head the first stays."""
    if head.key in ("eval", "model", "baseline"):
        setattr(entry, head.key, name_of(cell))
    elif head.key == "table":
        entry.place = replace(entry.place, table=name_of(cell))
    elif head.key and head.key != "unused" and cell.strip():
        entry.cells.setdefault(head.key, (cell, head))


def sized(entry: Entry) -> None:
    """An eval named GSM8K (n=1319), or GSM8K (1319), has its number of questions in its name."""
    entry.eval, size = without_size(entry.eval)
    if size:
        entry.cells.setdefault("n", (size, Head("n", "n")))
        return
    bare, size = with_bare_size(entry.eval)
    if size and "n" not in entry.cells:
        entry.eval = bare
        entry.cells["n"] = (size, Head(IN_BRACKETS, "n"))


_MINUS = re.compile(r"\bModel minus (.+?)(?:, the highest mean)?(?:, in percentage points)?; ")


def baseline_in(caption: str) -> str:
    """The baseline that the caption of reportkit's own tables of differences names; else empty.

    >>> baseline_in("MATH: paired differences. Model minus Heron, the highest mean; metric: acc.")
    'Heron'
    """
    found = _MINUS.search(" ".join(caption.split()))
    return name_of(found[1]) if found else ""


_OVER = re.compile(r"mean differences [^.;]*\b(over \d+ evals)\b", re.IGNORECASE)


def eval_in(caption: str) -> str:
    """What the caption of reportkit's own differences over several evals has in place of an eval.

    >>> eval_in("Mean differences (standard error) over 2 evals. Model minus baseline.")
    'mean over 2 evals'
    """
    found = _OVER.match(" ".join(caption.split()))
    return f"mean {found[1]}" if found else ""


def name_baselines(entries: Sequence[Entry], said: str) -> None:
    """Where the head of the differences names a model of the table, that is their baseline; it has
    no difference of its own. said: by the caption, of differences without means.
    """
    for e in entries:
        if e.is_difference and "mean" not in e.cells:
            e.baseline = e.baseline or said
    models = {e.model for e in entries}
    for e in entries:
        baseline = e.cells["difference"][1].baseline if e.is_difference else ""
        if e.baseline or not baseline or baseline not in models:
            continue
        e.baseline = baseline
        if e.model == baseline and "mean" in e.cells:
            e.baseline = ""
            del e.cells["difference"]


IN_BRACKETS = "n in brackets"  # and no word says that it is one
Row = tuple[Entry, Sequence[str]]  # with all cells of its row


def parted(rows: Sequence[Row], heads: Sequence[Head], unused: Unused) -> Iterator[Row]:
    """The entries; two of a row that has a mean and a difference, the mean once where several
    differences of one model repeat it. A difference from a model that nothing names is not used:
    its head is added to unused.
    """
    seen: list[Entry] = []
    at = place_of(heads, "difference")
    for entry, cells in rows:
        if at is None or not {"mean", "difference"} <= entry.cells.keys():
            yield entry, cells
            continue
        mean, difference = _two(entry, cells, heads, at)
        told = replace(mean, place=replace(mean.place, line=0))
        if told not in seen:
            yield mean, cells
        seen.append(told)
        if difference.baseline:
            yield difference, cells
        else:
            unused.columns.append(heads[at].text)


def _two(entry: Entry, cells: Sequence[str], heads: Sequence[Head], at: int) -> tuple[Entry, Entry]:
    """The mean and the difference of a row. at: the column of differences; errors and intervals
    that stand behind it are of the difference, those before it of the mean.
    """
    both = {key: found for key, found in entry.cells.items() if key in ("level", "scale")}
    mean, difference = (replace(entry, cells=dict(both)) for _ in range(2))
    for j, (head, cell) in enumerate(zip(heads, cells, strict=False)):
        behind = j > at and head.key in OF_DIFFERENCE
        if head.key in ("difference", "correlation") or behind:
            take(difference, head, cell)
        elif head.key in entry.cells:
            take(mean, head, cell)
    if "n" in entry.cells:  # it may stand in the name of the eval
        mean.cells["n"] = entry.cells["n"]
    mean.baseline = ""
    return mean, difference
