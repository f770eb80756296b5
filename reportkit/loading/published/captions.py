"""What the caption of a table says of all its numbers, where it can mean one thing."""

import re
from collections.abc import Iterator, Sequence

from reportkit.advised import Advised, Line, Option
from reportkit.errors import ScoresError
from reportkit.loading.published.entries import Entry
from reportkit.loading.published.groups import (
    TITLE,
    answers_in,
    may_say_groups,
    says_clustered,
    says_several,
    says_single,
)
from reportkit.loading.published.heads import Head, is_change, read_head
from reportkit.loading.published.numbers import read_cell
from reportkit.loading.published.options import CheckOptions
from reportkit.loading.published.scales import LOSS
from reportkit.loading.published.sheet import Sheet

_PERCENT = re.compile(
    r"[(\[](?:[^()\[\]]*[,;])?\s*(?:all |given |shown |reported )*(?:in |as )?"
    r"(?:%|percent|percentages?)\s*[)\]]|(?<!points )\bin (?:%|percent\b)|"
    r"\b(?:scores?|results?|accurac(?:y|ies)|means?|numbers?|values?) are percentages\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\b(?:gains?|improvements?|increases?|changes?|relative|reductions?)\b", re.I)
_IS = r"\s*(?:denotes?|is|are|means?|indicates?|shows?|gives?|represents?|[:=])?\s*"
_THE = r"(?:the |a |one |1 |clustered |their )*"
_ERROR = r"(?:standard errors?|std\.? err(?:or)?s?\.?|s\.e\.m?\.?|sem?s?)\b"
_SPREAD = r"(?:standard deviations?|std\.?(?! ?err)(?: ?devs?\.?)?|s\.?d\.?s?)(?!\w)"
_HALF = r"(?:(\d{2}(?:\.\d+)?) ?% )(?:confidence intervals?|cis?)\b"
_GIVEN = r" (?:\([^()]*\) )?(?:are |is )?(?:given |shown |reported )?"
_BY_MARK = _GIVEN + r"(?:after|behind|by|as|with) (?:the )?±"
_BRACKETS = _GIVEN + r"in (?:round )?(?:parenthes[ie]s|brackets)"


_ADJUSTED = re.compile(
    r"adjust|correct(?:ed|ion)|bonferroni|holm\b|hochberg|\bfdr\b|\bfwer\b|tukey|dunn|multiple",
    re.IGNORECASE,
)


# A test of means, or of right answers, and not of ranks or signs.
_OF_MEANS = re.compile(
    r"\b[tz][- ]?(?:tests?|statistics?|scores?)\b|student|welch|mcnemar|normal (?:law|approx)|wald",
    re.IGNORECASE,
)


def _says(what: str, caption: str) -> bool:
    return any(
        re.search(pattern, caption, re.IGNORECASE)
        for pattern in (rf"±{_IS}{_THE}{what}", what + _BY_MARK)
    )


def says_percent(caption: str) -> bool:
    """Whether all scores are said to be percentages.

    >>> says_percent("Results (%)"), says_percent("Relative gains (%)"), says_percent("Top 5%")
    (True, False, False)
    """
    return _PERCENT.search(caption) is not None and not _OTHER.search(caption)


def after_plus_minus(caption: str) -> str:
    """What is said to stand after ±: se, interval, sd, or the empty string where nothing is, or
    more than one thing.

    >>> after_plus_minus("± denotes the standard error"), after_plus_minus("mean ± 95% CI")
    ('se', 'interval')
    >>> after_plus_minus("mean ± std over 5 seeds"), after_plus_minus("± 1.96 standard errors")
    ('sd', '')
    """
    words = {"se": _ERROR, "interval": _HALF, "sd": _SPREAD}
    found = [word for word, what in words.items() if _says(what, caption)]
    return found[0] if len(found) == 1 else ""


