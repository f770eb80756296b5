"""One escape for each format: any text prints as itself. Jinja environments call these."""

import functools
import html
import re
from collections.abc import Callable

from reportkit.text.latex import latex
from reportkit.text.visible import INVISIBLE, one_line

NOTHING = "<!-- -->"  # parts two characters of Markdown without showing
# Markdown: entities where a backslash would not do everywhere ($ on GitHub, | inside tables,
# autolinks).
_MD = {ord(c): f"&#{ord(c)};" for c in "\\|$`~^"} | {ord(c): "\\" + c for c in "*_[]#"}
_MD |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def markdown(text: str) -> str:
    """
    >>> markdown("[a|b](x) *c*")
    '\\\\[a&#124;b\\\\](x) \\\\*c\\\\*'
    """
    text = one_line(text).translate(_MD)
    text = re.sub(r"(?i)(https?|ftp|mailto)(:)|(www)(\.)", _unlink, text)
    # GitHub looks for @names and :smile: in the text that it has rendered: an escape does not hide
    # them, this does.
    text = re.sub(r"@|:(?=[\w+-]+:)", rf"\g<0>{NOTHING}", text)
    # What would open a list, a rule or a heading at the start of a line.
    text = re.sub(r"^([-+=])", r"\\\1", text)
    return re.sub(r"^(\d+)([.)])(?=\s|$)", r"\1\\\2", text)


def _unlink(match: re.Match[str]) -> str:
    """Break what GitHub would turn into a link by itself."""
    word, mark = [g for g in match.groups() if g]
    return f"{word}&#{ord(mark)};"


_TYPST = {ord(c): "\\" + c for c in "\\`*_#$<>@~[]'\"/-=+"}


def typst(text: str) -> str:
    """
    >>> typst("a--b // #c...")
    'a\\\\-\\\\-b \\\\/\\\\/ \\\\#c\\\\.\\\\..'
    """
    text = re.sub(r"[^\s\u1100-\uffff]{32,}", _breakable, one_line(text)).translate(_TYPST)
    text = re.sub(r"\.(?=\.)", r"\\.", text)
    text = re.sub(r"^(\d+)\.(?=\s|$)", r"\1\\.", text)
    return text.replace("\0", "#box();")


def _breakable(word: re.Match[str]) -> str:
    """A word too long for a line may break after its marks, or after 16 letters; an empty box adds
    no character.
    """
    word_marks = re.sub(r"(?<=[-_/.:,|])(?=\w)", "\0", word[0])
    return re.sub(r"(\w{16})(?=\w)", "\\1\0", word_marks)


def typst_string(text: str) -> str:
    """A string of Typst code.

    >>> print(typst_string('a"b'))
    "a\\"b"
    """
    return '"' + text.translate(INVISIBLE).replace("\\", "\\\\").replace('"', '\\"') + '"'


ESCAPES: dict[str, Callable[[str], str]] = {
    "md": markdown,
    "tex": latex,
    "html": lambda text: html.escape(text.translate(INVISIBLE)),
    "typ": typst,
}


# Room that stands in a number's place, in tables whose numbers align: as wide as a digit, and as a
# full stop. Where a format can leave room without a character it does, so that a search for what
# is printed finds it, and a copy has no odd spaces.
SPACE, POINT = "\u2007", "\u2008"
_ROOM = re.compile(f"[{SPACE}{POINT}]+")
_MARKS = re.compile(" ([†‡]+)$")  # behind a number; the others have the room of a point and digits


def escape_aligned(text: str, fmt: str) -> str:
    """The source of a cell with room in it, as escape(): room is markup in HTML and Typst.

    >>> print(escape_aligned(f"(1, {SPACE}2)", "html"))
    (1, <span style="padding-left:1ch"></span>2)
    >>> print(escape_aligned(f"(1, {SPACE}2)", "typ"))
    (1, #hide[0];2)
    >>> print(escape_aligned("2.5 ‡", "html"))
    2.5 <span style="display:inline-block;width:1ch;text-align:left">‡</span>
    >>> print(escape_aligned("2.5 ‡", "typ"))
    2.5#box(place(bottom+left)[~‡])#hide[.0];
    >>> escape_aligned("2.5 ‡", "md")  # a mark does not stand alone on a line
    '2.5\xa0‡'
    """
    source = escape(text, fmt)
    if fmt not in _AS_MARKUP:
        return source
    room_of, mark_of = _AS_MARKUP[fmt]
    source = _ROOM.sub(lambda room: room_of(room[0]), source)
    return _MARKS.sub(lambda marks: mark_of(marks[1]), source)


