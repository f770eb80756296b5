"""Tests that need a program: skipped with a reason on a machine without it, failed in CI."""

import re

import pytest
from support import programs
from support.places import ROOT

PACKAGES = {*programs.PROGRAMS.values(), *programs.TEX_FILES.values(), *programs.FONTS.values()}


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine that has no program at all."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    return monkeypatch


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_without_the_program_one_sentence_names_the_debian_package(bare, name):
    with pytest.raises(pytest.skip.Exception) as skipped:
        programs.program(name)
    package = programs.PROGRAMS[name]
    assert str(skipped.value) == f"{name} is not installed: it comes with Debian's {package}"


def test_in_ci_nothing_is_skipped_for_want_of_a_program_or_a_font(bare):
    bare.setenv("CI", "1")
    bare.setattr(programs, "system_fonts", lambda: ())
    for ask in (
        lambda: programs.program("pdftotext"),
        lambda: programs.engine("xelatex"),
        lambda: programs.font("ColorEmoji"),
    ):
        with pytest.raises(pytest.fail.Exception, match="in CI nothing is skipped"):
            ask()


def test_an_engine_without_a_file_that_tests_load_names_its_package(bare, tmp_path):
    """A kpsewhich that finds all but siunitx."""
    found = "\n".join(f"/texmf/{name}" for name in programs.TEX_FILES if name != "siunitx.sty")
    for name, text in (("pdflatex", ""), ("kpsewhich", found)):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{text}'\n")
        (tmp_path / name).chmod(0o755)
    programs._unknown_to_tex.cache_clear()
    try:
        with pytest.raises(pytest.skip.Exception, match="siunitx.sty .* texlive-science"):
            programs.engine("pdflatex")
    finally:
        programs._unknown_to_tex.cache_clear()


def test_ci_installs_every_package_that_a_skip_names():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    [listed] = re.findall(r"^packages=\((.*?)\)$", script, re.DOTALL | re.MULTILINE)
    assert PACKAGES - set(listed.split()) == set()
    # installed for what they bring to the engines, and named by no skip
    assert set(listed.split()) - PACKAGES == set()


def test_ci_says_that_it_is_ci_and_runs_the_tests_and_the_checks():
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("export CI=1") for line in lines)
    calls = [line for line in lines if line.startswith("make ")]
    assert calls[-3:] == ["make lint", "make test", "make bounds"]
    assert lines[-1] == calls[-1]


def test_no_test_starts_such_a_program_by_its_bare_name():
    """It would fail where it should be skipped."""
    names = "|".join(programs.PROGRAMS)
    bare = re.compile(rf'(?:run|Popen|output|which)\(\s*\[?\s*"(?:{names})"|= \["(?:{names})"')
    files = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "test_programs.py"]
    assert files
    found = [path.name for path in files if bare.search(path.read_text(encoding="utf-8"))]
    assert [name for name in found if name != "programs.py"] == []
