"""What the guide takes from the code when it is built: mkdocs calls these functions.

A line `<!-- made: NAME -->` of a page is replaced by what MADE[NAME] returns, with the lines right
below it: they tell who reads the page elsewhere, as on GitHub, where the list is. A line
`<!-- door: NAME -->` is replaced by the reference of a public name. So no list of the guide can
differ from the code. The repository's own pages become pages of the guide, and links to them lead
there.
"""

import ast
import html
import json
import posixpath
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from reportkit.schema import results_schema

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "reportkit"
# Pages and pictures of the repository that the guide shows too.
BROUGHT = {
    "CHANGELOG.md": "changes.md",
    "benchmarks/coverage.md": "coverage.md",
    "benchmarks/coverage.svg": "coverage.svg",
    "benchmarks/README.md": "costs.md",
    "benchmarks/mutants.md": "mutants.md",
    "benchmarks/store.md": "store-costs.md",
    "benchmarks/rough.md": "rough-costs.md",
    "benchmarks/power.md": "power.md",
    "benchmarks/planning.md": "planning-power.md",
    "benchmarks/best.md": "best.md",
    "benchmarks/moved.md": "moved.md",
    "benchmarks/check_table.md": "check-table-simulated.md",
    "reportkit/schema.py": "results.schema.json",  # what the module prints
}
_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def first_line(path: Path) -> str:
    """The first sentence of a module's docstring, on one line."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def module_map() -> str:
    """Every module with the first sentence of its docstring, package by package, bottom to top."""
    lines = []
    for stage in stages():
        path = PACKAGE / stage
        if not path.is_dir():
            lines += [f"**`{stage}.py`** {_cell(first_line(path.with_suffix('.py')))}", ""]
            continue
        lines += [f"**`{stage}/`** {_cell(first_line(path / '__init__.py'))}", ""]
        inner = [m for m in sorted(path.rglob("*.py")) if m != path / "__init__.py"]
        if not inner:
            continue
        lines += ["| module | what it does |", "| --- | --- |"]
        for module in inner:
            name = module.relative_to(path).as_posix().replace("/__init__.py", "/")
            lines.append(f"| `{name}` | {_cell(first_line(module))} |")
        lines.append("")
    return "\n".join(lines)


def stages() -> list[str]:
    """The packages, bottom to top, as tests/test_imports.py holds them."""
    return list(assigned(ROOT / "tests" / "test_imports.py", "STAGES"))


def _cell(text: str) -> str:
    """Plain text in a cell of a Markdown table; only backticks are markup there.

    >>> _cell("a|b is `a_b` or _b_")
    'a\\\\|b is `a_b` or \\\\_b\\\\_'
    """
    parts = text.replace("|", r"\|").split("`")
    for number in range(0, len(parts), 2):  # the parts between them are code
        parts[number] = re.sub(r"([*_\[\]])", r"\\\1", html.escape(parts[number], quote=False))
    return "`".join(parts)


# What most readers look for comes first; the other modules follow by name.
FIRST = (
    "means.mean", "intervals", "pairs.paired", "pairs.every", "multiplicity", "families.ranks",
    "planning.needed", "planning.epochs",
)  # fmt: skip


def statistics() -> str:
    """The public names of reportkit.stats under a heading for each module, for mkdocstrings."""
    package = PACKAGE / "stats"
    parts = {}
    for name, members in assigned(package / "__init__.py", "_NAMES").items():
        title = first_line(package / f"{name.replace('.', '/')}.py").partition(":")[0].rstrip(".")
        shown = [
            reference(f"reportkit.stats.{name}.{n}", f"stats.{n}")
            for n in members.split()
            if not n.isupper()
        ]
        parts[name] = "\n".join([f"## {_cell(title)}", "", *shown])
    order = sorted(parts, key=lambda name: (FIRST.index(name) if name in FIRST else 99, name))
    return "\n".join(parts[name] for name in order)


def reference(path: str, name: str) -> str:
    """What mkdocstrings shows of an object, under the name by which users reach it."""
    options = {"heading": name, "toc_label": name, "heading_level": 3}
    return f"::: {path}\n    options: {json.dumps(options)}\n"


def doors() -> dict[str, str]:
    """The public names of the package, each with the module that has it."""
    return dict(assigned(PACKAGE / "__init__.py", "_HOME"))


def assigned(path: Path, name: str) -> Any:
    """The literal that a module gives a name in its first level; LookupError where it does not."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    raise LookupError(f"{path} has no {name}")


