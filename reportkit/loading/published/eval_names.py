"""What stands in brackets behind the name of an eval: its number of questions, its scale."""

import re
from collections.abc import Iterator

from reportkit.published import PERCENT, SHARE, Scale

_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_PART = re.compile(r";\s*|,\s+|,(?!\d{3}(?!\d))")  # no comma of thousands
_COUNT = r"(\d{1,3}(?:,\d{3})+|\d+)"
_SIZE = re.compile(
    rf"(?:n|#)\s*=\s*{_COUNT}|{_COUNT}\s*(?:questions?|problems?|examples?|items?|instances?|"
    r"prompts?)",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf",\s*n\s*=\s*{_COUNT}$", re.IGNORECASE)
_RANGE = re.compile(
    r"(?:scale\s*:?\s*)?(?:from\s+)?([01])\s*(?:[-–—]|to)\s*(\d{1,3})(?:\s+scale)?", re.IGNORECASE
)
_OUT_OF = re.compile(r"(?:/|out of)\s*(\d{1,3})", re.IGNORECASE)
_PERCENT = re.compile(r"(?:in )?(?:%|percent)", re.IGNORECASE)
ENDS = (*range(2, 11), 100)  # the highest scores of judges; (1-15) may be numbers of problems
FEWEST = 30  # questions: (5) may be shots
YEARS = range(1990, 2051)


def without_size(name: str) -> tuple[str, str]:
    """A name without the number of questions that it says, and that number; it stays, with an empty
    number, where it says none, or two.

    >>> without_size("HumanEval (5-shot, n=164)"), without_size("GSM8K (1319)")
    (('HumanEval (5-shot)', '164'), ('GSM8K (1319)', ''))
    """
    behind = _BEHIND.search(name)
    found = [(m, part) for m, part in _parts(name) if _SIZE.fullmatch(part)]
    if behind and not found:
        return name[: behind.start()].strip(), behind[1]
    if len(found) != 1:
        return name, ""
    brackets, part = found[0]
    rest = [p for p in _split(brackets[1]) if p != part]
    kept = f" ({', '.join(rest)})" if rest else ""
    size = _SIZE.fullmatch(part)
    assert size is not None
    bare = name[: brackets.start()] + kept + name[brackets.end() :]
    return bare.strip(), size[1] or size[2]


def with_bare_size(name: str) -> tuple[str, str]:
    """The same of an eval with nothing but a whole number in brackets, which is no year and no end
    of a scale: of a model it may be its version.

    >>> with_bare_size("GSM8K (1319)"), with_bare_size("AIME (2024)"), with_bare_size("MATH (5)")
    (('GSM8K', '1319'), ('AIME (2024)', ''), ('MATH (5)', ''))
    """
    found = re.search(rf"\s*[(\[]\s*{_COUNT}\s*[)\]]$", name)
    number = int(found[1].replace(",", "")) if found else 0
    year = number in YEARS and found is not None and "," not in found[1]
    if not found or number < FEWEST or number in ENDS or year or found[1][0] == "0":
        return name, ""
    bare = name[: found.start()].strip()
    return (bare, found[1]) if bare else (name, "")


def scale_in(name: str) -> Scale:
    """The scale that a name says in brackets; an unknown one where it says none.

    >>> scale_in("MT-Bench (1-10)"), scale_in("MT-Bench (/10)").high, scale_in("BBH (0-shot)").known
    (Scale(low=1.0, high=10.0, percent=False), 10.0, False)
    """
    said = {s for _, part in _parts(name) if (s := _scale(part)).known}
    return said.pop() if len(said) == 1 else Scale()


def _scale(part: str) -> Scale:
    if _PERCENT.fullmatch(part):
        return PERCENT
    between, out_of = _RANGE.fullmatch(part), _OUT_OF.fullmatch(part)
    if between:
        low, high = between[1], between[2]
    elif out_of:
        low, high = "0", out_of[1]
    else:
        return Scale()
    if (low, high) == ("0", "1") and between:
        return SHARE
    return Scale(float(low), float(high)) if int(high) in ENDS else Scale()


def _parts(name: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each part of each pair of brackets."""
    for found in _BRACKETS.finditer(name):
        for part in _split(found[1]):
            yield found, part


def _split(text: str) -> list[str]:
    return [part.strip() for part in _PART.split(text) if part.strip()]
