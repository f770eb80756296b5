"""A cell of a published table -> the numbers that it prints."""

import math
import re
from dataclasses import dataclass, replace

from reportkit.published import Printed

ABSENT = {"", "-", "--", "---", "—", "–", "−", "n/a", "na", "nan", "none", "null", "?", "*", "/"}
_MARKUP = re.compile(r"\*\*|__|\\textbf|\\mathbf|\\emph|\\underline|\\bf\b|[{}$`]|</?[a-z]+/?>")
_FOOTNOTE = re.compile(r"(?:\[\^?[\w]{1,2}\]|\^\w|[†‡§¶*¹²³⁰-⁹ᵃ-ᶻ]+)+$")
_REMARK = re.compile(r"\((?![^()]*\bto\b)(?=[^()]*[A-Za-z])[^()]*\)")  # such as (5-shot)
# and without brackets, as in 87.1 F1 or 88.7% 5-shot
_WORDS = re.compile(r"(?<=[\d%)\]])\s+(?!to\b)(?:\d+-)?[A-Za-z][\w@-]*(?:\s+[\w@-]+)*$")
_ERROR = re.compile(r"\(\s*(?:SE|s\.e\.|std\.? err(?:or)?|stderr)\s*[=:]?\s*(?=[\d.])", re.I)
_INTERVAL = re.compile(
    r"(?<=[(\[])\s*(?:\d{2}(?:\.\d+)?\s*%\s*)?(?:CI|confidence interval)\s*[:=]?\s*"
    r"(?=[+\-−]?[\d.])",
    re.IGNORECASE,
)  # such as [95% CI: 64.2, 66.8]
# A remark that may hold a number of its own is not dropped: the cell is refused.
_NUMBERS_IN = re.compile(
    r"\d[.,]\d|%|\d\s*[–—]\s*\d|\b(?:s[de]|std|stdev|ci|sem|stderr|sigma)\b", re.I
)
_OWN_WORDS = re.compile(
    r"(?<![\w@-])\d+(?![\w-])|^\s*(?:[x×mb]|mn|bn|million|billion|thousand|s[de]|sem|std)\b", re.I
)
_NUMBER = (
    r"(?P<below><\s?)?(?P<sign>[+\-−–]\s?)?"
    r"(?P<digits>[1-9]\d{0,2}(?:[,\u202f\u00a0']\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)"
    r"(?P<power>[eE][+\-−]?\d{1,3})?"
    r"\s?(?P<unit>%|k\b|K\b|pp\b)?"
)
_ONE = re.compile(_NUMBER)
# Of a number that a program wrote with all its digits the last ones are what its sums lost.
PRECISION = 1e-12
_RANGE = re.compile(r"(?<=[\d%])\s*(?:–|—|\bto\b|\s-\s|-(?=\d))\s*")


@dataclass(frozen=True, slots=True)
class Cell:
    """The numbers of one cell: 65.5% (0.7%) [64.2, 66.8], or 65.5 ± 1.3. percent: it says so."""

    value: Printed | None = None
    beside: Printed | None = None  # in brackets by itself
    plus_minus: Printed | None = None
    low: Printed | None = None
    high: Printed | None = None
    percent: bool = False


def _plain_signs(text: str) -> str:
    """A text whose signs are not written in LaTeX or HTML."""
    text = text.replace("\\%", "%").replace("\\pm", "±").replace("+/-", "±").replace("+-", "±")
    text = text.replace("\\+", "+").replace("\\-", "-")  # as Markdown guards a sign
    return text.replace("&nbsp;", " ").replace("&#37;", "%").replace("\\[", "[").replace("\\]", "]")


def plain_name(text: str) -> str:
    """A name without what makes it bold; words and marks stay, as they tell models apart.

    >>> plain_name("**GPT-4 Turbo**"), plain_name("$\\\\bf A^*$")
    ('GPT-4 Turbo', 'A^*')
    """
    return _MARKUP.sub("", _plain_signs(text)).strip()


def remarks_in(text: str) -> list[str]:
    """The remarks in letters of a cell, which are not read.

    >>> remarks_in("37.5 (AIME 2026)"), remarks_in("65.5 (0.7)")
    (['(AIME 2026)'], [])
    """
    text = _INTERVAL.sub("", _ERROR.sub("(", _MARKUP.sub("", _plain_signs(text))))
    return [found[0] for found in _REMARK.finditer(text) if not _harmless(found)]


def plain_cell(text: str) -> str:
    """The text of a cell without what makes it bold, and without remarks in letters.

    >>> plain_cell("**86.4%** (5-shot)†"), plain_cell("87.1 F1")
    ('86.4%', '87.1')
    """
    text = _ERROR.sub("(", _MARKUP.sub("", _plain_signs(text)))
    text = _INTERVAL.sub("", text)
    text = _REMARK.sub(_harmless, text).strip()
    text = _FOOTNOTE.sub("", text).strip()
    words = _WORDS.search(text)
    if words is None or re.search(r"\d\s?[kK]$", text) or _OWN_WORDS.search(words[0]):
        return text
    return text[: words.start()].strip()


def _harmless(remark: re.Match[str]) -> str:
    """Nothing for a remark such as (5-shot); a remark that may hold a number stays."""
    return remark[0] if _NUMBERS_IN.search(remark[0]) else ""


