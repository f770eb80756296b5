"""Runs of real LaTeX engines: many tables in one document, and what may not be in the log."""

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from reportkit.text.brought import render_preamble
from support import programs
from support.programs import program

ENGINES = ("pdflatex", "xelatex", "lualatex")
ARTICLE = r"\documentclass{article}"
TWOCOLUMN = r"\documentclass[10pt,twocolumn]{article}"
IEEE = r"\documentclass[conference]{IEEEtran}"
NEURIPS = (
    r"\documentclass{article}\usepackage[letterpaper,textwidth=5.5in,textheight=9in]{geometry}"
)
WRONG = r"^!.*|Missing character.*"
# A warning about a shape of a font says which it takes instead.
UNSETTLED = (
    r"|Overfull.*|^(?!LaTeX Font Warning).*undefined.*|Float too large.*|.*Package .* Error.*"
)


def latex(engine: str, folder: Path, name: str, *, settled: bool = True) -> str:
    """The log of a run that has to succeed; a settled one has nothing out of place either."""
    run = subprocess.run(
        [
            programs.engine(engine),
            "-halt-on-error",
            "-interaction=nonstopmode",
            "-no-shell-escape",
            name,
        ],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=600,  # a long document on a machine that does much else
        env=os.environ | {"max_print_line": "999", "openin_any": "p", "openout_any": "p"},
    )
    log = (folder / name).with_suffix(".log").read_text(errors="replace")
    assert run.returncode == 0, log[-2000:]
    assert not re.findall(WRONG + (UNSETTLED if settled else ""), log, re.MULTILINE)
    return log


def typeset(
    folder: Path,
    engine: str,
    bodies: Iterable[str],
    *,
    head: str = ARTICLE,
    packages: str = "",
    runs: int = 2,
) -> str:
    """One document of all bodies, run until references and longtables settle; its PDF's text."""
    (folder / "reportkit-preamble.tex").write_text(render_preamble(), encoding="utf-8")
    source = "\n\\clearpage\n".join(bodies)
    lines = [
        head,
        packages or r"\input{reportkit-preamble}",
        r"\begin{document}",
        source,
        r"\end{document}",
    ]
    (folder / "t.tex").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for run in range(1, runs + 1):
        latex(engine, folder, "t.tex", settled=run == runs)
    return pdf_text(folder / "t.pdf")


def pdf_text(path: Path, *options: str) -> str:
    command = [program("pdftotext"), *options, str(path), "-"]
    return subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode()


def squeezed(text: str) -> str:
    """Without spaces, and ligatures in letters: what a PDF says, wherever its lines break."""
    for ligature, letters in {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}.items():
        text = text.replace(ligature, letters)
    return re.sub(r"[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\xad]+", "", text)
