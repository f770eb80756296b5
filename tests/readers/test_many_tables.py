"""Small tables that are read as one give what each by itself gives."""

import pandas as pd
import pytest

from reportkit import read_scores
from reportkit.errors import ScoresError
from reportkit.inputs.files import File
from reportkit.inputs.layouts import Layouts
from reportkit.loading import reading
from reportkit.readers import is_log, many_tables
from reportkit.scores.scores import facts_of

N = 24
HEAD = "model,question_id,score"


def rows_of(k):
    return f"m{k % 3},q{k // 3},{k % 2}"


def files_of(folder, head=HEAD, rows=rows_of, **others):
    """N files of one row, but those whose text is given."""
    for k in range(N):
        text = others.get(f"f{k:02d}", f"{head}\n{rows(k)}\n")
        path = folder / f"f{k:02d}.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_both(monkeypatch, folder, **how):
    """What is read together, and file by file: rows, facts and what is skipped."""
    found = []
    for fewest in (many_tables.FEWEST, 10**9):
        monkeypatch.setattr(many_tables, "FEWEST", fewest)
        skipped, seen = [], []
        try:
            frame = read_scores(
                folder, skipped=lambda *s, to=skipped: to.append(s), progress=seen.append, **how
            )
        except ScoresError as error:
            found.append((str(error), None, skipped, seen))
        else:
            found.append((frame, facts_of(frame), skipped, seen))
        monkeypatch.undo()
    return found


def together(folder, **columns):
    """How many files are read together."""
    files = [File(str(p), False, str(folder)) for p in sorted(folder.iterdir())]
    return len(many_tables.parts_of(files, Layouts(columns=columns), is_log))


EVALS = f"eval,{HEAD}"
# what is odd about the files, how many of the N are read together
CASES = {
    "plain": ({}, N),
    "evals that alternate": ({"head": EVALS, "rows": lambda k: f"e{k % 2},{rows_of(k)}"}, N),
    "further columns": (
        {"head": f"{HEAD},epoch,cluster_id,topic,status",
         "rows": lambda k: f"{rows_of(k)},{k % 3},c{k // 6},,{'error' if k == 4 else ''}"}, N),
    "repeats by another name": ({"head": f"{HEAD},Sample", "rows": lambda k: f"{rows_of(k)},0"}, N),
    "no newline at the end": ({"f03": f"{HEAD}\nm0,q1,1"}, N),
    "a byte order mark": ({"f03": b"\xef\xbb\xbf" + f"{HEAD}\nm0,q1,1\n".encode()}, N),
    "lines as Windows ends them": ({"f03": f"{HEAD}\r\nm0,q1,1\r\n"}, N),
    "two rows": ({"f03": f"{HEAD}\nm0,q1,1\nm0,q77,0\n"}, N),
    "quotes": ({"f03": f'{HEAD}\n"m,0",q1,1\n'}, N - 1),
    "a quote that is not closed": ({"f03": f'{HEAD}\n"m0,q1,1\n'}, N - 1),
    "another head": ({"f03": "question_id,model,score\nq1,m0,1\n"}, N - 1),
    "a blank line": ({"f03": f"{HEAD}\n\nm0,q1,1\n"}, N - 1),
    "a short row": ({"f03": f"{HEAD}\nm0,q1\n"}, N - 1),
    "a short row and a long one": ({"f03": f"{HEAD}\nm0,q1\nm0,q2,1,1\n"}, N // 2),
    "a row too many": ({"f03": f"{HEAD}\nm0,q1,1,5\n"}, N - 1),
    "no rows": ({"f03": f"{HEAD}\n"}, N - 1),
    "another table": ({"f03": "a,b,c\n1,2,3\n"}, N - 1),
    "no text": ({"f03": f"{HEAD}\nm\xe9,q1,1\n".encode("latin-1")}, N - 1),
    "a byte 0": ({"f03": f"{HEAD}\nm\0,q1,1\n"}, N - 1),
    "a score that is none": ({"f03": f"{HEAD}\nm0,q1,yes\n"}, N // 2),
    "repeats that are labels": (
        {"head": f"{HEAD},epoch", "rows": lambda k: f"{rows_of(k)},{'a' if k == 3 else 1}"},
        N // 2),
    "a column twice": ({"head": f"{HEAD},topic,topic", "rows": lambda k: f"{rows_of(k)},a,b"}, 0),
    "semicolons": (
        {"head": HEAD.replace(",", ";"), "rows": lambda k: rows_of(k).replace(",", ";")}, N),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_files_read_together_are_as_read_one_by_one(case, tmp_path, monkeypatch):
    odd, expected = CASES[case]
    files_of(tmp_path, **odd)
    assert together(tmp_path) == expected
    ours, alone = read_both(monkeypatch, tmp_path)
    assert ours[1:] == alone[1:]
    if isinstance(ours[0], str) or isinstance(alone[0], str):
        assert ours[0] == alone[0]
    else:
        pd.testing.assert_frame_equal(ours[0], alone[0])


@pytest.mark.parametrize("how", [
    {"columns": {"llm": "model"}},
    {"aliases": {"m1": "Model 1"}},
    {"logs": {"f03": ["nowhere"]}},
    {"evals": ["f03", "f07"]},
    {"strict": True},
])  # fmt: skip
def test_what_is_asked_for_holds_for_files_read_together(how, tmp_path, monkeypatch):
    files_of(tmp_path, head="llm,question_id,score" if "columns" in how else HEAD)
    ours, alone = read_both(monkeypatch, tmp_path, **how)
    assert ours[1:] == alone[1:]
    pd.testing.assert_frame_equal(ours[0], alone[0])


def test_an_eval_by_the_name_of_its_folder(tmp_path, monkeypatch):
    for name in ("eval=a%2Fb", "eval=c"):
        (tmp_path / name).mkdir()
        files_of(tmp_path / name)
    ours, alone = read_both(monkeypatch, tmp_path)
    assert list(ours[0]["eval"].unique()) == ["a/b", "c"]
    pd.testing.assert_frame_equal(ours[0], alone[0])


def test_a_column_by_another_name_is_read_together(tmp_path):
    files_of(tmp_path, head="llm,question_id,score")
    assert together(tmp_path, model="llm") == N
    assert together(tmp_path, model="{model}.csv") == 0  # of the path of each file


def test_no_file_that_is_read_with_others_is_read_by_itself(tmp_path, monkeypatch):
    """3,000 files of a row each took 30 seconds so."""
    monkeypatch.setattr(reading, "read_file", None)
    assert len(read_scores(files_of(tmp_path))) == N
