"""What moved between two builds, in words: for a terminal, as Markdown, for the front page."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reportkit.analysis.gone import Lost
from reportkit.analysis.moved import (
    EXPLAINED,
    OPEN,
    SETTLED,
    UNCHANGED,
    UNTESTED,
    Comparison,
    Moved,
)
from reportkit.record import plain
from reportkit.text.environment import environment
from reportkit.text.numbers import counted, format_p_value, percent_of, units_for
from reportkit.text.visible import terminal

FORMAT = "reportkit/diff@1"
MOST = 3  # evals that a model's line names
SHOWN = 5  # changes that are named among those that sampling may explain, and names in a list
TOGETHER = 3  # models whose changes on one eval are told together


@dataclass(frozen=True, slots=True)
class Line:
    """One change. name: what changed; text: how; more: lines about it."""

    name: str
    text: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A comparison in words. against: what the old build is called; head: what was compared;
    title: of the alarms; alarms: more than sampling allows; rest: what else changed.
    """

    against: str
    head: str
    title: str
    alarms: tuple[Line, ...]
    rest: tuple[str, ...]


def told(c: Comparison, against: str = "the build before") -> Told:
    """A comparison in words; against: what the old build is called."""
    n_evals = len({m.eval for m in c.means})
    parts = [counted(len(c.means), "mean")]
    if c.differences:
        parts.append(counted(len(c.differences), "difference"))
    head = f"Compared with {against}: {' and '.join(parts)} on {counted(n_evals, 'eval')}."
    if not c.means:
        head = f"Compared with {against}: no mean is in both."
    other = (*c.new_evals, *c.changed_evals, *c.new_models, *c.gone_models)
    if not c.means and not other:
        head = f"Compared with {against}: no report was made again."
    alarms = _alarms(c)
    if c.same:
        return Told(against, head, "", (), ("Nothing changed.",))
    rest = [] if alarms else ["No change is more than sampling allows."] * bool(c.means)
    title = f"More than sampling allows, at {percent_of(c.alpha)} over all of them"
    return Told(against, head, title, tuple(alarms), (*rest, *_rest(c)))


# Alarms -------------------------------------------------------------------------------------------


def _alarms(c: Comparison) -> list[Line]:
    """Models, then evals on which several models changed, then single means and differences."""
    settled = c.settled
    of_evals: dict[str, list[Moved]] = {}
    for m in settled:
        if m.kind == "mean":
            of_evals.setdefault(m.eval, []).append(m)
    together = {e: found for e, found in of_evals.items() if len(found) >= TOGETHER}
    lines = [_of_model(m, c) for m in settled if m.kind == "model"]
    lines += [_of_eval(e, found, c) for e, found in together.items()]
    singles = (m for m in settled if m.kind != "model" and m.eval not in together)
    return [*lines, *map(_single, singles)]


def _of_model(m: Moved, c: Comparison) -> Line:
    text = f"{_went(m)} over {counted(m.n_evals, 'eval')} ({_how_sure(m)})"
    parts = [p for p in c.parts(m.model) if p.status != UNCHANGED]
    if m.alone:
        return Line(m.model, text, (f"the change is that of {m.alone} alone",))
    more = [f"most on {', '.join(map(_brief, parts[:MOST]))}"] if parts else []
    beyond = [p for p in parts if p.beyond]
    if beyond:
        names = _listed([p.eval for p in beyond])
        more.append(f"{names}: not as the model's other evals, by more than sampling allows")
    return Line(m.model, text, tuple(more))


def _of_eval(name: str, found: Sequence[Moved], c: Comparison) -> Line:
    n_all = sum(m.eval == name for m in c.means)
    text = f"changed for {len(found)} of {counted(n_all, 'model')}: look at the eval first"
    return Line(name, text, (", ".join(f"{m.model} {_signed(m)}" for m in found[:SHOWN]),))


def _single(m: Moved) -> Line:
    shown = units_for([m.se], m.percent)
    name = f"{m.model} − {m.baseline} on {m.eval}" if m.baseline else f"{m.model} on {m.eval}"
    old, new = (shown.number(x, sign=bool(m.baseline)) for x in (m.old, m.new))
    text = f"{_went(m)}, {old} to {new} ({_how_sure(m)})"
    return Line(name, text, _basis(m))


def _basis(m: Moved) -> tuple[str, ...]:
    if not m.paired:
        return (f"not compared question by question: {_NO_PAIRS}",)
    return ()


_NO_PAIRS = "the old question scores are not known, or of other questions"


def _went(m: Moved) -> str:
    size = units_for([m.se], m.percent).points(m.change)
    return f"{'fell' if m.change < 0 else 'rose'} by {size}"


def _signed(m: Moved) -> str:
    change = units_for([m.se], m.percent).with_error(m.change, m.se, sign=True)
    return f"{change} points" if m.percent else change


def _brief(m: Moved) -> str:
    return f"{m.eval} {_signed(m)}"


def _how_sure(m: Moved) -> str:
    se = units_for([m.se], m.percent).of_differences.error(m.se)
    p = format_p_value(m.p_adjusted)
    return f"SE {se}, adjusted p {p if p[0] in '<>' else f'= {p}'}"


