"""LaTeX of a cell -> the text that it prints. What is not known is refused, never dropped: a number
could change.
"""

import re

# Commands whose last argument is printed as it stands, and what their other arguments are: "o" in
# square brackets where there is one, "m" in braces.
KEEP = {
    **dict.fromkeys(
        ("textbf", "textit", "emph", "underline", "texttt", "textsc", "textrm", "textsf", "textmd",
         "textup", "textsl", "textnormal", "text", "mathbf", "mathrm", "mathit", "mathsf", "mathtt",
         "boldsymbol", "bm", "uline", "mbox", "ensuremath", "smash", "makecell", "thead",
         "shortstack", "fbox"), ""),
    "textcolor": "om", "colorbox": "om", "rotatebox": "om", "multirow": "omo", "href": "m",
    "rkline": "m", "rkfits": "mm", "rktext": "", "rkrtl": "",  # of reportkit's own tables
}  # fmt: skip
DROP = {
    **dict.fromkeys(("label", "phantom", "hphantom", "vphantom", "hspace", "vspace", "color",
                     "cellcolor", "rowcolor", "footnote", "tablefootnote"), "om"),
    **dict.fromkeys(("cite", "citep", "citet", "citealp"), "oom"), "footnotemark": "o",
    "fontsize": "mm",
}  # fmt: skip
NOTHING = {
    "bf", "it", "rm", "sf", "tt", "sc", "em", "bfseries", "itshape", "ttfamily", "sffamily",
    "rmfamily", "scshape", "upshape", "mdseries", "normalfont", "small", "footnotesize",
    "scriptsize", "tiny", "normalsize", "large", "centering", "raggedright", "raggedleft",
    "displaystyle", "textstyle", "protect", "left", "right", "bigl", "bigr", "big", "strut", "null",
    "selectfont", "boldmath", "allowbreak",
}  # fmt: skip
SCRIPTS = {"textsuperscript": "^", "textsubscript": "_"}
SYMBOLS = {
    "pm": "±", "textpm": "±", "dagger": "†", "textdagger": "†", "dag": "†", "ddagger": "‡",
    "textdaggerdbl": "‡", "ddag": "‡", "ast": "*", "textasteriskcentered": "*", "star": "*",
    "S": "§", "P": "¶", "diamond": "◊", "bullet": "•", "checkmark": "✓", "times": "×", "cdot": "·",
    "uparrow": "↑", "downarrow": "↓", "rightarrow": "→", "Uparrow": "⇑", "Downarrow": "⇓",
    "Delta": "Δ", "delta": "δ", "alpha": "α", "beta": "β", "kappa": "κ", "tau": "τ", "rho": "ρ",
    "sigma": "σ", "mu": "μ", "pi": "π", "lambda": "λ", "sim": "~", "approx": "≈", "leq": "≤",
    "le": "≤", "geq": "≥", "ge": "≥", "infty": "∞", "dots": "…", "ldots": "…", "textendash": "–",
    "textemdash": "—", "textasciitilde": "~", "textbackslash": "\\", "textless": "<",
    "textgreater": ">", "textminus": "−", "percent": "%", "quad": " ", "qquad": " ",
    "thinspace": " ", "enspace": " ", "space": " ", "newline": " ", "linebreak": " ",
    "textunderscore": "_", "lbrack": "[", "rbrack": "]", "textquotedbl": '"',
    "textquotesingle": "'", "textbar": "|", "textasciicircum": "^", "textdollar": "$",
    "textasciigrave": "`", "textbullet": "•", "textbraceleft": "{", "textbraceright": "}",
}  # fmt: skip
THIN = "\u202f"  # a thin space, which may part thousands
SIGNS = {"%": "%", "&": "&", "_": "_", "#": "#", "$": "$", "{": "{", "}": "}", " ": " ", ",": THIN,
         ";": " ", ":": " ", "!": "", "/": "", "-": "", "(": "", ")": "", "\n": " "}  # fmt: skip
RAISED = {**dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True)), "∗": "*"}
_MARKS = set("†‡§¶*∗◊•⁰¹²³⁴⁵⁶⁷⁸⁹,; ")
STARRED = {"hspace", "vspace", "cite", "citep", "citet"}
_SPANS = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,2})\s*\}\s*\{")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s*|\\(.)", re.DOTALL)


class Unread(ValueError):
    """What a cell has and is not read: a sentence without its place."""


def plain_latex(text: str) -> str:
    """The text that a cell of LaTeX prints. Unread where that is not known for sure.

    >>> plain_latex(r"$\\mathbf{65.5}_{\\pm 0.7}$\\%"), plain_latex(r"GPT\\_4$^\\dagger$~\\cite{x}")
    ('65.5 ±0.7%', 'GPT_4†')
    """
    made = _Reader(text).read().replace("---", "—").replace("--", "–").replace("``", "“")
    made = re.sub(rf"(?<=\d){THIN}(?=\d{{3}}(?!\d))", ",", made.replace("''", "”"))
    return " ".join(made.split())


