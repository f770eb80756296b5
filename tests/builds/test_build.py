"""Builds with real kernels: what they leave behind, that every format says the same, and what
happens when they fail.
"""

import hashlib
import html
import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from pypdf import PdfReader

from reportkit.builds.build import build, notebook_path
from reportkit.cli import main
from reportkit.decisions import SPECS, TOGETHER
from reportkit.errors import NotebookError
from reportkit.publishing.aside import STATE
from reportkit.report.parameters import (
    PARAMETERS,
    SUITE_PARAMETERS,
    parameters_cell,
    suite_parameters_cell,
)
from reportkit.text.assets import asset

TABLES = (
    "means",
    "clustering",
    "differences",
    "differences-all",
    "correlations",
    "variance",
    "power",
    "power-all",
    "data",
    "ranks",
)
FIGURES = (
    "means",
    "ranks",
    "differences",
    "correlations",
    "power",
)  # and "variance" where questions have several answers
# Section 4 of the design.
FILES = {
    *(f"report.{s}" for s in ("html", "md", "tex", "pdf", "ipynb")),
    *(f"tables/{t}.{s}" for t in TABLES for s in ("tex", "md", "html", "typ", "csv")),
    *(
        f"figures/{f}{w}.{s}"
        for f in FIGURES
        for w in ("", "-column")
        for s in ("svg", "pdf", "png")
    ),
    "numbers.tex",
    "numbers.md",
    "reportkit-preamble.tex",
    "results.json",
    "manifest.json",
}
# Section 5 of the design: field and type; "?" may be null.
MEAN = {
    "model": "s",
    "mean": "f?",
    "se": "f?",
    "df": "f?",
    "ci_low": "f?",
    "ci_high": "f?",
    "level": "f",
    "method": "s",
    "n_questions": "i",
    "n_clusters": "i",
    "n_answers": "i",
    "n_unscored": "i",
    "n_errors": "i",
    "se_unclustered": "f?",
    "design_effect": "f?",
    "variance_between": "f?",
    "variance_within": "f?",
    "mean_common": "f?",
    "rank": "f?",
    "rank_low": "f?",
    "rank_high": "f?",
    "may_be_best": "s",
    "icc": "f?",
}
DIFFERENCE = {
    "model": "s",
    "baseline": "s",
    "difference": "f?",
    "se": "f?",
    "df": "f?",
    "ci_low": "f?",
    "ci_high": "f?",
    "level": "f",
    "method": "s",
    "p_value": "f?",
    "p_adjusted": "f?",
    "correlation": "f?",
    "n_questions": "i",
    "n_clusters": "i",
    "n_only_model": "i",
    "n_only_baseline": "i",
    "se_unpaired": "f?",
    "mde": "f?",
    "mean_model": "f?",
    "mean_baseline": "f?",
    "ci_comparisons": "i",
    "p_greater": "f?",
    "p_exact": "f?",
    "p_mid": "f?",
}
POWER = {
    "model": "s",
    "baseline": "s",
    "omega2": "f?",
    "sigma2_model": "f?",
    "sigma2_baseline": "f?",
    "epochs_model": "f",
    "epochs_baseline": "f",
    "n_questions": "i",
    "alpha": "f",
    "power": "f",
    "mde": "f?",
    "method": "s",
    "n_clusters": "i",
    "se": "f?",
    "df": "f?",
    "se_unclustered": "f?",
    "mean_model": "f?",
    "mean_baseline": "f?",
    "correlation": "f?",
    "apart": "f?",
    "shown": "f?",
    "worth": "f?",
    "alike": "f?",
    "direction": "s",
    "room": "f?",
    "reason": "s",
    "spread_low": "f?",
    "spread_high": "f?",
}
WARNING = {"code": "s", "eval": "s", "model": "s", "message": "s"}
EVAL = {
    "eval",
    "metric",
    "category",
    "scale",
    "lower",
    "n_questions",
    "n_common",
    "n_clusters",
    "models",
    "baseline",
    "means",
    "differences",
    "pairs",
    "power",
}

