"""Standard output that is closed, full, or of an encoding without our characters: one sentence on
standard error, and status 3.
"""

import os
import subprocess
import sys

import pytest
from support.places import ROOT

from reportkit.cli.progress import progress

PLAIN = f"{sys.executable} -m reportkit table means --eval MATH"
ENV = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": ""}


def shell(line: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", "-c", line], env=ENV | env, capture_output=True, text=True, encoding="utf-8"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"{PLAIN} >&-", "standard output is closed"),
        (f"{PLAIN} > /dev/full", "No space left on device"),
        (f"{PLAIN} | true; exit ${{PIPESTATUS[0]}}", "standard output was closed before"),
    ],
)
def test_what_cannot_be_written_is_a_sentence_and_a_status(line, told):
    done = shell(line)
    said = [ln for ln in done.stderr.splitlines() if ln.startswith("reportkit: ")]
    assert done.returncode == 3 and len(said) == 1 and told in said[0], done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.slow
def test_a_table_that_the_encoding_cannot_hold_is_refused_whole():
    """Its negative differences have a minus sign (U+2212), which Latin-1 has not."""
    line = PLAIN.replace(" means ", " differences ")
    assert "\u2212" in shell(line, PYTHONIOENCODING="utf-8").stdout
    done = shell(line, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stdout) == (3, "")
    assert "latin-1, which has no '\\u2212'; set PYTHONIOENCODING=utf-8" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_name_that_the_encoding_cannot_hold_shows_as_its_escape(tmp_path):
    """A line for people, not a document."""
    rows = [f"模型,q{k},{k % 2}" for k in range(8)] + [f"b,q{k},1" for k in range(8)]
    text = "\n".join(["model,question_id,score", *rows])
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    line = f"{sys.executable} -m reportkit check {tmp_path / 'a.csv'}"
    done = shell(line, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0 and "\\u6a21\\u578b" in done.stdout, done.stderr
    assert "模型" in shell(line, PYTHONIOENCODING="utf-8").stdout


def test_a_closed_standard_error_takes_no_file_with_it(tmp_path):
    """Else the first file that is opened gets its number, and what others write to it."""
    done = shell(f"{sys.executable} -m reportkit demo --to {tmp_path / 'd'} 2>&-")
    assert done.returncode == 0
    assert all(p.read_text().startswith("eval,model") for p in (tmp_path / "d").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "status"),
    [
        (f"{PLAIN} --models nobody 2>&1 | true; exit ${{PIPESTATUS[0]}}", 2),
        (f"{PLAIN} --models nobody 2> /dev/full", 2),
        (f"{PLAIN} 2>&1 | true; exit ${{PIPESTATUS[0]}}", 3),
    ],
)
def test_a_message_that_nobody_reads_leaves_the_status_as_it_is(line, status):
    """Status 1 is a report's that failed."""
    assert shell(line).returncode == status


def test_a_build_goes_on_where_nobody_reads_its_progress(capsys, monkeypatch):
    def gone(_text: str) -> None:
        raise BrokenPipeError

    with progress(False, "text") as said:
        monkeypatch.setattr(sys.stderr, "write", gone)
        said("a", 1, 2)
