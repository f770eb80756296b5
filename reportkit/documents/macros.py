"""numbers.tex and numbers.md: every number for prose, under names that it can call."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup

from reportkit.analysis.answer_noise import answer_noise
from reportkit.documents.requested_macros import MACROS, in_points
from reportkit.results import DifferenceResult, EvalResult, MeanResult
from reportkit.tables.ranks import rank_range
from reportkit.text.environment import environment
from reportkit.text.escaping import escape
from reportkit.text.numbers import (
    DASH,
    Units,
    count,
    fixed,
    format_p_value,
    plain_number,
    share_of,
    units_of,
)
from reportkit.text.visible import one_line


class Number(NamedTuple):
    """A number for prose: its key (eval, model or pair, what) and what it prints. math: it is
    typeset as mathematics.
    """

    eval: str
    model: str
    what: str
    text: str
    math: bool = False


# What has a macro of its own beside its key, such as \MathGalleonMean.
SHORT = ("mean", "se", "ci", "estimate", "difference", "pvalue")
MATHEMATICS = ("p", "adjustedp", "pvalue", "adjustedpvalue", "pgreater")


def numbers(r: EvalResult) -> list[Number]:
    """Every number of an eval for prose; a pair is "A - B" in place of the model, and it has the
    numbers of "B - A" too.
    """
    u = units_of(r)
    found = [Number(r.eval, "", "questions", count(r.n_questions))]
    if r.clustered:
        found.append(Number(r.eval, "", "clusters", count(r.n_clusters)))
    joint = {x.model: x for x in r.ranks if x.joint_low == x.joint_low}
    for m in r.means:
        texts = {
            "mean": u.number(m.mean), "se": u.error(m.se), "ci": u.interval(m.ci_low, m.ci_high),
            "estimate": u.with_error(m.mean, m.se),
            "cilow": u.number(m.ci_low), "cihigh": u.number(m.ci_high), "n": count(m.n_questions),
        }  # fmt: skip
        if r.ranks:
            texts |= {"rank": count(m.rank), "rankset": rank_range(m.rank_low, m.rank_high)}
            texts |= {"ranklow": count(m.rank_low), "rankhigh": count(m.rank_high)}
        if m.model in joint:
            low, high = joint[m.model].joint_low, joint[m.model].joint_high
            texts["jointrankset"] = rank_range(low, high)
        texts |= _of_variance(m, u)
        found += [Number(r.eval, m.model, what, text) for what, text in texts.items()]
    for d in r.differences:
        for way in (d, d.turned()):
            name = _pair(r, way.model, way.baseline)
            found += [_number(r.eval, name, what, text) for what, text in _of_pair(way, u).items()]
    found += [entry for table in r.requested for entry in _requested(r, table, u)]
    for c in r.certificates:
        name = _pair(r, c.model, c.baseline) if c.baseline else c.model
        found.append(Number(r.eval, name, "coverage", Units(True, 1).number(c.coverage)))
    return found


def _of_variance(m: MeanResult, u: Units) -> dict[str, str]:
    """What prose says of a mean's variance, where questions have several answers: as the table and
    the figure of the variance.
    """
    if math.isnan(m.variance_within):
        return {}
    noise = answer_noise(m)
    return {
        "variancebetween": plain_number(m.variance_between),
        "variancewithin": plain_number(m.variance_within),
        "noiseshare": share_of(noise.share),
        "sedoubled": u.error(noise.doubled),
        "seunlimited": u.error(noise.unlimited),
    }


def _number(eval: str, name: str, what: str, text: str) -> Number:
    return Number(eval, name, what, text, what in MATHEMATICS and text != DASH)


def _of_pair(d: DifferenceResult, u: Units) -> dict[str, str]:
    """What prose says of a difference."""
    bare = u.of_differences
    texts = {
        "difference": bare.number(d.difference, sign=True),
        "se": bare.error(d.se),
        "ci": bare.interval(d.ci_low, d.ci_high, sign=True),
        "estimate": bare.with_error(d.difference, d.se, sign=True),
        "mde": bare.error(d.mde),
    }
    texts = {k: in_points(text, u) for k, text in texts.items()}
    texts |= {
        "p": format_p_value(d.p_value, level=d.level),
        "pvalue": _relation(d.p_value, d.level),
        "adjustedpvalue": _relation(d.p_adjusted, d.level),
        "adjustedp": format_p_value(d.p_adjusted, level=d.level),
        "correlation": fixed(d.correlation, 2),
        "n": count(d.n_questions),
    }
    if not math.isnan(d.p_greater):
        texts["pgreater"] = format_p_value(d.p_greater)
    return texts


def _requested(r: EvalResult, table: str, u: Units) -> Iterable[Number]:
    """The numbers of a table on request."""
    if table not in MACROS:
        return
    for record in r.requested[table]:
        model, baseline = getattr(record, "model", ""), getattr(record, "baseline", "")
        name = _pair(r, model, baseline) if baseline else model
        for what, text in MACROS[table](record, u).items():
            yield _number(r.eval, name, what, text)


def _relation(p: float, level: float = 0.95) -> str:
    """p as prose has it.

    >>> _relation(0.0247), _relation(0.0002)
    ('p = 0.025', 'p < 0.001')
    """
    text = format_p_value(p, level=level)
    return f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}"


def _pair(r: EvalResult, model: str, baseline: str) -> str:
    """The name of a pair: "A - B", unless a model is called so, or another pair: of "A" and
    "B - C", and of "A - B" and "C".
    """
    name = f"{model} - {baseline}"
    pairs = [m for m in r.models if name.removeprefix(f"{m} - ") in r.models]
    return f"{model} minus {baseline}" if len(pairs) > 1 or name in r.models else name


def render_numbers(entries: Iterable[Number]) -> str:
    r"""numbers.tex: each number under its key, \rk{eval}{model}{what}, and a few under short names.

    ValueError for one key with two numbers.
    """
    shown = [
        {
            "key": Markup(_key(n)),
            # digits, p and a relation: nothing to escape
            "text": Markup(rf"\ensuremath{{{n.text}}}") if n.math else n.text,
            "short": Markup(macro_name(*n[:3])) if n.what in SHORT else "",
        }
        for n in _once(entries)
    ]
    return environment("tex").get_template("numbers.tex.j2").render(numbers=shown)


def list_numbers(entries: Iterable[Number]) -> str:
    """numbers.md: what each key of numbers.tex prints, to be searched."""
    once = _once(entries)
    names = [macro_name(*n[:3]) if n.what in SHORT else "" for n in once]
    times = Counter(names)
    shown = [
        {
            "number": number,
            "key": _code(rf"\rk{_key(number)}"),
            # a short name that two numbers share prints neither
            "short": _code(rf"\{name}") if name and times[name] == 1 else "",
        }
        for number, name in zip(once, names, strict=True)
    ]
    return environment("md").get_template("numbers.md.j2").render(numbers=shown)


def _once(entries: Iterable[Number]) -> list[Number]:
    """Each key once."""
    seen: dict[str, Number] = {}
    for number in entries:
        there = seen.setdefault(_key(number), number)
        if there.text != number.text:
            raise ValueError(f"two numbers for {number[:3]}: {there.text!r} and {number.text!r}")
    return list(seen.values())


def _key(number: Number) -> str:
    return "".join(f"{{{macro_key(part)}}}" for part in number[:3])


def _code(text: str) -> Markup:
    """Code in Markdown; what would end it, or the cell of a table, is escaped in place of it."""
    if re.search(r"[`|]", text):
        return Markup(escape(text, "md"))
    return Markup(f"`{one_line(text)}`")


def macro_key(name: str) -> str:
    r"""The name as it is typed in \rk: itself, but =XX (hex, UTF-8) for what TeX would not hand
    over as typed.

    >>> macro_key("GPQA-3.1"), macro_key("a_b|100%"), macro_key("a=3D")
    ('GPQA-3.1', 'a_b|100=25', 'a=3D3D')
    """

    def code(match: re.Match[str]) -> str:
        return "".join(f"={byte:02X}" for byte in match[0].encode("utf-8", "replace"))

    # The last alternatives: an = that would read as a code, and spaces that TeX drops or merges.
    return re.sub(
        r"[\\{}%#~^\x00-\x1f\x7f-\x9f\ud800-\udfff]|=(?=[0-9A-F]{2})|^ | (?= )| $", code, name
    )


_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def macro_name(*names: str) -> str:
    """Letters only, in CamelCase; empty when one of the names has no letter or digit to give.

    >>> macro_name("GPQA-3.1", "gpt4o-mini", "ci_low")
    'GpqaThreeOneGptFourOMiniCiLow'
    """
    parts = []
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        words = re.findall(r"[A-Za-z]+|[0-9]", plain)
        if not words:
            return ""
        for word in words:
            if word.isdigit():
                parts.append(_DIGITS[int(word)])
            else:
                parts.append(word.capitalize() if word.isupper() else word[0].upper() + word[1:])
    return "".join(parts)