def breakable(source: str) -> str:
    """HTML whose names may break behind an underscore too, as behind a hyphen, and behind the last
    of several; the text is the same to copy and to search.

    >>> breakable("gpt_4o &amp; _x_"), breakable("openai__gpt-4.1")
    ('gpt_<wbr>4o &amp; _<wbr>x_', 'openai__<wbr>gpt-4.1')
    """
    return kept_together(re.sub(r"_(?=[^\W_])", "_<wbr>", source))


_TAG = r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>'
_DATE = r"(?<!\d)(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)"
_STUDENT = r"\bStudent(?:'|&#39;)s t\b"
_LETTER = r"(?<![\w-])[A-Z]{2,8}-[A-Z\d](?![\w-]|\.\d)"  # RACE-H
_VALUE = r"\b[^\W\d]\w* (?:=|&lt;) \d[\d,]*(?:\.\d+)?(?![\w-])"  # epochs = 6, p &lt; 0.001
_WORDS_KEPT = rf"\bSHA-256\b|{_STUDENT}|\bet al\.|{_LETTER}"
_WHOLE = rf'(?<!rk-whole">)(?:{_DATE}|{_WORDS_KEPT}|{_VALUE})'
_FORMULA = r'<math display="inline"(?:(?!</math>).)*</math>'
_LEFT = r"<(?:math|svg|style|pre|bdi)\b.*?</(?:math|svg|style|pre|bdi)>"
# Words that run from the right, with what is written to them, without the sign behind the last;
# and the size behind a name, as in 7B.
_LEFTWARDS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff"
_SIZE = r"\d+(?:\.\d+)?[A-Za-z]+(?!\w)"


def _run(before: str, behind: str, space: str) -> str:
    """The pattern of such words, which hold none of these signs before them, or behind them."""
    word = rf"[^\s{before}]*[{_LEFTWARDS}](?:[^\s{behind}]*[^\s{behind}.,;:!?)\]])?"
    return rf"{word}(?:{space}+{word})*(?:{space}+{_SIZE})?"


_RUN = _run("<>“", "<>”", r"\s")
_KEPT = re.compile(
    rf"(?P<whole>{_FORMULA}[.,;:!?)\]]+|{_WHOLE})|{_LEFT}|{_TAG}|(?P<right>{_RUN})", re.DOTALL
)


def kept_together(source: str) -> str:
    """HTML, as offline() leaves it, whose lines end neither within a date, SHA-256, Student's t,
    "et al.", RACE-H or p = 0.02 nor between a formula and the sign behind it, and in which a name
    that runs from the right leaves the numbers beside it where they are; the text is the same to
    copy and to search.

    >>> kept_together('<b title="2025-08-07">gpt-5-2025-08-07-FC</b>')
    '<b title="2025-08-07">gpt-5-<span class="rk-whole">2025-08-07</span>-FC</b>'
    >>> kept_together('<math display="inline">x</math>.')
    '<span class="rk-whole"><math display="inline">x</math>.</span>'
    >>> kept_together("Student's t on RACE-H")
    '<span class="rk-whole">Student\\'s t</span> on <span class="rk-whole">RACE-H</span>'
    >>> kept_together("Mogstad et al. 2024")
    'Mogstad <span class="rk-whole">et al.</span> 2024'
    >>> kept_together("give epochs = 6 (p &lt; 0.02).")
    'give <span class="rk-whole">epochs = 6</span> (<span class="rk-whole">p &lt; 0.02</span>).'
    >>> kept_together("SHA-256 01c4, \u201c\u0627\u0628\u201d")
    '<span class="rk-whole">SHA-256</span> 01c4, \u201c<bdi>\u0627\u0628</bdi>\u201d'
    >>> kept_together("\u0627\u0628-7B, 65.5%; \u0627\u0628 7B 65.5%")
    '<bdi>\u0627\u0628-7B</bdi>, 65.5%; <bdi>\u0627\u0628 7B</bdi> 65.5%'
    >>> kept_together(kept_together("\u0627\u0628-7B, 65.5%"))
    '<bdi>\u0627\u0628-7B</bdi>, 65.5%'
    """

    def kept(found: re.Match[str]) -> str:
        if found["whole"]:
            return f'<span class="rk-whole">{found[0]}</span>'
        return f"<bdi>{found[0]}</bdi>" if found["right"] else found[0]

    return _KEPT.sub(kept, source)