def decisions() -> str:
    """The table of all decisions, as the code's own record gives it."""
    from reportkit.decisions.guide import reference as table

    return table()


def warnings() -> str:
    """The table of all warnings, as the code's own list gives it."""
    from reportkit.analysis.codes import reference as table

    return table()


def harnesses() -> str:
    """What is read of each harness, as its reader says."""
    from reportkit.readers import FORMATS

    lines = ["| harness | files | good to know |", "| --- | --- | --- |"]
    guides = sorted((reader.guide for reader in FORMATS), key=lambda g: g.harness.lower())
    return "\n".join([*lines, *(f"| {g.harness} | {g.files} | {g.about} |" for g in guides)])


def files() -> str:
    """The names of all tables of a report, figures and documents."""
    from reportkit import figures, tables
    from reportkit.documents import FORMATS

    def named(names: Iterable[str]) -> str:
        return ", ".join(f"`{name}`" for name in names)

    kinds = {name: kind for name, kind in tables.KINDS.items() if kind.in_reports}
    asked = [name for name, kind in kinds.items() if kind.on_request]
    several = [name for name in tables.KINDS if name not in kinds]
    lines = [
        f"Tables of each report: {named(name for name in kinds if name not in asked)}.",
        f"[On request](statistics.md#tables-on-request): {named(asked)}.",
        f"Of several evals, or laid out like a paper's: {named(several)}.",
        f"Each as {named('.' + form for form in tables.FORMATS)}.",
        f"Figures: {named(figures.KINDS)}.",
        f"Documents: {named('report.' + form for form in FORMATS)}.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def tables_shown() -> str:
    """Every table of a report with what it says."""
    from reportkit import tables

    lines = ["| table | says |", "| --- | --- |"]
    for name, kind in tables.KINDS.items():
        if kind.in_reports:
            asked = ", on request" if kind.on_request else ""
            lines.append(f"| {name}{asked} | {_cell(kind.shows)} |")
    return "\n".join(lines)


MADE: dict[str, Callable[[], str]] = {
    "nothing": str,  # what is only for who reads the page elsewhere
    "map": module_map,
    "statistics": statistics,
    "decisions": decisions,
    "warnings": warnings,
    "harnesses": harnesses,
    "files": files,
    "tables": tables_shown,
}


def filled(markdown: str) -> str:
    """A page with its made parts in place; KeyError for a name that nothing makes.

    >>> filled("<!-- made: nothing -->\\nElsewhere.\\nAnd more.\\n\\nNext.")
    '\\n\\nNext.'
    """

    def door(match: re.Match[str]) -> str:
        return reference(f"{doors()[match[1]]}.{match[1]}", f"reportkit.{match[1]}")

    def made(match: re.Match[str]) -> str:
        return MADE[match[1]]()

    markdown = re.sub(r"^<!-- door: (\w+) -->$", door, markdown, flags=re.MULTILINE)
    return re.sub(r"^<!-- made: (\w+) -->$(?:\n.+)*", made, markdown, flags=re.MULTILINE)


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Brings the repository's own pages in."""
    for source, target in BROUGHT.items():
        path = ROOT / source
        if path.suffix == ".py":
            content = json.dumps(results_schema(), indent=1)
            files.append(File.generated(config, target, content=content))
        elif path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            if not text.startswith("# "):
                text = f"# {TITLES[source]}\n\n{text}"
            files.append(File.generated(config, target, content=text))
        else:
            files.append(File.generated(config, target, abs_src_path=str(path)))
    return files


TITLES = {"benchmarks/coverage.md": "Coverage, simulated"}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fills a page's made parts, and leads links to the repository's pages to those brought in."""
    here = page.file.src_uri
    sources = {target: source for source, target in BROUGHT.items()}
    folder = posixpath.dirname(sources.get(here, f"docs/{here}"))

    def led(match: re.Match[str]) -> str:
        meant = posixpath.normpath(posixpath.join(folder, match[2]))
        if meant not in BROUGHT:
            return match[0]
        target = posixpath.relpath(BROUGHT[meant], posixpath.dirname(here) or ".")
        return match[1] + target + match[3]

    return _LINK.sub(led, filled(markdown))
