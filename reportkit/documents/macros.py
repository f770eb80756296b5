"""numbers.tex: every number of an eval, under names that prose can call."""

import math
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from reportkit.documents.requested_macros import MACROS
from reportkit.results import EvalResult
from reportkit.tables.ranks import rank_range
from reportkit.text.environment import environment
from reportkit.text.numbers import Units, count, fixed, format_p_value, units_of


def numbers(r: EvalResult) -> list[tuple[str, str, str, str]]:
    """Every number for prose, as (eval, model, what, text); a pair is "A - B" in place of the
    model.
    """
    u = units_of(r)
    found = [(r.eval, "", "questions", count(r.n_questions))]
    if r.clustered:
        found.append((r.eval, "", "clusters", count(r.n_clusters)))
    joint = {x.model: x for x in r.ranks if x.joint_low == x.joint_low}
    for m in r.means:
        texts = {
            "mean": u.number(m.mean), "se": u.error(m.se), "ci": u.interval(m.ci_low, m.ci_high),
            "cilow": u.number(m.ci_low), "cihigh": u.number(m.ci_high), "n": count(m.n_questions),
        }  # fmt: skip
        if r.ranks:
            texts |= {"rank": count(m.rank), "rankset": rank_range(m.rank_low, m.rank_high)}
            texts |= {"ranklow": count(m.rank_low), "rankhigh": count(m.rank_high)}
        if m.model in joint:
            low, high = joint[m.model].joint_low, joint[m.model].joint_high
            texts["jointrankset"] = rank_range(low, high)
        found += [(r.eval, m.model, what, text) for what, text in texts.items()]
    for d in r.differences:
        texts = {
            "difference": u.number(d.difference, sign=True), "se": u.error(d.se),
            "ci": u.interval(d.ci_low, d.ci_high, sign=True),
            "p": format_p_value(d.p_value, level=d.level),
            "pvalue": _relation(d.p_value, d.level),
            "adjustedpvalue": _relation(d.p_adjusted, d.level),
            "adjustedp": format_p_value(d.p_adjusted, level=d.level),
            "correlation": fixed(d.correlation, 2),
            "mde": u.error(d.mde), "n": count(d.n_questions),
        }  # fmt: skip
        found += [
            (r.eval, _pair(r, d.model, d.baseline), what, text) for what, text in texts.items()
        ]
        if not math.isnan(d.p_greater):
            p = format_p_value(d.p_greater)
            found.append((r.eval, _pair(r, d.model, d.baseline), "pgreater", p))
    found += [entry for table in r.requested for entry in _requested(r, table, u)]
    for c in r.certificates:
        name = _pair(r, c.model, c.baseline) if c.baseline else c.model
        found.append((r.eval, name, "coverage", Units(True, 1).number(c.coverage)))
    return found


def _requested(r: EvalResult, table: str, u: Units) -> Iterable[tuple[str, str, str, str]]:
    """The numbers of a table on request."""
    if table not in MACROS:
        return
    for record in r.requested[table]:
        model, baseline = getattr(record, "model", ""), getattr(record, "baseline", "")
        name = _pair(r, model, baseline) if baseline else model
        for what, text in MACROS[table](record, u).items():
            yield r.eval, name, what, text


def _relation(p: float, level: float = 0.95) -> str:
    """p as prose has it.

    >>> _relation(0.0247), _relation(0.0002)
    ('p = 0.025', 'p < 0.001')
    """
    text = format_p_value(p, level=level)
    return f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}"


def _pair(r: EvalResult, model: str, baseline: str) -> str:
    """The name of a pair: "A - B", unless a model is called so."""
    name = f"{model} - {baseline}"
    return f"{model} minus {baseline}" if name in r.models else name


def render_numbers(entries: Iterable[tuple[str, str, str, str]]) -> str:
    r"""numbers.tex: entries are (eval, model, what, text); reached as \rk{eval}{model}{what} and by
    short names.
    """
    entries = list(entries)
    seen: dict[str, tuple[str, str, str, str]] = {}
    numbers: list[dict[str, Any]] = []
    shorts: dict[str, list[int]] = {}
    for entry in entries:
        key = "".join(f"{{{macro_key(part)}}}" for part in entry[:3])
        if key in seen:
            if seen[key][3] != entry[3]:
                raise ValueError(f"two numbers for {entry[:3]}: {seen[key][3]!r} and {entry[3]!r}")
            continue
        seen[key] = entry
        shorts.setdefault(macro_name(*entry[:3]), []).append(len(numbers))
        numbers.append({"key": Markup(key), "text": entry[3], "short": None, "clash": None})
    for name, where in shorts.items():
        if name and len(where) == 1:
            numbers[where[0]]["short"] = Markup(name)
        elif name:
            keys = Markup(" and ").join(Markup(r"\rk") + numbers[i]["key"] for i in where)
            numbers[where[0]]["clash"] = {"name": Markup(name), "entries": keys}
    return environment("tex").get_template("numbers.tex.j2").render(numbers=numbers)


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