_CODE = r"(`+)(?!`).*?(?<!`)\1(?!`)|\]\([^)\n]*\)"  # and where links lead
_SIGNS = r"<>“”()\[\]*`|"
_MIXED = re.compile(rf"{_CODE}|{_TAG}|(?P<right>{_run(_SIGNS, _SIGNS, ' ')})", re.DOTALL)


def isolated_names(source: str) -> str:
    """Markdown in which a name that runs from the right keeps letters and digits from the left,
    as of 7B, together: else 7 stands before it and B behind. Code and links stay as they are.

    >>> of = "| {0}\u0627\u0628-7B{1} | `\u0627\u0628-7B` | \u0627\u0628 |".format
    >>> isolated_names(of("", "")) == of("\u2068", "\u2069")
    True
    """

    def isolated(found: re.Match[str]) -> str:
        run = found["right"]
        return f"\u2068{run}\u2069" if run and re.search(r"[A-Za-z\d]", run) else found[0]

    return _MIXED.sub(isolated, source)


_OPTION = re.compile(r"(?<!\S)--[a-z]")
_QUOTED = r"(?P<mark>'|&#x27;|&#39;)(?:(?!(?P=mark)).)*(?P=mark)(?!\S)"
_WORDS = re.compile(
    rf"(?<!\S)(?P<option>--[a-z]\S*) (?P<value>{_QUOTED}|(?!--)\S+)|(?P<hyphened>\S*-\S*)"
)


def whole_words(source: str) -> str:
    """HTML of a command whose lines end neither behind the hyphens of its words nor between an
    option and its value, where the line has room for both; the text is the same to copy and to
    search. A line without an option is as it was.

    >>> whole_words("reportkit build a-b.csv --eval gsm")
    'reportkit build <span class="rk-word">a-b.csv</span> <span class="rk-word">--eval gsm</span>'
    """

    def whole(found: re.Match[str]) -> str:
        words = found["hyphened"] or f"{found['option']} {_WORDS.sub(whole, found['value'])}"
        return f'<span class="rk-word">{words}</span>'

    lines = source.split("\n")
    return "\n".join(_WORDS.sub(whole, line) if _OPTION.search(line) else line for line in lines)


def _padding(room: str) -> str:
    """An empty element as wide: a full stop is about half as wide as a digit."""
    width = room.count(SPACE) + 0.5 * room.count(POINT)
    return f'<span style="padding-left:{width:g}ch"></span>'


def _hidden(room: str) -> str:
    """Digits that take their place and are in no file: `hide` of Typst leaves them out."""
    return f"#hide[{room.replace(SPACE, '0').replace(POINT, '.')}];"


def _as_digits(marks: str) -> str:
    """Marks as wide as as many digits."""
    style = f"display:inline-block;width:{len(marks)}ch;text-align:left"
    return f' <span style="{style}">{marks}</span>'


def _over(marks: str) -> str:
    """Marks over the room that other numbers have."""
    return f"#box(place(bottom+left)[~{marks}])" + _hidden(POINT + SPACE * len(marks))


def _beside(marks: str) -> str:
    return f"\u00a0{marks}"


_AS_MARKUP: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "html": (_padding, _as_digits),
    "typ": (_hidden, _over),
    "md": (str, _beside),
}


@functools.lru_cache(maxsize=4096)  # a table is written in four formats, and shown as well
def escape(text: str, fmt: str) -> str:
    """Plain text as source of `md`, `tex`, `html` or `typ` that prints exactly that text."""
    return ESCAPES[fmt](text)
