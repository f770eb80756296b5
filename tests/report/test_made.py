"""How a report was made: told by itself and by manifest.json, and the command that makes the same
bytes again.
"""

import importlib.metadata
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from docx import Document as Docx
from support import programs
from support.installed import environment
from support.places import LOGS, ROOT, needs

from reportkit.cli import commands
from reportkit.documents.prose.made import how_made
from reportkit.text.assets import asset
from reportkit.version import __version__

pytestmark = pytest.mark.usefixtures("warm")

CONFIG = """
logs = "logs"
eval = "reading"
currency = "EUR"

[prices."mockllm/alpha"]
input = 3
output = 15

[evals.reading]
published = {"GPT-4" = {score = 0.425, source = "a paper"}}
"""
# The readers' own numbers: 2,220 tokens in at 3 and 333 out at 15 a million.
COST = (2220 * 3 + 333 * 15) / 1e6


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = [programs.program("git"), *who, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def build(*words: str) -> None:
    done = CliRunner().invoke(commands, ["build", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def users(tmp_path_factory) -> Path:
    """A user's folder under git, with logs that git does not know, and a report that was built."""
    folder = tmp_path_factory.mktemp("users")
    (folder / "logs").mkdir()
    for log in (LOGS / "inspect").glob("*_reading_*.eval"):
        shutil.copy(log, folder / "logs")
    (folder / "reportkit.toml").write_text(CONFIG)
    git(folder, "init", "-q")
    git(folder, "add", "reportkit.toml")
    git(folder, "commit", "-qm", "first")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        build("--formats", "html,md,tex,pdf,docx")
    return folder


def manifest(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_text())


@needs(LOGS)
def test_the_manifest_says_it_all(users):
    told = manifest(users / "reports" / "reading")
    commit = git(users, "rev-parse", "HEAD").strip()
    assert told["tree"] == {"commit": commit, "changed": False}
    assert told["harnesses"] == [{"harness": "inspect-ai", "version": "0.3.285", "runs": 3}]
    assert [i["rows"] for i in told["inputs"]] == [111] * 3
    names = {"reportkit", "python", "numpy", "scipy", "pandas", "matplotlib"}
    assert names <= told["versions"].keys() and told["versions"]["reportkit"] == __version__
    assert told["versions"]["numpy"] == importlib.metadata.version("numpy")
    assert told["seed"] == 0 and told["parameters"]["currency"] == "EUR"


@needs(LOGS)
@pytest.mark.parametrize("name", ["md", "html", "tex", "pdf", "docx"])
def test_every_document_says_it(users, name):
    report = users / "reports" / "reading"
    told = manifest(report)
    path = report / f"report.{name}"
    if name == "pdf":
        words = [programs.program("pdftotext"), "-layout", str(path), "-"]
        text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    elif name == "docx":
        text = "\n".join(p.text for p in Docx(str(path)).paragraphs)
    else:
        text = path.read_text()
    made = plain(text).partition("Howthiswasmade")[2]
    wanted = [
        "inspect-ai0.3.285(3runs)",
        *(f"{i['file']},111rows,SHA-256{i['sha256'][:12]}" for i in told["inputs"]),
        f"reportkit{__version__}",
        f"numpy{told['versions']['numpy']}",
        f"gitcommit{told['tree']['commit']},withoutchanges",
        "prices=mockllm/alpha(input3,output15)",
        "Seed:0",
        told["command"],
    ]
    assert [w for w in wanted if plain(w) not in made] == []


def plain(text: str) -> str:
    """Letters, digits and some marks, without the markup of any format, and spaces."""
    marks = r"\\textquote(dbl|single)|\\kern0pt|\\allowbreak|\\texttt|\\textbf|\\mbox"
    text = re.sub(rf"<[^<>]*>|{marks}", "", text)
    text = text.replace("&quot;", '"').replace("&#x27;", "'").replace("&#39;", "'")
    return re.sub(r"""[^\w.,:=/()-]""", "", text)


@needs(LOGS)
@pytest.mark.slow  # test_decisions.py has a command, test_build.py the bytes of documents
def test_the_command_makes_the_same_bytes(users, monkeypatch):
    """From the folder that the first one ran in, also once the reports are committed."""
    monkeypatch.chdir(users)
    first = files(users / "reports" / "reading")
    words = shlex.split(manifest(users / "reports" / "reading")["command"])
    assert words[:2] == ["reportkit", "build"]
    build(*words[2:], "--out", "again", "--formats", "html,md,tex,pdf,docx", "--jobs", "2")
    again = files(users / "again" / "reading")
    assert first.keys() == again.keys() and [n for n in first if first[n] != again[n]] == []
    shutil.rmtree(users / "again")


@needs(LOGS)
def test_tokens_time_and_cost_of_real_logs(users):
    result = json.loads((users / "reports" / "reading" / "results.json").read_text())["evals"][0]
    alpha, beta, _ = result["usage"]
    assert (alpha["tokens_in"], alpha["tokens_out"], alpha["seconds"]) == (2220, 333, 1.0)
    assert alpha["cost"] == pytest.approx(COST, rel=1e-12) and alpha["currency"] == "EUR"
    assert beta["cost"] is None and beta["tokens_in"] == 2220
    assert result["published"] == [
        {"eval": "reading", "model": "GPT-4", "score": 0.425, "source": "a paper"}
    ]
    table = (users / "reports" / "reading" / "tables" / "data.md").read_text()
    assert "| 2,220 | 333 | 1 s | 0.01 |" in table and "run on 2026-11-21" in table


@pytest.mark.slow
@needs(LOGS)
def test_a_commit_alone_makes_no_report_again_and_a_change_is_told(users, tmp_path, monkeypatch):
    shutil.copytree(users, tmp_path / "copy", ignore=shutil.ignore_patterns("reports"))
    monkeypatch.chdir(tmp_path / "copy")
    build("--formats", "md")
    before = files(Path("reports/reading"))
    git(Path(), "commit", "-qm", "second", "--allow-empty")
    done = CliRunner().invoke(commands, ["build", "--formats", "md"])
    assert "0 reports built, 1 unchanged" in done.output
    assert files(Path("reports/reading")) == before
    Path("reportkit.toml").write_text(CONFIG + "# a comment\n")
    build("--formats", "md", "--force")
    told = manifest(Path("reports/reading"))["tree"]
    assert told == {"commit": git(Path(), "rev-parse", "HEAD").strip(), "changed": True}
    text = Path("reports/reading/report.md").read_text()
    assert f"git commit {told['commit']}, with changes that are not committed." in text


@pytest.mark.slow
@needs(LOGS)
def test_papermill_alone_says_it_too(users, tmp_path):
    """The same notebook without a build, in the same folder: the tree is that of the folder."""
    out = tmp_path / "report"
    words = [sys.executable, "-m", "papermill", str(asset("notebooks", "template.ipynb"))]
    words += [str(tmp_path / "out.ipynb"), "-p", "eval", "reading", "-p", "scores", "logs"]
    done = subprocess.run(
        [*words, "-p", "out", str(out)], cwd=users, env=environment(tmp_path),
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    told = manifest(out)
    assert told["tree"]["commit"] == git(users, "rev-parse", "HEAD").strip()
    assert told["command"].startswith("reportkit build logs --eval reading")
    assert told["tree"]["commit"] in (out / "report.md").read_text()


@pytest.mark.slow  # test_example.py finds a commit in the manifest, too
def test_the_demonstration_names_no_commit(tmp_path, monkeypatch):
    """Else the committed example would change with each commit of ours."""
    monkeypatch.chdir(ROOT)
    build("--eval", "MGSM", "--formats", "md", "--out", str(tmp_path / "reports"))
    told = manifest(tmp_path / "reports" / "MGSM")
    assert "tree" not in told and told["harnesses"] == []
    text = (tmp_path / "reports" / "MGSM" / "report.md").read_text()
    assert "**Scores:** generated, of fictional models." in text and "git commit" not in text


# The sentences ------------------------------------------------------------------------------------


def told(**more) -> dict:
    said = {"harnesses": [], "fictional": False, "inputs": [], "parameters": {}, "seed": 7}
    versions = {"reportkit": "1", "python": "3.11"}
    return said | {"versions": versions, "command": "reportkit build s"} | more


def test_a_published_table_is_counted_by_its_numbers():
    one = {"file": "t.md", "sha256": "f" * 64, "means": 6, "differences": 1}
    assert "t.md, 6 means and 1 difference, SHA-256 ff" in how_made(told(inputs=[one]))


def test_many_inputs_are_counted_and_hostile_names_are_text():
    inputs = [{"file": f"*{k}*|`x`", "rows": 1234, "sha256": "f" * 64} for k in range(9)]
    text = how_made(told(inputs=inputs, harnesses=[{"harness": "h_1", "version": "", "runs": 1}]))
    assert "\\*0\\*&#124;&#96;x&#96;, 1,234 rows, SHA-256 ffffffffffff." in text
    assert "- And 3 further files. manifest.json names all, with their whole hashes." in text
    assert "**Scores:** h\\_1 (1 run)." in text and "**Seed:** 7." in text
    assert "**Decisions:** all at their defaults." in text
    assert "**Versions:** reportkit 1, Python 3.11." in text


def test_decisions_of_single_evals_and_scores_in_memory():
    parameters = {"evals": ["a"], "level": 0.9, "certificate": True, "models": ["x", "y"]}
    options = {"a": {"errors": "zero", "aliases": {"raw": "x"}}}
    text = how_made(
        told(parameters=parameters, options=options, command=None, no_command="In memory.")
    )
    said = "evals = a; level = 0.9; certificate = true; models = x, y; errors of a = zero; "
    assert f"{said}aliases of a = raw: x; all others at their defaults." in text
    assert "- In memory." in text and "Made again by" not in text
    suite = how_made(told(parameters={"evals": ["a", "b"]}))
    rest = (
        "those of single evals, if any, are in the command below; all others are at their defaults."
    )
    assert f"**Decisions:** evals = a, b; {rest}" in suite


@pytest.mark.parametrize(
    "changed, words",
    [(True, ", with changes that are not committed"), (False, ", without changes"),
     (None, "; whether it had changes is not known")],
)  # fmt: skip
def test_the_working_tree(changed, words):
    text = how_made(told(tree={"commit": "a" * 40, "changed": changed}))
    assert f"**Working tree:** git commit {'a' * 40}{words}." in text
