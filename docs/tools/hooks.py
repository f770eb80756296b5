"""What the guide takes from the code when it is built: mkdocs calls these functions.

A line `<!-- made: NAME -->` of a page is replaced by what MADE[NAME] returns, so that no list of
the guide can differ from the code. The repository's own pages become pages of the guide, and
links to them lead there.
"""

import ast
import html
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "reportkit"
# Pages and pictures of the repository that the guide shows too.
BROUGHT = {
    "CHANGELOG.md": "changes.md",
    "benchmarks/coverage.md": "coverage.md",
    "benchmarks/coverage.svg": "coverage.svg",
    "benchmarks/README.md": "costs.md",
    "reportkit/results.schema.json": "results.schema.json",
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
    tree = ast.parse((ROOT / "tests" / "test_imports.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "STAGES":
            return list(ast.literal_eval(node.value))
    raise LookupError("tests/test_imports.py has no STAGES")


def _cell(text: str) -> str:
    """Plain text in a cell of a Markdown table; only backticks are markup there.

    >>> _cell("a|b is `a_b` or _b_")
    'a\\\\|b is `a_b` or \\\\_b\\\\_'
    """
    parts = text.replace("|", r"\|").split("`")
    for number in range(0, len(parts), 2):  # the parts between them are code
        parts[number] = re.sub(r"([*_\[\]])", r"\\\1", html.escape(parts[number], quote=False))
    return "`".join(parts)


def statistics() -> str:
    """The public names of reportkit.stats under a heading for each module, for mkdocstrings."""
    package = PACKAGE / "stats"
    lines = []
    for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        path = package / f"{node.module.rpartition('.')[2]}.py"
        lines += [f"## {_cell(first_line(path)).rstrip('.')}", ""]
        for alias in node.names:
            if not alias.name.isupper():
                lines += [f"::: {node.module}.{alias.name}", "    options: {heading_level: 3}", ""]
    return "\n".join(lines)


MADE: dict[str, Callable[[], str]] = {"map": module_map, "statistics": statistics}


def filled(markdown: str) -> str:
    """A page with its made parts in place; KeyError for a name that nothing makes."""
    return re.sub(r"^<!-- made: (\w+) -->$", lambda m: MADE[m[1]](), markdown, flags=re.MULTILINE)


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Brings the repository's own pages in."""
    for source, target in BROUGHT.items():
        path = ROOT / source
        if path.suffix == ".md":
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