pytestmark = pytest.mark.usefixtures("warm")

NAMES = ("a|b_%$#{~^\\", "<script>alert(1)</script>", "../x")
EVALS = ("../x", "a/b")
# Eight questions each. Means 6/8 and 4/8; standard errors sqrt(p (1-p) / 7); the differences 1 at
# two questions of eight: mean 2/8, standard error sqrt(2/8 * 6/8 / 7).
ANSWERS = {
    NAMES[0]: (1, 1, 1, 0, 1, 0, 1, 1),
    NAMES[1]: (1, 0, 1, 0, 0, 0, 1, 1),
    NAMES[2]: (0, 1, 0, 1, 0, 1, 1, 1),
}
MEANS = {NAMES[0]: "75.0% (16.4%)", NAMES[1]: "50.0% (18.9%)"}
FIRST_DIFFERENCE = "+25.0 (16.4)"


HISTORY = "history.jsonl"


def tree(folder: Path) -> dict[str, str]:
    """The hash of each file but the history, which says when."""
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and STATE not in p.parts and p.name != HISTORY
    }  # fmt: skip


def shown(out: Path) -> list[str]:
    """Names in a folder of reports, without what reportkit keeps for its next run."""
    return sorted(name for name in os.listdir(out) if name != STATE)


def results(folder: Path) -> dict:
    def refuse(word):
        raise AssertionError(f"results.json holds {word}")

    return json.loads((folder / "results.json").read_text(encoding="utf-8"), parse_constant=refuse)


def plain(text: str, fmt: str) -> str:
    """Markup taken off, as a reader would see it."""
    if fmt == "html":
        text = re.sub(r'<span style="padding-left:[\d.]+ch"></span>', "", text)  # a digit's room
        return html.unescape(re.sub(r"<[^>]*>", "\n", text))
    if fmt == "md":
        return re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", html.unescape(text))
    text = (
        text.replace(r"\phantom{0}", "")
        .replace("$-$", "−")
        .replace(r"\textless{}", "<")
        .replace(r"\textgreater{}", ">")
    )
    return re.sub(r"\\([%#&_$+])", r"\1", text)


def pdf_text(path: Path) -> str:
    text = " ".join(page.extract_text() for page in PdfReader(path).pages)
    return re.sub(r"\s+", " ", text)


