"""Programs, TeX files and fonts that some tests need and a machine may not have.

Here alone is decided what becomes of a test that needs one: it is skipped with the name of the
Debian package that brings it. Where CI is set it fails instead: .ci/run installs them all, so that
a green run there hides nothing.
"""

import os
import shutil
import subprocess
from functools import cache
from typing import NoReturn

import pytest

from reportkit.text.fonts import system_fonts

PROGRAMS = {
    "chromium": "chromium",
    "git": "git",
    "kpsewhich": "texlive-latex-recommended",
    "lualatex": "texlive-luatex",
    "make": "make",
    "pdffonts": "poppler-utils",
    "pdfinfo": "poppler-utils",
    "pdflatex": "texlive-latex-recommended",
    "pdftotext": "poppler-utils",
    "systemd-analyze": "systemd",
    "xelatex": "texlive-xetex",
}
# What the preamble, and the classes that tests set tables in, load or fall back from.
TEX_FILES = {
    "booktabs.sty": "texlive-latex-recommended",
    "gbsnu4e.tfm": "latex-cjk-chinese-arphic-gbsn00lp",
    "IEEEtran.cls": "texlive-publishers",
    "lmodern.sty": "lmodern",
    "ptmr7t.tfm": "texlive-fonts-recommended",  # IEEEtran's Times
    "siunitx.sty": "texlive-science",
    "t2aenc.def": "texlive-lang-cyrillic",
    "threeparttablex.sty": "texlive-latex-extra",
}
# Parts of the names of font files, for names in scripts that no wheel and no TeX font covers.
FONTS = {
    "Amiri": "fonts-hosny-amiri",
    "ColorEmoji": "fonts-noto-color-emoji",
    "DroidSansFallback": "fonts-droid-fallback",
    "Symbola": "fonts-symbola",
}


def program(name: str) -> str:
    """The path of a program; a test that asks for one that is not there ends here."""
    path = shutil.which(name)
    if path is None:
        absent(name, PROGRAMS[name])
    return path


def engine(name: str) -> str:
    """The path of a LaTeX engine that finds the TeX files and fonts of this module."""
    path = program(name)
    program("kpsewhich")
    for file in _unknown_to_tex():
        absent(file, TEX_FILES[file])
    if name != "pdflatex":  # which uses TeX's own fonts
        for part in ("Amiri", "DroidSansFallback", "Symbola"):
            font(part)
    return path


def font(part: str) -> None:
    """A test goes on only where a font file with this in its name is installed."""
    names = [path.name.replace(" ", "") for path in system_fonts()]
    if not any(part in name for name in names):
        absent(f"the font {part}", FONTS[part])


def absent(what: str, package: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(
            f"{what} is not installed, and in CI nothing is skipped for want of a program: "
            f"add Debian's {package} to .ci/run"
        )
    pytest.skip(f"{what} is not installed: it comes with Debian's {package}")


@cache
def _unknown_to_tex() -> tuple[str, ...]:
    command = ["kpsewhich", *TEX_FILES]
    # Fonts that TeX could make are looked for, not made.
    env = os.environ | {"MKTEXTFM": "0"}
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env).stdout
    there = {line.rpartition("/")[2] for line in found.splitlines()}
    return tuple(name for name in TEX_FILES if name not in there)
