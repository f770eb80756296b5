"""The recipes of docs/recipes.md, each run as far as a test can: the very text of the page, with
the folder and the command of this machine in the place of the page's.
"""

import json
import os
import pwd
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support import programs
from support.guide import DOCS, RECIPES, blocks, users_folder
from support.places import ROOT

PAGE = DOCS / "recipes.md"
PLACE = "/srv/evals"  # the page's folder


def recipe(kind: str, holding: str = "") -> str:
    """The one block of a kind that holds a text."""
    [found] = [b.code for b in blocks(PAGE) if b.kind == kind and holding in b.code]
    return found


@pytest.fixture(scope="module")
def evals(tmp_path_factory) -> Path:
    """A user's folder: logs, reportkit.toml of the page, and a command in .venv/bin that makes one
    document, so that a test takes seconds.
    """
    folder = users_folder(tmp_path_factory.mktemp("srv"))
    (folder / "reportkit.toml").write_text(recipe("toml"))
    command = folder / ".venv" / "bin" / "reportkit"
    command.parent.mkdir(parents=True)
    command.write_text(
        f'#!/bin/sh\n[ "$1" != build ] || set -- "$@" --formats md\n'
        f"export PYTHONPATH={shlex.quote(str(ROOT))}\n"
        f'exec {shlex.quote(sys.executable)} -m reportkit "$@"\n'
    )
    command.chmod(0o755)
    return folder


def worse(folder: Path) -> None:
    """A night in which ours gave only wrong answers."""
    for log in (folder / "logs" / "ours").glob("samples_*"):
        log.write_text(log.read_text().replace('"acc": 1.0', '"acc": 0.0'))
    for results in (folder / "logs" / "ours").glob("results_*"):
        told = json.loads(results.read_text())
        for numbers in told["results"].values():
            numbers["acc,none"] = 0.0
        results.write_text(json.dumps(told))


def test_every_recipe_is_run_here():
    kinds = [b.kind for b in blocks(PAGE)]
    assert sorted(kinds) == sorted(
        ["toml", "cron", "ini", "ini", "yaml", "yaml", "airflow", "make"]
    )
    assert {*kinds} - {"toml"} == RECIPES
    assert not any(b.why for b in blocks(PAGE))


