"""The guide's pages as tests see them: their blocks of code, and the folder in which they run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.lm_eval_logs import line, write
from support.places import ROOT

DOCS = ROOT / "docs"
# blocks that tests/docs/test_recipes.py runs
RECIPES = {"airflow", "cron", "ini", "make", "yaml"}
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
_FENCE = re.compile(
    r"(?:^<!-- not run: (?P<why>.+) -->\n)?^```(?P<kind>\w+)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A block of code of a page; why: the reason for which it is not run, or ""."""

    kind: str
    code: str
    line: int
    why: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        above = text.count("\n", 0, found.start("kind"))
        yield Block(found["kind"], found["code"], above + 1, found["why"] or "")


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def users_folder(folder: Path) -> Path:
    """What a reader of the guide has: scores.csv, logs/, and the repository's notebooks/."""
    rows = ["model,question_id,passage,score"]
    for model, right in (("ours", 28), ("theirs", 23)):
        # 28 and 23 right answers of 40; 10 passages of 4 questions
        rows += [f"{model},q{i:02d},p{i // 4},{int(i < right)}" for i in range(40)]
    (folder / "scores.csv").write_text("\n".join(rows) + "\n")
    for model, every in (("ours", 3), ("theirs", 2)):
        answers = [line(i, float(i % every != 0)) for i in range(40)]
        mean = sum(a["acc"] for a in answers) / 40
        results = {"alias": "sums", "acc,none": mean, "acc_stderr,none": "N/A"}
        write(folder / "logs" / model, "sums", answers, results=results, model_name=model)
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    return folder


def built_site(folder: Path) -> Path:
    """The guide as `make docs` builds it; a broken link in its sources is an error."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # a notice of the theme's on every start
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
