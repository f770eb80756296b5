"""Tables with hostile texts, and how their HTML is read back."""

from dataclasses import replace
from html.parser import HTMLParser

from reportkit.tables.table import Column, Table

HOSTILE = (
    "a|b_%$#{~^\\",
    "<script>alert(1)</script>",
    "../x",
    "[link](x)",
    "*star*",
    "# head",
    "1. one",
    "- dash--dash,,",
    "http://a.b www.c.d e@f.g",
    "[ open",
    "étą ω ± −1",
    "<<x>> `c` \"q\" ''s'' &amp; a&b...",
    "$x^2$ \\input{y}",
    "a\\",
    "+ plus",
    "= eq",
    "// no comment",
    "{{ x }} {% y %} <% z %>",
    "~~gone~~",
    "&#42;",
    ":smile:",
    "a_b_c",
    "!",
)


CJK = "中文"


SMALL = Table(
    name="means",
    title="Mean scores with standard errors, in per cent.",
    columns=(
        Column("Model", "l"),
        Column("Mean (SE)", "r", "MATH_5000"),
        Column("95% CI", "c", "MATH_5000"),
    ),
    cells=(("Galleon", "65.5% (0.7%)", "[64.2, 66.8]"), ("a|b_%", "63.0% (—)", "—")),
    values=((None, 0.655, None), (None, 0.63, None)),
    notes=("[1] Fictional models; a dash is undefined.", "* n = 5,000."),
    bold=frozenset({(0, 1)}),
    data=(
        {"model": "Galleon", "mean": 0.6551, "se": 0.0067},
        {"model": "a|b_%", "mean": 0.63, "se": float("nan")},
    ),
)


def hostile_table(names: tuple[str, ...] = HOSTILE) -> Table:
    cells = tuple((name, "65.5% (0.7%)", "[−1.2, +3.4]") for name in names)
    values = ((None, 0.655, None),) * len(names)
    return replace(SMALL, cells=cells, values=values, notes=names, data=())


class Cells(HTMLParser):
    """Body cells, and every tag opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.notes: list[str] = []
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in ("br", "img", "meta", "wbr"):
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")
        if tag == "p":
            self.notes.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data
        elif "p" in self.open:
            self.notes[-1] += data


def parse(html: str) -> Cells:
    parser = Cells()
    parser.feed(html)
    parser.close()
    assert not parser.open
    return parser


def texts(cells: list[str]) -> list[str]:
    """Without the three heads and the groups above them."""
    return cells[cells.index("95% CI") + 1 :]