def read_cell(text: str, comma: bool = False) -> Cell | None:
    """The numbers of a cell; None where it holds none. comma: decimals follow a comma. ValueError
    where it is something else.

    >>> c = read_cell("65.5% (0.7%)")
    >>> c.value.value, c.beside.step, c.percent
    (65.5, 0.1, True)
    >>> c = read_cell("65,5 ± 1,3 [64,2; 66,8]", comma=True)
    >>> c.plus_minus.value, c.low.value, c.high.value
    (1.3, 64.2, 66.8)
    """
    text = plain_cell(text)
    if text.casefold() in ABSENT:
        return None
    if comma:
        text = _with_points(text)
    percent = "%" in text
    if _RANGE.search(text) and not re.search(r"[±(\[]", text):
        low, high = _RANGE.split(text, maxsplit=1)
        return Cell(low=_one(low), high=_one(high), percent=percent)
    return replace(_parts(text), percent=percent)


def level_of(text: str) -> float:
    """The level of an interval that a cell holds; nan where it holds something else.

    >>> level_of("0.95"), level_of("90%"), level_of("5")
    (0.95, 0.9, nan)
    """
    text = text.strip()
    try:
        value = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        return math.nan
    return value if 0.5 <= value < 1.0 else math.nan


_P = re.compile(
    r"(?:p\s*)?(?P<how>[<>≤≥=]|&lt;|&gt;)?\s*(?P<number>[\d.][\d.eE+−-]*)", re.IGNORECASE
)


def p_value(text: str) -> Printed | None:
    """The p-value of a cell, such as 0.03, <.001, > 0.05 or p = .2**; None where there is none
    between 0 and 1.

    >>> p_value("p < .001").span("nearest")[1] < 0.0011, p_value("n.s.")
    (True, None)
    """
    match = _P.fullmatch(plain_cell(text).rstrip("* "))
    try:
        found = _one(match["number"]) if match else None
    except ValueError:
        return None
    if match is None or found is None or not 0.0 <= found.value <= 1.0:
        return None
    low, high = {"<": (0.0, found.value), "≤": (0.0, found.value), "&lt;": (0.0, found.value),
                 ">": (found.value, 1.0), "≥": (found.value, 1.0), "&gt;": (found.value, 1.0),
                 }.get(match["how"] or "", (math.nan, math.nan))  # fmt: skip
    if low == low:  # rounded to the nearest, it stands for all between
        return Printed(text.strip(), (low + high) / 2.0, high - low)
    return replace(found, text=text.strip())


def is_number(text: str) -> bool:
    """Whether a cell holds a number.

    >>> is_number("65.5 (0.7)"), is_number("GSM8K"), is_number("--")
    (True, False, False)
    """
    try:
        return read_cell(text) is not None
    except ValueError:
        return False


def _parts(text: str) -> Cell:
    """A value, with brackets and ± behind it in any order."""
    found: dict[str, Printed] = {}
    rest = text
    for inside in re.findall(r"[(\[]([^()\[\]]*)[)\]]", text):
        numbers = [_one(part) for part in _split(inside)]
        if len(numbers) == 2 and "low" not in found:
            found |= {"low": numbers[0], "high": numbers[1]}
        elif len(numbers) == 1 and "beside" not in found:
            name = "plus_minus" if "±" in inside else "beside"
            found[name] = numbers[0]
        else:
            raise ValueError(text)
    rest = re.sub(r"[(\[][^()\[\]]*[)\]]", " ", rest).strip()
    if "±" in rest:
        rest, _, after = rest.partition("±")
        found["plus_minus"] = _one(after)
    if rest.strip():
        found["value"] = _one(rest)
    return Cell(**found)  # type: ignore[arg-type]


def _split(inside: str) -> list[str]:
    """The parts of what stands in brackets; a comma that parts thousands does not part them."""
    inside = inside.replace("±", "")
    if ";" in inside:
        return inside.split(";")
    if _RANGE.search(inside):
        return _RANGE.split(inside, maxsplit=1)
    if re.fullmatch(r"\s*\d{1,3},\d{3}\s*", inside):
        return [inside]
    return re.split(r",\s*", inside)


def _one(text: str) -> Printed:
    """One number and nothing else."""
    text = text.strip()
    match = _ONE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    digits = re.sub(r"[,\u202f\u00a0']", "", match["digits"])
    decimals = len(digits.partition(".")[2])
    power = int((match["power"] or "e0")[1:].replace("−", "-"))
    value, step = float(f"{digits}e{power}"), float(f"1e{power - decimals}")
    if match["sign"] and match["sign"].strip() != "+":
        value = -value
    if (match["unit"] or "").casefold() == "k":
        value, step = value * 1000.0, step * 1000.0
    if match["below"]:  # <0.1 is any number from 0 to 0.1
        value, step = value / 2.0, value
    return Printed(text, value, max(step, abs(value) * PRECISION))


def _with_points(text: str) -> str:
    """A text with decimal commas as one with decimal points."""
    text = re.sub(r"(?<=\d)[. \u202f\u00a0](?=\d{3}(?!\d))", "", text)
    return re.sub(r"(?<=\d),(?=\d)|^,(?=\d)", ".", text)


def has_decimal_comma(text: str) -> bool:
    """
    >>> has_decimal_comma("65,5%"), has_decimal_comma("1,319"), has_decimal_comma("(64.2,66.8)")
    (True, False, False)
    """
    pattern = r"(?<![\d.,])(?:\d{1,3},(?:\d{1,2}|\d{4,})|0,\d+)(?![\d.,])"
    return re.search(pattern, text) is not None


def may_have_decimal_comma(text: str) -> bool:
    """Whether the comma of a cell may part thousands or decimals.

    >>> may_have_decimal_comma("65,512"), may_have_decimal_comma("0.65")
    (True, False)
    """
    return re.fullmatch(r"[+\-−–]?\s?[1-9]\d{0,2},\d{3}\s?%?", plain_cell(text)) is not None


def scaled(number: Printed | None, factor: float) -> Printed | None:
    """The number in other units."""
    if number is None or factor == 1.0:
        return number
    return replace(number, value=number.value * factor, step=number.step * factor)