@pytest.mark.slow
def test_cron_through_its_shell_in_its_bare_environment(evals):
    """cron runs what follows the five fields with /bin/sh, after a % nothing, and knows these."""
    [line] = recipe("cron").splitlines()
    *when, command = line.split(maxsplit=5)
    assert when == ["15", "3", "*", "*", "*"] and "%" not in command
    assert command.count(PLACE) == 1
    env = {"HOME": str(evals), "LOGNAME": "evals", "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}

    def night() -> subprocess.CompletedProcess:
        words = ["/bin/sh", "-c", command.replace(PLACE, shlex.quote(str(evals)))]
        return subprocess.run(
            words, cwd="/", env=env, capture_output=True, text=True, timeout=240,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    first = night()
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")  # no mail
    report = evals / "reports" / "sums" / "report.md"
    assert report.is_file()
    before = report.read_bytes()
    assert night().stdout == "" and report.read_bytes() == before


def test_systemd_takes_the_units(evals, tmp_path):
    verify = programs.program("systemd-analyze")
    service = recipe("ini", "[Service]").replace(PLACE, str(evals))
    service = service.replace("User=evals", f"User={pwd.getpwuid(os.getuid()).pw_name}")
    (tmp_path / "reports.service").write_text(service)
    (tmp_path / "reports.timer").write_text(recipe("ini", "[Timer]"))

    def analysed(*words: str) -> str:
        done = subprocess.run([verify, *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    said = analysed("verify", "./reports.service", "./reports.timer")
    assert "reports" not in said, said  # what it says of other units is not ours
    [when] = [x.partition("=")[2] for x in recipe("ini", "[Timer]").splitlines() if "Calendar" in x]
    assert "*-*-* 03:15:00" in analysed("calendar", when)
    (tmp_path / "reports.service").write_text(service.replace("ExecStart", "ExecStrat"))
    broken = subprocess.run([verify, "verify", "./reports.service"], cwd=tmp_path,
                            capture_output=True, text=True)  # fmt: skip
    assert broken.returncode != 0 or "ExecStrat" in broken.stderr  # it would have told us
    # What it starts is the line of cron.
    [start] = [x.partition("=")[2] for x in service.splitlines() if x.startswith("ExecStart=")]
    assert shlex.split(start)[1:] == shlex.split(recipe("cron").partition("reportkit ")[2])


# GitHub Actions -----------------------------------------------------------------------------------


def steps() -> list[dict]:
    flow = yaml.safe_load(recipe("yaml", "jobs:"))
    assert flow[True]["schedule"] == [{"cron": "15 3 * * *"}]  # YAML 1.1 reads `on` as true
    assert flow["jobs"]["publish"]["needs"] == "build"
    return flow["jobs"]["build"]["steps"]


def run_steps(clone: Path, cache: Path, folder: Path, env: dict[str, str]) -> list[str]:
    """Runs the steps as GitHub does: each in bash -e, after a failure only those that always run;
    the two cache actions copy. Returns the names of the steps that failed.
    """
    failed: list[str] = []
    for step in steps():
        if failed and step.get("if") != "always()":
            continue
        uses, given = step.get("uses", ""), step.get("with", {})
        if uses.startswith("actions/cache/restore") and cache.is_dir():
            assert given["restore-keys"] == "reports-" and given["key"].startswith("reports-")
            shutil.copytree(cache, clone / given["path"])
        elif uses.startswith("actions/cache/save"):
            shutil.rmtree(cache, ignore_errors=True)
            shutil.copytree(clone / given["path"], cache)
        elif uses.startswith("actions/upload-pages-artifact"):
            shutil.copytree(clone / given["path"], folder / "pages")
        elif "run" in step and not step["run"].startswith("pip install"):
            done = subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=clone,
                env=env,
                capture_output=True,
                text=True,
            )
            if done.returncode:
                failed.append(step["name"])
    return failed


@pytest.mark.slow
def test_the_steps_of_the_workflow_over_three_nights(evals, tmp_path):
    """Each night in a new clone: the history goes on, and a model that fell is told of."""
    git, origin, cache = programs.program("git"), tmp_path / "origin", tmp_path / "cache"
    (origin / "logs").parent.mkdir()
    shutil.copytree(evals / "logs", origin / "logs")
    shutil.copy(evals / "reportkit.toml", origin)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]

    def commit(message: str) -> None:
        for words in (["add", "."], ["commit", "-qm", message]):
            subprocess.run([git, *who, *words], cwd=origin, check=True)

    def night(number: int) -> tuple[list[str], str, Path]:
        folder = tmp_path / f"night-{number}"
        folder.mkdir()
        subprocess.run([git, "clone", "-q", str(origin), str(folder / "clone")], check=True)
        env = os.environ | {
            "PATH": f"{evals}/.venv/bin{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(folder),
            "GITHUB_STEP_SUMMARY": str(folder / "page.md"),
        }
        failed = run_steps(folder / "clone", cache, folder, env)
        return failed, (folder / "page.md").read_text(), folder / "pages"

    subprocess.run([git, "init", "-q"], cwd=origin, check=True)
    commit("first")
    failed, page, site = night(1)
    assert failed == [] and "1 built" in page
    assert (site / "index.html").is_file() and not (site / ".reportkit").exists()
    first = (site / "history.jsonl").read_text()
    made = (site / "sums" / "manifest.json").read_bytes()
    failed, page, site = night(2)
    assert failed == [] and (site / "history.jsonl").read_text() == first
    assert (site / "sums" / "manifest.json").read_bytes() == made  # not made again
    worse(origin)
    commit("a worse night")
    failed, page, site = night(3)
    assert failed == ["Build"] and "ours" in page and "fell" in page
    assert (site / "history.jsonl").read_text().startswith(first)
    assert len((site / "history.jsonl").read_text()) > len(first)


# make and pre-commit ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_rule_of_make(evals, tmp_path):
    make, folder = programs.program("make"), tmp_path / "paper"
    shutil.copytree(evals, folder, ignore=shutil.ignore_patterns("reports", ".reports"))
    (folder / "Makefile").write_text(recipe("make"))

    def made(*words: str) -> str:
        done = subprocess.run([make, *words], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "reportkit build --jobs 2" in made(".reports")
    assert (folder / "reports" / "sums" / "numbers.tex").is_file()
    assert "up to date" in made(".reports")
    [log] = (folder / "logs" / "ours").glob("samples_*")
    later = (folder / ".reports").stat().st_mtime + 5
    os.utime(log, (later, later))
    assert "reportkit build" in made("-n", ".reports")
    assert "latexmk -pdf paper.tex" in made("-n", "-o", "paper.tex", "paper.pdf")


@pytest.mark.slow
def test_the_hook_of_pre_commit(evals, tmp_path):
    pytest.importorskip("pre_commit")
    git, folder = programs.program("git"), tmp_path / "repository"
    (folder / "scores").mkdir(parents=True)
    (folder / ".pre-commit-config.yaml").write_text(recipe("yaml", "hooks:"))
    shutil.copytree(evals / ".venv", folder / ".venv")
    shutil.copy(evals / "scores.csv", folder / "scores" / "toy.csv")
    subprocess.run([git, "init", "-q"], cwd=folder, check=True)
    subprocess.run([git, "add", "scores", ".pre-commit-config.yaml"], cwd=folder, check=True)

    def hook() -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files"], cwd=folder,
            env=os.environ | {"PRE_COMMIT_HOME": str(tmp_path / "home")},
            capture_output=True, text=True,
        )  # fmt: skip

    kept = hook()
    assert kept.returncode == 0 and "Passed" in kept.stdout, kept.stdout + kept.stderr
    rows = (folder / "scores" / "toy.csv").read_text()
    (folder / "scores" / "toy.csv").write_text(rows + rows.splitlines()[1] + "\n")
    broken = hook()
    assert broken.returncode == 1 and "Failed" in broken.stdout
    assert "BROKEN duplicate: 1 repeated row: model 'ours', question_id 'q00'" in broken.stdout
    assert not list((folder / "scores").glob("[!t]*"))


# Airflow ------------------------------------------------------------------------------------------

RUN_DAG = """
import runpy, sys
from airflow.sdk import DAG
dag = next(v for v in runpy.run_path(sys.argv[1]).values() if isinstance(v, DAG))
run = dag.test()
print(run.state, sorted(t.task_id for t in dag.tasks))
raise SystemExit(run.state != "success")
"""


@pytest.mark.slow
def test_the_operator_of_airflow(evals, tmp_path):
    """In an environment of its own, as Airflow pins much; AIRFLOW_PYTHON names one."""
    python = os.environ.get("AIRFLOW_PYTHON")
    if not python:
        python = str(tmp_path / "airflow" / "bin" / "python")
        subprocess.run([sys.executable, "-m", "venv", tmp_path / "airflow"], check=True)
        wanted = ["apache-airflow", "apache-airflow-providers-papermill", str(ROOT)]
        got = subprocess.run([python, "-m", "pip", "install", "-q", *wanted],
                             capture_output=True, text=True)  # fmt: skip
        if got.returncode:
            pytest.skip(f"Airflow cannot be installed here: {got.stderr.strip()[-200:]}")
    folder = tmp_path / "srv"
    shutil.copytree(evals, folder, ignore=shutil.ignore_patterns("reports"))
    (folder / "dags").mkdir()
    (folder / "runs").mkdir()
    (folder / "dags" / "reports.py").write_text(recipe("airflow").replace(PLACE, str(folder)))
    (folder / "run.py").write_text(RUN_DAG)
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {
        "AIRFLOW_HOME": str(tmp_path / "home"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(folder / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "PATH": f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for words in (["-m", "airflow", "db", "migrate"], ["run.py", "dags/reports.py"]):
        done = subprocess.run(
            [python, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    report = folder / "reports" / "sums"
    assert (report / "report.html").is_file() and (report / "tables" / "means.tex").is_file()
    [ran] = (folder / "runs").glob("sums-????????.ipynb")
    assert '"papermill"' in ran.read_text()