# The rest -----------------------------------------------------------------------------------------


def _rest(c: Comparison) -> list[str]:
    """What else changed: questions, names, then numbers that sampling may explain."""
    lines = [f"{x.eval} could not be read: {x.file}: {x.why}" for x in c.not_read]
    lines += [f"{name}: {what}" for name, what in c.changed_evals]
    lines += _lost(c.lost)
    named = (
        ("New eval", c.new_evals),
        ("Gone eval", c.gone_evals),
        ("New model", _models(c.new_models)),
        ("Gone model", _models(c.gone_models)),
    )
    lines += [f"{what}{'s' * (len(of) > 1)}: {_listed(of)}" for what, of in named if of]
    return [*lines, *_numbers(c)]


def _lost(found: Sequence[Lost]) -> list[str]:
    """Models that answer fewer questions, with their means, which no change compares; several of
    one eval in one line.
    """
    evals: dict[str, list[Lost]] = {}
    for x in found:
        evals.setdefault(x.eval, []).append(x)
    lines = []
    for name, of in evals.items():
        if len(of) < TOGETHER:
            lines += [
                f"{x.model} on {name}: {x.n_lost:,} of {counted(x.n_old, 'question')} "
                f"{'has' if x.n_lost == 1 else 'have'} no score now. The mean of all its answers "
                f"was {_means(x)[0]} and is {_means(x)[1]}."
                for x in of
            ]
            continue
        each = [f"{x.model} {x.n_lost:,} of {x.n_old:,} ({' to '.join(_means(x))})" for x in of]
        lines.append(
            f"{name}: {len(of)} models have no score now on questions that had one: "
            f"{_listed(each)}."
        )
    return lines


def _means(x: Lost) -> tuple[str, str]:
    shown = units_for([x.se], x.percent)
    return shown.number(x.old), shown.number(x.new)


def _models(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Models with the evals that they are new or gone on."""
    evals: dict[str, list[str]] = {}
    for eval_name, model in pairs:
        evals.setdefault(model, []).append(eval_name)
    return [f"{m} ({_listed(e)})" for m, e in evals.items()]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _numbers(c: Comparison) -> list[str]:
    lines = []
    changed = [m for m in c.means if m.status in (OPEN, EXPLAINED, SETTLED)]
    within = sorted((m for m in changed if m.status == OPEN), key=lambda m: m.p_value)
    if within:
        surest = ", ".join(f"{m.model} on {_brief(m)}" for m in within[:MOST])
        lines.append(
            f"{counted(len(within), 'mean')} changed by no more than sampling allows"
            f"{'; the surest' * (len(within) > 1)}: {surest}."
        )
    parts = [m for m in changed if m.status == EXPLAINED]
    if parts:
        is_are = "is part" if len(parts) == 1 else "are part"
        lines.append(f"{counted(len(parts), 'changed mean')} {is_are} of a model named above.")
    untested = [m for m in c.means if m.status == UNTESTED]
    if untested:
        lines.append(
            f"{counted(len(untested), 'changed mean')} cannot be tested: there is no standard "
            "error."
        )
    unpaired = [m for m in changed if not m.paired]
    if unpaired:
        one = len(unpaired) == 1
        lines.append(
            f"{counted(len(unpaired), 'change')} {'is' if one else 'are'} not compared question by "
            f"question: {_NO_PAIRS}. {'Its' if one else 'Their'} standard error is that of two "
            "separate runs, which is usually larger: a small change may not be seen."
        )
    return lines


# Formats ------------------------------------------------------------------------------------------


def as_text(of: Told) -> str:
    """For a terminal: one line a change, no control characters."""
    lines = [of.head]
    if of.alarms:
        lines.append(f"{of.title}:")
    for a in of.alarms:
        lines += [f"  {a.name}: {a.text}", *(f"    {m}" for m in a.more)]
    return "\n".join(map(terminal, [*lines, *of.rest])) + "\n"


def as_markdown(of: Told) -> str:
    return environment("md").get_template("moved.md.j2").render(of=of)


def to_json(c: Comparison, against: str = "") -> dict[str, Any]:
    """Everything that was compared, unrounded; undefined numbers are null."""
    return {
        "format": FORMAT,
        "against": against,
        "alpha": c.alpha,
        "alarms": [_entry(m) for m in c.settled],
        **{k: [_entry(m) for m in getattr(c, k)] for k in ("models", "means", "differences")},
        "new_evals": list(c.new_evals),
        "gone_evals": list(c.gone_evals),
        "not_read": [dict(plain(asdict(x))) for x in c.not_read],
        **{
            k: [{"eval": e, "model": m} for e, m in getattr(c, k)]
            for k in ("new_models", "gone_models")
        },
        "changed_evals": [{"eval": e, "what": what} for e, what in c.changed_evals],
        "lost": [dict(plain(asdict(x))) for x in c.lost],
    }


def _entry(m: Moved) -> dict[str, Any]:
    return dict(plain(asdict(m)))