def told_by_caption(
    sheet: Sheet, entries: Sequence[Entry], file: str, options: CheckOptions
) -> Iterator[str]:
    """Puts what the caption says to the entries of its table, a sentence for each thing that is
    used. options: what the user says holds over the caption. ScoresError for standard deviations,
    which are no errors of means.
    """
    caption = sheet.told
    heads = [read_head(head) for head in sheet.heads]
    named = bool(heads) and heads[0].percent and not is_change(heads[0].text)
    texts = [text for e in entries for key, (text, _) in e.cells.items() if key in MAIN]
    if not options.usual_scale and (says_percent(caption) or named):
        for e in entries:
            e.percent = not LOSS.search(e.eval) and not _is_share(e)
        bare = any("%" not in text for text in texts)
        if bare and any(e.percent for e in entries):
            where = f"the head {heads[0].text!r}" if named else "the caption"
            yield f"Means are percentages, as {where} says."
    after = "" if options.plus_minus else after_plus_minus(caption)
    after = after if any("±" in text or "+/-" in text or "\\pm" in text for text in texts) else ""
    in_brackets = _SPREAD + _BRACKETS
    spread = re.search(in_brackets, caption, re.IGNORECASE) and any("(" in x for x in texts)
    if after == "sd" or spread:
        raise ScoresError(
            f"{file}, line {sheet.line}: the caption says that a standard deviation stands beside "
            "the means; give the standard error in its place, or leave it out"
        )
    half = re.search(_HALF, caption, re.IGNORECASE)
    for e in entries:
        e.after = after
        if half and after == "interval":
            e.cells.setdefault("level", (f"{half[1]}%", Head("level", "level")))
    if after:
        word = {"se": "a standard error", "interval": "half of the interval"}[after]
        yield f"A number after ± is {word}, as the caption says."


MAIN = ("mean", "difference")


def _is_share(e: Entry) -> bool:
    """Whether the number may be a share, whatever the caption says."""
    try:
        cell = next((read_cell(e.cells[key][0]) for key in MAIN if key in e.cells), None)
    except ValueError:
        return False
    if cell is None or cell.value is None or e.is_difference:
        return False
    return 0.0 < cell.value.value <= 1.0 and cell.value.step <= 0.01


def told_of_groups(sheet: Sheet, entries: Sequence[Entry], options: CheckOptions) -> Iterator[Line]:
    """Puts to the entries of a table what the text beside it says; a sentence for what is used.
    What the user says holds over the caption.
    """
    caption = sheet.told
    text = f"{caption} {sheet.notes}".strip()
    clustered = _says_clustered(sheet) and not options.errors
    several = says_several(text) and options.scores != "binary"
    single = says_single(text) and not (several or options.scores or _of_some(text, entries))
    beside = "text" if not TITLE.match(text) else ""
    beside = "maybe" if may_say_groups(text) or says_clustered(caption) else beside
    words = {"adjusted": _ADJUSTED, "means": _OF_MEANS}
    p_said = " ".join(word for word, pattern in words.items() if pattern.search(text))
    told: dict[str, None] = {}
    for e in entries:
        e.beside, e.several, e.p_said = beside, several, p_said
        e.errors = "clustered" if clustered and _has_error(e) else ""
        each = answers_in(e.eval)
        if each and not e.is_difference:
            e.cells.setdefault("answers", (each, Head("answers", "answers")))
            told[f"{e.eval} has {each} answers to each question, as its name says."] = None
        elif single and not e.is_difference:
            e.cells.setdefault("scores", ("binary", Head("scores", "scores")))
            told["Each question has one score, 0 or 1, as the text beside the table says."] = None
    yield from told
    if any(e.errors for e in entries):
        yield Advised(
            "Errors allow for groups of questions, as the caption says: they are not held against "
            "the largest that independent scores have.",
            (Option("errors", "naive", "if they do not"),),
        )
    if several and any("n" in e.cells for e in entries):
        yield Advised(
            "Means may be of several answers to each question, or of several runs, by what the "
            "text beside the table says: they are not held against counts of right answers.",
            (Option("scores", "binary", "if each question has one right-or-wrong answer"),),
        )


def _of_some(text: str, entries: Sequence[Entry]) -> bool:
    """Whether a text names one of several evals, so that what it says may be of that one."""
    names = {e.eval.casefold() for e in entries}
    return len(names) > 1 and any(name in text.casefold() for name in names if name)


def _says_clustered(sheet: Sheet) -> bool:
    """Whether the caption or the notes say it, and neither takes it back."""
    parts = [" ".join(part.split()) for part in (sheet.caption, sheet.below)]
    said = [says_clustered(part) for part in parts]
    silent = [x or "cluster" not in p.casefold() for x, p in zip(said, parts, strict=True)]
    return any(said) and all(silent)


def _has_error(e: Entry) -> bool:
    texts = [text for key, (text, _) in e.cells.items() if key == "mean"]
    beside = any(mark in text for text in texts for mark in "(±[")
    return beside or not e.cells.keys().isdisjoint(("se", "ci", "low"))
