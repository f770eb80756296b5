"""What the text beside a table says of its errors and means: that errors allow for groups of
questions, that means are of several answers or parts. Text that may say it in other words is not
read, and nothing that rests on its silence is claimed then.
"""

import re

_ERRORS = (
    r"(?:standard errors?|std\.? err(?:or)?s?\.?|errors?|s\.?e\.?m?\.?s?|stderrs?|"
    r"(?:confidence )?intervals?|cis?)(?!\w)"
)
_UNITS = (
    r"(?:clusters?|groups?|documents?|passages?|paragraphs?|dialogues?|dialogs?|templates?|topics?|"
    r"articles?|stor(?:y|ies)|problems?|repositor(?:y|ies))"
)
# What may stand between "standard errors" and "clustered".
_BETWEEN = (
    r"(?:\s*\([^()]*\))?,?(?:\s+(?:in|within|given|shown|reported|round|parenthes[ie]s|brackets|"
    r"after|the|±|are|is|were|all|computed|estimated))*\s+"
)
_CLUSTERED = re.compile(
    rf"\bcluster(?:ed|[- ]robust|[- ]adjusted)?\s+(?:bootstrap(?:ped)?\s+)?(?:95% )?{_ERRORS}|"
    rf"\b{_ERRORS}{_BETWEEN}cluster(?:ed|[- ]robust)\b|"
    rf"\bbootstrap\w*\s+(?:over|of|by|across)\s+(?:the\s+|whole\s+)*{_UNITS}\b",
    re.IGNORECASE,
)
# With one of these a text may take back what it says, or say it of a part of the numbers.
_BUT = re.compile(
    r"\b(?:un-?cluster\w*|non-?cluster\w*|not|no|nor|neither|without|ignor\w*|naive\w*|"
    r"independen\w*|unless|except\w*|only|some|columns?|rows?|respectively|where|if|for|left|right|"
    r"top|bottom|upper|lower)\b",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    r"clust|klyng|grupp|\bgroup|hierarch|nested|robust|sandwich|bootstrap|resampl|jack-?knife|"
    r"\bblock|multi-?level|mixed|random.effect|design.effect|adjust|allow|account|correlat|depend|"
    r"macro|averag|avg|\bmeans? (?:of|over|across)|aggregat|pooled|weight|across|"
    r"\bper\b|\bby\b|subject|sub-?set|sub-?task|categor|languag|seeds?\b|\bruns?\b|trials?\b|"
    r"repeat|repetition|samples\b|epochs?\b|document|dokument|passage|paragraph|dialog|template|"
    r"topic|articles?\b",
    re.IGNORECASE,
)
_OFTEN = r"(?:seeds|runs|samples|trials|roll-?outs|repetitions|repeats|generations|epochs|attempts|"
_OFTEN += r"completions|answers)\b"
_SEVERAL = re.compile(
    rf"\b(?:averag\w*|avg|means?)\b[^.;]*\b{_OFTEN}|"
    rf"\b(?:\d+|two|three|four|five|six|eight|ten|several|multiple)\s+(?:\w+\s+)?{_OFTEN}|"
    r"\b(?:avg|mean|average)@\d+",
    re.IGNORECASE,
)
_ONE = r"(?<!least )(?<!most )(?<!than )\b(?:one|1|a single|exactly one)"
_RIGHT = (
    r"(?:right|correct)[- ]or[- ](?:wrong|incorrect)|right/wrong|correct/incorrect|binary|0/1|"
    r"0[- ]or[- ]1"
)
_GIVEN = r"(?:answers?|scores?|responses?|completions?|generations?)"
_EACH = r"(?:each|every|per|a) (?:question|problem|item|prompt)s?"
_HAS = r"(?:has|gets|is given|received?s?)"
_SINGLE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ONE} (?:{_RIGHT}) {_GIVEN} (?:(?:to|for|on) )?{_EACH}\b",
        rf"{_ONE} {_GIVEN} (?:(?:to|for|on) )?{_EACH}, (?:\w+ ){{0,3}}(?:{_RIGHT})\b",
        rf"\b{_EACH} {_HAS} {_ONE} (?:{_RIGHT}) {_GIVEN}\b",
        rf"\b{_EACH} {_HAS} {_ONE} {_GIVEN},? (?:\w+ ){{0,4}}(?:{_RIGHT})\b",
    )
)
TITLE = re.compile(
    r"^\W*(?:(?:supplementary )?tab(?:le|\.)?\s*)?[A-Z]?\.?\d*\w?\W*$", re.IGNORECASE
)
_ANSWERS = re.compile(r"\b(?:avg|mean|average)@(\d+)\b", re.IGNORECASE)


def says_clustered(text: str) -> bool:
    """Whether a text says of all its errors that they allow for groups of questions.

    >>> says_clustered("Accuracy (%), standard errors clustered by document.")
    True
    >>> says_clustered("Standard errors are not clustered."), says_clustered("Clustered Llama (SE)")
    (False, False)
    """
    return _CLUSTERED.search(text) is not None and not _BUT.search(text)


def says_several(text: str) -> bool:
    """Whether a text says that means may be of several answers to each question, or of several
    runs.

    >>> says_several("Accuracy, averaged over 5 seeds."), says_several("All runs are zero-shot.")
    (True, False)
    """
    return _SEVERAL.search(text) is not None


def says_single(text: str) -> bool:
    """Whether a text says that each question has one answer, which is right or wrong, and takes
    nothing back.

    >>> says_single("Accuracy (%), one right-or-wrong answer to each question.")
    True
    >>> says_single("Each question has a single answer, scored as correct or incorrect.")
    True
    >>> says_single("One binary answer per question, except DROP."), says_single("One answer each.")
    (False, False)
    """
    said = " ".join(text.split())
    found = next(filter(None, (pattern.search(said) for pattern in _SINGLE)), None)
    if found is None:
        return False
    return not _BUT.search(f"{said[: found.start()]} {said[found.end() :]}")


def may_say_groups(text: str) -> bool:
    """Whether a text may say that errors allow for groups, or that means are of several parts.

    >>> may_say_groups("MMLU is the macro average of 57 subjects."), may_say_groups("Accuracy (%)")
    (True, False)
    """
    return _MAYBE.search(text) is not None


def answers_in(name: str) -> str:
    """How many answers to each question the name of an eval tells; empty where it tells none.

    >>> answers_in("AIME 2025 avg@64"), answers_in("MATH (pass@1)")
    ('64', '')
    """
    found = _ANSWERS.search(name)
    return found[1] if found and int(found[1]) else ""