def scores_csv(path: Path, evals, answers) -> Path:
    rows = ["eval,model,question_id,score"]
    rows += [
        f'{e},"{m}",q{k},{s}'
        for e in evals
        for m, given in answers.items()
        for k, s in enumerate(given)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Hostile names in evals and models."""
    folder = tmp_path_factory.mktemp("hostile")
    source = scores_csv(folder / "in" / "scores.csv", EVALS, ANSWERS)
    out = folder / "deeper" / "two folders"
    assert build([str(source)], out=out).failures == {}
    return folder, out


def folder_of(out: Path, name: str) -> Path:
    [found] = [
        p.parent
        for p in out.glob("*/results.json")
        if [e["eval"] for e in results(p.parent)["evals"]] == [name]
    ]
    return found


def test_the_notebook_of_a_suite_has_the_parameters_of_its_decisions():
    nb = nbformat.read(notebook_path("suite"), as_version=4)
    found: dict = {}
    exec(nb.cells[0].source, {}, found)
    assert nb.cells[0].source == suite_parameters_cell()
    assert found.pop("__annotations__") and found == SUITE_PARAMETERS
    assert {*SPECS} - {"eval"} | {"evals", "scores", "out"} == set(found)


# What a build leaves behind -----------------------------------------------------------------------


def test_every_file_of_the_contract_and_no_other(demo_reports):
    assert set(tree(demo_reports / "MGSM")) == FILES
    assert shown(demo_reports) == ["HumanEval", "MGSM", HISTORY, "index.html", "suite"]
    kept = [".gitignore", "fingerprints.json", "lock", "questions", "turn", "work"]
    assert sorted(os.listdir(demo_reports / STATE)) == kept
    assert os.listdir(demo_reports / STATE / "work") == []
    assert all(path.stat().st_size for path in (demo_reports / "MGSM").rglob("*"))
    assert (demo_reports / "MGSM").stat().st_mode & 0o777 == 0o755
    for name in ("report.pdf", "figures/means.pdf"):
        assert len(PdfReader(demo_reports / "MGSM" / name).pages) >= 1


def check_fields(row: dict, fields: dict[str, str]) -> None:
    assert list(row) == list(fields)
    types = {"s": str, "i": int, "f": float}
    for name, kind in fields.items():
        assert type(row[name]) is types[kind[0]] or (kind.endswith("?") and row[name] is None), (
            name,
            row[name],
        )


def test_results_json_has_the_fields_of_the_contract(demo_reports, hostile):
    for folder in (demo_reports / "MGSM", folder_of(hostile[1], "a/b")):
        found = results(folder)
        assert list(found) == ["format", "report", "evals", "warnings"]
        assert found["format"] == "reportkit/results@1"
        assert list(found["report"]) == ["name", "notebook", "parameters"]
        assert found["report"]["name"] == folder.name and found["report"]["notebook"] == "template"
        [result] = found["evals"]
        assert set(result) == EVAL and result["baseline"] is None
        for key, fields in {"means": MEAN, "differences": DIFFERENCE, "power": POWER}.items():
            assert len(result[key]) == 3  # three models, three pairs
            for row in result[key]:
                check_fields(row, fields)
        for row in found["warnings"]:
            check_fields(row, WARNING)
    # One answer for each question: what is undefined is null.
    assert results(demo_reports / "MGSM")["evals"][0]["means"][0]["variance_within"] is None
    assert [w["code"] for w in results(demo_reports / "MGSM")["warnings"]] == ["fictional"]


def percent(x: float, sign: str = "") -> str:
    return f"{100 * x:{sign}.1f}%".replace("-", "−")


def points(x: float, sign: str = "") -> str:
    return percent(x, sign).removesuffix("%")


def test_every_format_says_what_results_json_says(demo_reports):
    folder = demo_reports / "MGSM"
    [result] = results(folder)["evals"]
    means = {m["model"]: f"{percent(m['mean'])} ({percent(m['se'])})" for m in result["means"]}
    # Miller 2024, Table 2: MGSM of Galleon 75.3% (1.6%), of Dreadnought 78.0% (1.5%); Table 5:
    # -2.7% (1.7%), which is points.
    assert (means["Galleon"], means["Dreadnought"]) == ("75.3% (1.6%)", "78.0% (1.5%)")
    differences = [
        f"{points(d['difference'], '+')} ({points(d['se'])})" for d in result["differences"]
    ]
    assert differences[0] == "−2.7 (1.7)"
    intervals = [f"({percent(m['ci_low'])}, {percent(m['ci_high'])})" for m in result["means"]]
    intervals += [
        f"({points(d['ci_low'], '+')}, {points(d['ci_high'], '+')})" for d in result["differences"]
    ]
    for fmt in ("html", "md", "tex"):
        tables = plain(
            "".join((folder / f"tables/{t}.{fmt}").read_text() for t in ("means", "differences")),
            fmt,
        )
        document = plain((folder / f"report.{fmt}").read_text(), fmt)
        for cell in (*means, *means.values(), *differences, *intervals):
            assert cell in tables and cell in document, (fmt, cell)
    printed = pdf_text(folder / "report.pdf")
    assert [c for c in (*means.values(), *differences, *intervals) if c not in printed] == []
    assert "2,500" in printed and "fictional" in printed.lower()


def test_a_hand_worked_dataset_reads_the_same_everywhere(hostile):
    folder = folder_of(hostile[1], "a/b")
    for fmt in ("html", "md", "tex"):
        for stem in ("report", "tables/means"):
            text = plain((folder / f"{stem}.{fmt}").read_text(encoding="utf-8"), fmt)
            assert all(cell in text for cell in MEANS.values()), (stem, fmt)
        assert FIRST_DIFFERENCE in plain(
            (folder / f"tables/differences.{fmt}").read_text(encoding="utf-8"), fmt
        )
    [result] = results(folder)["evals"]
    assert [m["mean"] for m in result["means"]] == [6 / 8, 4 / 8, 5 / 8]
    assert result["means"][0]["se"] == pytest.approx((0.75 * 0.25 / 7) ** 0.5, rel=1e-12)
    assert result["differences"][0]["difference"] == 2 / 8
    assert result["differences"][0]["se"] == pytest.approx((0.25 * 0.75 / 7) ** 0.5, rel=1e-12)
    assert "75.0" in (folder / "numbers.tex").read_text(encoding="utf-8")


def test_hostile_names_print_as_themselves_and_stay_in_the_folder(hostile):
    folder, out = hostile
    assert sorted(os.listdir(folder)) == ["deeper", "in"]
    assert sorted(os.listdir(folder / "in")) == ["scores.csv"]
    assert all(
        re.fullmatch(r"(x|a-b)-[0-9a-f]{6}|suite|history\.jsonl|index\.html", name)
        for name in shown(out)
    )
    for name in EVALS:
        report = folder_of(out, name)
        assert set(tree(report)) == FILES
        [result] = results(report)["evals"]
        assert result["models"] == list(NAMES)
        page = (report / "report.html").read_text(encoding="utf-8")
        assert "<script>alert" not in page
        assert all(f">{html.escape(model)}<" in page for model in NAMES)
        assert all(
            model in plain((report / "report.md").read_text(encoding="utf-8"), "md")
            for model in NAMES
        )
        printed = pdf_text(report / "report.pdf")
        assert all(model in printed for model in NAMES) and name in printed
    index = (out / "index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in index and all(f">{html.escape(n)}<" in index for n in EVALS)


def test_the_html_fetches_nothing(demo_reports, hostile):
    pages = [
        demo_reports / "MGSM/report.html",
        demo_reports / "index.html",
        folder_of(hostile[1], "a/b") / "report.html",
    ]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert (
            re.findall(
                r"""(?:src|href)\s*=\s*["']?(?:https?:)?//[^"' >]*"""
                r"""|url\(\s*["']?(?:https?:)?//|@import""",
                text,
            )
            == []
        )
    assert "<img" in pages[0].read_text(encoding="utf-8")  # the pattern had pictures to look at