def spanning(text: str) -> tuple[str, int]:
    """What a whole cell prints, and over how many columns: it may begin with \\multicolumn.

    >>> spanning(r" \\multicolumn{2}{c}{\\textbf{MATH}}"), spanning("65.5")
    (('MATH', 2), ('65.5', 1))
    """
    match = _SPANS.match(text)
    if match is None or match[1] == "1":
        return plain_latex(text), 1
    columns = braced(text, match.end() - 1)
    begin = columns + len(text[columns:]) - len(text[columns:].lstrip())
    if text[begin : begin + 1] != "{" or text[braced(text, begin) :].strip():
        raise Unread(f"a cell spans {match[1]} columns and prints more than its text; write both")
    return plain_latex(text[begin:]), int(match[1])


def braced(text: str, at: int) -> int:
    """The place behind the braces that open at a place. Unread where they do not close."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "{}" and not _escaped(text, i):
            depth += 1 if text[i] == "{" else -1
            if depth == 0:
                return i + 1
    raise Unread("a brace does not close; close it")


def _escaped(text: str, at: int) -> bool:
    backslashes = re.search(r"\\*$", text[:at])
    return backslashes is not None and len(backslashes[0]) % 2 == 1


class _Reader:
    """Reads one cell from its start to its end."""

    def __init__(self, text: str):
        self.text, self.at = text, 0

    def read(self) -> str:
        found: list[str] = []
        while self.at < len(self.text):
            found.append(self._next("".join(found)))
        return "".join(found)

    def _next(self, before: str) -> str:
        c = self.text[self.at]
        if c == "\\":
            return self._command()
        if c == "{":
            return plain_part(self._braces())
        self.at += 1
        if c in "^_":
            return _script(c, self._argument(), before)
        if c in "$}":
            return ""
        if c == "&":
            raise Unread("an & stands inside braces; write one cell for each column")
        return " " if c == "~" else c

    def _command(self) -> str:
        match = _COMMAND.match(self.text, self.at)
        if match is None:
            raise Unread("a backslash stands at the end of a cell; take it out")
        self.at = match.end()
        if match[2] is not None:
            return self._sign(match[2])
        name = match[1]
        if name in STARRED and self.text[self.at : self.at + 1] == "*":
            self.at += 1
        if name in SYMBOLS or name in NOTHING:
            return SYMBOLS.get(name, "")
        if name in DROP:
            self._skip(DROP[name])
            return ""
        if name in SCRIPTS:
            return _script(SCRIPTS[name], self._argument(), "")
        if name == "rkbreak":  # of reportkit's own tables: a name that breaks, and what joins it
            joint = self._argument()
            self._argument()
            return plain_part(joint)
        if name == "rkchar":  # of them too: a character by its number
            return chr(int(self._argument().strip("{}"), 16))
        return self._spanning() if name == "multicolumn" else self._kept(name)

    def _kept(self, name: str) -> str:
        if name not in KEEP:
            raise Unread(f"the command \\{name} of LaTeX is not known here; write what it prints")
        self._skip("o" + KEEP[name])
        if name == "multirow":  # \multirow{3}{*}{text} and \multirow{3}*{text}
            self._argument()
        return plain_part(self._argument())

    def _sign(self, sign: str) -> str:
        if sign == "\\":  # a line break inside a cell
            self._skip("o")
            return " "
        if sign not in SIGNS:
            raise Unread(f"\\{sign} of LaTeX is not known here; write what it prints")
        return SIGNS[sign]

    def _spanning(self) -> str:
        columns = self._argument().strip()
        self._argument()
        if columns != "1":
            raise Unread(
                f"a cell spans {columns} columns; write one line of heads, with a name in each "
                "column, and no heading between the rows"
            )
        return plain_part(self._argument())

    def _skip(self, kinds: str) -> None:
        """Skips arguments: o in square brackets, if it is there, m in braces."""
        for kind in kinds:
            rest = self.text[self.at :]
            if kind == "o" and rest.lstrip().startswith("["):
                end = self.text.find("]", self.at)
                if end < 0:
                    raise Unread("a square bracket does not close; close it")
                self.at = end + 1
            elif kind == "m":
                self._argument()

    def _argument(self) -> str:
        """The next argument: in braces, one command or one character."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        if self.at >= len(self.text):
            raise Unread("an argument of a command is missing; write what the cell prints")
        if self.text[self.at] == "{":
            return self._braces()
        match = _COMMAND.match(self.text, self.at)
        end = match.end() if match else self.at + 1
        found, self.at = self.text[self.at : end], end
        return found

    def _braces(self) -> str:
        start, self.at = self.at, braced(self.text, self.at)
        return self.text[start + 1 : self.at - 1]


def plain_part(text: str) -> str:
    """The text that a part of a cell prints."""
    return _Reader(text).read()


def _script(kind: str, argument: str, before: str) -> str:
    """What stands raised or lowered: a mark, or an error after ± or in brackets. A raised digit
    behind a number may be a power.
    """
    text = plain_part(argument).strip()
    if re.match(r"±|\(", text):
        return f" {text}"
    raised = "".join(RAISED.get(c, c) for c in text)
    number = re.search(r"[\d.]\s*$", before) is not None
    letter = re.fullmatch(r"[A-Za-z]", text)
    if kind == "^" and not (number and text.isdigit()) and set(raised) <= _MARKS:
        return raised
    if kind == "^" and letter:
        return f"^{text}"
    where = "raised" if kind == "^" else "lowered"
    raise Unread(
        f"{text!r} is {where}, and may be a footnote, a power or an error; write it as "
        "65.5 ± 0.7 or 65.5 (0.7), or leave it out"
    )