def test_nothing_of_the_machine_is_in_the_report(hostile):
    folder, out = hostile
    for path in out.rglob("*"):
        if path.is_file() and STATE not in path.parts:
            data = path.read_bytes()
            assert (
                str(folder).encode() not in data and str(Path.home()).encode() + b"/" not in data
            ), path
    manifest = json.loads((folder_of(out, "a/b") / "manifest.json").read_text())
    sha256 = hashlib.sha256((folder / "in/scores.csv").read_bytes()).hexdigest()
    # 2 evals x 3 models x 8 questions = 48 rows.
    assert manifest["inputs"] == [{"file": "scores.csv", "sha256": sha256, "rows": 48}]


# Failures -----------------------------------------------------------------------------------------

OWN_CELLS = [
    new_markdown_cell("My own remark with $x^2$ in it."),
    new_code_cell(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.title('Drawn by "
        "hand')\nplt.show()"
    ),
    new_code_cell(
        "import pandas as pd\npd.DataFrame({'own_column': [12.5, 99.25], 'c|d': ['x_y', '<z>']})"
    ),
    new_code_cell("assert eval('1 + 1') == 2, 'the builtin is back'"),
    new_code_cell(
        "if report.result.n_questions == 7:\n    raise RuntimeError('seven questions <b>')"
    ),
]


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A user's notebook on two evals, built; then again with data on which one of them fails."""
    folder = tmp_path_factory.mktemp("own")
    nb = nbformat.read(asset("notebooks", "template.ipynb"), as_version=4)
    nb.cells[-1:-1] = OWN_CELLS
    nbformat.write(nb, folder / "mine.ipynb")
    answers = {m: ANSWERS[NAMES[0]] if m == "A" else ANSWERS[NAMES[1]] for m in "AB"}
    scores_csv(folder / "good.csv", ["good"], answers)
    scores_csv(folder / "bad.csv", ["bad"], answers)
    sources = [str(folder / "good.csv"), str(folder / "bad.csv")]
    out = folder / "reports"
    first = build(sources, notebook=str(folder / "mine.ipynb"), out=out)
    assert first.failures == {} and sorted(first.built) == ["bad", "good", "suite"]
    before = tree(out)
    scores_csv(folder / "bad.csv", ["bad"], {m: a[:7] for m, a in answers.items()})
    scores_csv(folder / "good.csv", ["good"], {m: a + a for m, a in answers.items()})
    duplicates = folder / "twice.csv"
    duplicates.write_text("model,question_id,score\nA,1,1\nA,1,0\n")
    second = build(
        [*sources, str(duplicates)],
        notebook=str(folder / "mine.ipynb"),
        out=out,
        formats=["html", "md"],
    )
    return out, before, second


def test_one_failure_leaves_the_others_and_the_last_good_report(own):
    out, before, summary = own
    after = tree(out)
    assert (summary.status, summary.built, sorted(summary.failures)) == (
        1,
        ["good", "suite"],
        ["bad", "twice"],
    )
    assert (
        "seven questions" in summary.failures["bad"] and "RuntimeError" in summary.failures["bad"]
    )
    assert "1 repeated row:" in summary.failures["twice"]
    assert {k: v for k, v in after.items() if k.startswith("bad/")} == {
        k: v for k, v in before.items() if k.startswith("bad/")
    }
    assert results(out / "good")["evals"][0]["n_questions"] == 16
    # only what was asked for: no document of an older build stays
    assert not (out / "good/report.pdf").exists()
    assert shown(out) == ["bad", "failed", "good", HISTORY, "index.html", "suite"]
    kept = nbformat.read(out / "failed/bad.ipynb", as_version=4)
    assert any(o.get("ename") == "RuntimeError" for c in kept.cells for o in c.get("outputs", []))
    index = (out / "index.html").read_text(encoding="utf-8")
    assert (
        "seven questions &lt;b&gt;" in index
        and "last good report" in index
        and "1 repeated row:" in index
    )
    assert str(out) not in index and "failed/bad.ipynb" in index


def test_a_users_cells_are_in_every_document(own):
    out, _, _ = own
    folder = out / "bad"  # of the first build, with every format
    page, text = ((folder / f"report.{s}").read_text(encoding="utf-8") for s in ("html", "md"))
    tex, printed = (
        (folder / "report.tex").read_text(encoding="utf-8"),
        pdf_text(folder / "report.pdf"),
    )
    for document in (page, text, tex, printed):
        assert "My own remark with" in document
        assert "99.25" in document
    assert "own_column" in page and r"own\_\allowbreak{}column" in tex and "own_column" in printed
    assert "plt.plot" not in page + text + tex + printed  # results, not their code
    assert "&lt;z&gt;" in page and "<z>" not in page
    # Those of the template, and the user's. Two models have one correlation, in the differences.
    shown = len(FIGURES) - 1 + 1
    assert len(re.findall(r"<img|<svg", page)) == shown
    assert len(re.findall(r"!\[", text)) == shown
    assert len(re.findall(r"\\includegraphics", tex)) == shown
    for name in re.findall(r"\\includegraphics(?:\[[^]]*\])?\{([^}]*)\}", tex) + re.findall(
        r"!\[.*?\]\(([^)]*)\)", text
    ):
        assert (folder / name).is_file(), name
    assert "x^2" in text and ("$x^2$" in tex or r"\(x^2\)" in tex)
    assert "<math" in page  # without a script from elsewhere


def run_cli(arguments, capsys) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code, capsys.readouterr().err


BAD_OPTIONS = {
    "eval": (["--eval", "MGS"], "no eval 'MGS' in the demonstration; did you mean 'MGSM'?"),
    "models": (
        ["--models", "Galeon"],
        "no model 'Galeon' in the demonstration; did you mean 'Galleon'?",
    ),
    "baseline": (
        ["--baseline", "Frigat"],
        "no model 'Frigat' in the demonstration; did you mean 'Frigate'?",
    ),
    "metric": (["--eval", "MGSM", "--metric", "mach"], "no metric 'mach'; did you mean 'match'?"),
    "cluster field": (["--cluster", "MGSM=clusterid", "--eval", "MGSM"], "no field 'clusterid'"),
    "cluster eval": (["--cluster", "MGS=x"], "no eval 'MGS'"),
    "cluster form": (["--cluster", "MGSM="], "write [EVAL=]FIELD"),
    "format": (["--formats", "html,odt"], "no document format 'odt'"),
    "theme": (["--theme", "fancy"], "fancy"),
    "jobs": (["--jobs", "0"], "0"),
    "notebook": (
        ["--notebook", "gone.ipynb"],
        "no notebook 'gone.ipynb', and no file of that name",
    ),
    "notebook's name": (["--notebook", "templat"], "did you mean 'template'?"),
    "scores": (["gone.csv"], "gone.csv: no such file or folder"),
    "option": (["--evall", "MGSM"], "--eval"),
}


@pytest.mark.parametrize("kind", BAD_OPTIONS)
def test_bad_options_stop_before_anything_is_written(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    arguments, message = BAD_OPTIONS[kind]
    code, err = run_cli(["build", *arguments, "--out", "out"], capsys)
    assert code == 2 and message in err and "Traceback" not in err, err
    assert os.listdir(tmp_path) == []


def test_an_out_folder_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "out").write_text("a file in its place")
    for out in (tmp_path / "out", tmp_path / "out" / "below"):
        code, err = run_cli(["build", "--eval", "MGSM", "--out", str(out)], capsys)
        assert (
            code == 2 and str(out) in err and "cannot be written" in err and "Traceback" not in err
        )
    assert (tmp_path / "out").read_text() == "a file in its place"


def test_a_notebook_without_the_parameter_asked_for(tmp_path):
    nb = nbformat.read(asset("notebooks", "template.ipynb"), as_version=4)
    nb.cells[0].source = "\n".join(
        x for x in nb.cells[0].source.splitlines() if not x.startswith("baseline")
    )
    nbformat.write(nb, tmp_path / "mine.ipynb")
    with pytest.raises(NotebookError, match="mine.ipynb: no parameter 'baseline'"):
        build(
            eval="MGSM",
            baseline="Galleon",
            notebook=str(tmp_path / "mine.ipynb"),
            out=tmp_path / "out",
        )
    (tmp_path / "broken.ipynb").write_text("no JSON")
    with pytest.raises(NotebookError, match="broken.ipynb: not a notebook"):
        build(eval="MGSM", notebook=str(tmp_path / "broken.ipynb"), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


# The notebook by itself ---------------------------------------------------------------------------


def test_the_shipped_notebook_runs_anywhere():
    path = notebook_path("template")
    nb = nbformat.read(path, as_version=4)
    # Any other kernel name is that of somebody's environment; papermill would not find it.
    assert nb.metadata.kernelspec == {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    assert nb.metadata.language_info == {"name": "python"}
    [cell] = [c for c in nb.cells if "parameters" in c.metadata.get("tags", [])]
    assert cell.source == parameters_cell(), "the parameters cell is made from the decisions"
    found: dict = {}
    exec(cell.source, {}, found)
    assert found.pop("__annotations__") and found == PARAMETERS
    # Section 3 of the design: what the template takes, and every decision.
    named = "eval models baseline scores metric cluster level power theme out seed certificate"
    assert {*named.split(), *SPECS} - {*TOGETHER} == set(found)
    assert all(not c.get("outputs") and c.get("execution_count") is None for c in nb.cells)
