"""Reports made by a dask cluster: the files of a local build, whatever becomes of the workers."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from support.clusters import cluster
from support.own_thread import own_thread
from support.places import ROOT
from support.small_notebooks import small_notebook

from reportkit.builds import cluster as clusters
from reportkit.builds.build import build
from reportkit.builds.job import Output, Summary
from reportkit.builds.worker import difference, write_files
from reportkit.cli import main
from reportkit.errors import ClusterError, MissingPackageError, UnknownNameError
from reportkit.loading.demo import demo_scores
from reportkit.publishing.aside import STATE

WORKER = "import os, psutil\nworker = psutil.Process().parent().parent().pid\n"
KILL = f"{WORKER}os.kill(worker, 9)\nimport time; time.sleep(60)"


def scores(folder: Path, *evals: str) -> list[str]:
    """A table for each eval."""
    folder.mkdir(exist_ok=True)
    for e in evals:
        rows = [f"{m},q{k},{k % 2}" for m in "AB" for k in range(4)]
        (folder / f"{e}.csv").write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    return [str(folder / f"{e}.csv") for e in evals]


def own(done: Summary) -> list[str]:
    """The evals' reports that were built, without the one over all."""
    return [name for name in done.built if name != "suite"]


def files(out: Path) -> dict[str, bytes]:
    """All that a build leaves, but what says when."""
    return {
        p.relative_to(out).as_posix(): p.read_bytes()
        for p in sorted(out.rglob("*"))
        if p.is_file() and STATE not in p.parts and p.name != "history.jsonl"
    }


def once(mark: Path, code: str) -> str:
    """What a notebook does the first time that it runs: code, if the eval is called bad."""
    inner = "\n".join(f"    {line}" for line in code.splitlines())
    return (
        f"import pathlib\nmark = pathlib.Path({str(mark)!r})\n"
        f"if eval == 'bad' and not mark.exists():\n    mark.touch()\n{inner}"
    )


@pytest.fixture
def in_this_process():
    """A real scheduler and a worker that are threads of this process: they begin at once."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False}
    with LocalCluster(**options, dashboard_address=None) as made, Client(made) as client:
        yield client


@pytest.mark.slow
@pytest.mark.parametrize("shared", (True, pytest.param(False, marks=pytest.mark.slow)))
def test_the_same_files_come_back(tmp_path, monkeypatch, warm, in_this_process, shared):
    monkeypatch.chdir(tmp_path)
    sources = [os.path.relpath(s) for s in scores(tmp_path / "in", "bad", "good")]
    cell = "if eval == 'bad':\n    raise ValueError('no luck')"
    options = {"notebook": str(small_notebook(tmp_path / "m.ipynb", cell)), "formats": ["md"]}
    here = build(sources, out="here", **options)
    if not shared:
        monkeypatch.setattr(clusters, "_is_shared", lambda *_: False)
    there = build(sources, out="there", executor="dask", **options)
    assert (own(there), there.status) == (["good"], 1) == (own(here), here.status)
    assert there.built == here.built
    failed = {e: why.replace("here/", "there/") for e, why in here.failures.items()}
    assert "no luck" in there.failures["bad"] and there.failures == failed
    made, expected = files(tmp_path / "there"), files(tmp_path / "here")
    assert made.pop("index.html") and expected.pop("index.html")  # it names the folder
    assert made.pop("failed/bad.ipynb") and expected.pop("failed/bad.ipynb")  # it has a traceback
    assert made == expected and "good/report.md" in made
    again = build(sources, out="there", **options)  # where it was made is no change
    assert again.built == [] and again.unchanged == there.built


def test_a_report_is_the_same_from_a_cluster(tmp_path, monkeypatch, warm, in_this_process):
    monkeypatch.chdir(tmp_path)
    options = {"notebook": str(small_notebook(tmp_path / "m.ipynb")), "formats": ["md"]}
    sources = [os.path.relpath(s) for s in scores(tmp_path / "in", "good")]
    here = build(sources, out="h", **options)
    there = build(sources, out="t", executor="dask", **options)
    assert here.built == there.built and here.built[0] == "good" and there.status == 0
    made, expected = files(tmp_path / "t"), files(tmp_path / "h")
    assert made.pop("index.html") and expected.pop("index.html")  # it names the folder
    assert made == expected and "good/report.md" in made


@pytest.mark.slow
def test_workers_that_do_not_see_the_folder_get_the_rows(tmp_path, monkeypatch, in_this_process):
    """As a worker that came later than the question whether all see it."""
    sent = []
    real = clusters._handed
    monkeypatch.setattr(clusters, "_is_shared", lambda *_: True)
    monkeypatch.setattr(clusters, "seal_of", lambda _: "another")
    monkeypatch.setattr(clusters, "_handed", lambda job: sent.append(job.title) or real(job))
    notebook = str(small_notebook(tmp_path / "m.ipynb"))
    sources = scores(tmp_path / "in", "good")
    done = build(sources, out=tmp_path / "r", formats=["md"], notebook=notebook, executor="dask")
    assert own(done) == ["good"] and sent == ["good"]


@pytest.mark.parametrize(
    ("executor", "said"),
    [
        ("dusk", "did you mean 'dask'"),
        ("local:1", "local takes no address"),
        ("dask:", "the address is missing"),
    ],
)
def test_an_executor_that_there_is_not(tmp_path, executor, said):
    with pytest.raises(UnknownNameError, match=said):
        build(out=tmp_path / "r", executor=executor)
    assert not (tmp_path / "r").exists()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def test_a_scheduler_that_does_not_answer_is_one_sentence_within_its_time(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(clusters, "CONNECT", 0.5)
    table = scores(tmp_path / "in", "good")
    with socket.socket() as silent:  # it takes the call, and never says a word
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        ports = (free_port(), silent.getsockname()[1])
        for port, began in ((p, time.monotonic()) for p in ports):
            with pytest.raises(SystemExit) as end:
                main(["build", *table, "--out", str(tmp_path / "r"),
                      "--executor", f"dask:127.0.0.1:{port}"])  # fmt: skip
            said = capsys.readouterr().err.strip()
            assert end.value.code == 2 and said.count("\n") == 0, said
            assert re.search(f"127.0.0.1:{port}: no dask scheduler answers there", said), said
            assert time.monotonic() - began < 15
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nonsense", "missing port"),
        ("foo://x:1", "unknown address scheme"),
        ("gone.json", "no scheduler file .No such file"),
        ("tls://127.0.0.1:1", "names no certificates"),
    ],
)
def test_an_address_that_is_none(tmp_path, monkeypatch, address, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ClusterError, match=said):
        build(scores(tmp_path / "in", "good"), out="r", executor=f"dask:{address}")
    assert not (tmp_path / "r").exists()


def test_an_address_is_asked_from_a_notebook_too(tmp_path):
    """There an event loop runs in the thread of the cells."""

    async def cell() -> None:
        build(scores(tmp_path / "in", "good"), out=tmp_path / "r", executor="dask:foo://x:1")

    with pytest.raises(ClusterError, match="unknown address scheme"):
        own_thread(asyncio.run)(cell())


def test_without_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r'pip install -e "\.\[dask\]"'):
        build(scores(tmp_path / "in", "good"), out=tmp_path / "r", executor="dask")
    assert not (tmp_path / "r").exists()


def test_where_a_worker_would_make_other_bytes():
    ours = {"reportkit": "1.0", "its files": "a", "Python": "3.12", "numpy": "2.1", "typst": "1"}
    assert difference(ours, ours) == ""
    other = difference({**ours, "numpy": "2.0", "typst": "2"}, ours)
    assert other == (
        "a worker has numpy 2.0, this machine 2.1; typst 2, this machine 1; install the same on "
        "both"
    )
    assert "with other files" in difference({**ours, "its files": "b"}, ours)
    without = {k: v for k, v in ours.items() if k != "typst"}
    assert "typst not installed, this machine 1" in difference(without, ours)


@pytest.mark.parametrize("name", ("../x", "/x", "a/../../x"))
def test_no_file_comes_back_beside_its_folder(tmp_path, name):
    with pytest.raises(ValueError, match="no path below"):
        write_files({name: b""}, tmp_path / "in")
    assert list(tmp_path.iterdir()) == []


def test_where_reports_are_built_is_no_decision():
    assert Output().executor == "local"


# Processes that talk TCP --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("shared", (True, False))
def test_reports_of_the_template_have_the_same_bytes(tmp_path, monkeypatch, shared):
    frame = demo_scores()
    frame[frame["eval"].isin(["MGSM", "HumanEval"])].to_csv(tmp_path / "demo.csv", index=False)
    monkeypatch.chdir(tmp_path)
    if not shared:
        monkeypatch.setattr(clusters, "_is_shared", lambda *_: False)
    options = {"formats": ["html", "md", "tex", "pdf", "docx"]}
    build(["demo.csv"], out="here", **options)
    with cluster(tmp_path / "cluster", 2) as made:
        done = build(["demo.csv"], out="there", executor=made.executor, **options)
    assert done.built == ["HumanEval", "MGSM", "suite"] and not done.failures
    assert files(tmp_path / "there") == files(tmp_path / "here")


@pytest.mark.slow
def test_workers_of_this_machine(tmp_path):
    """`--executor dask` alone."""
    options = {"formats": ["md"], "notebook": str(small_notebook(tmp_path / "m.ipynb"))}
    sources = scores(tmp_path / "in", "bad", "good")
    build(sources, out=tmp_path / "here", **options)
    command = ["-m", "reportkit", "build", *sources, "--notebook", options["notebook"]]
    done = subprocess.run(
        [sys.executable, *command, "--formats", "md", "--out", tmp_path / "there",
         "--executor", "dask", "--jobs", "2"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr and "distributed" not in done.stderr, done.stderr
    made, expected = files(tmp_path / "there"), files(tmp_path / "here")
    assert {n: made[n] for n in expected if n != "index.html"} == {
        n: b for n, b in expected.items() if n != "index.html"
    }


@pytest.mark.slow
@pytest.mark.parametrize("nanny", ("--no-nanny", "--nanny"))
def test_a_worker_that_dies_is_survived(tmp_path, nanny):
    """Its report is rebuilt once: by the other worker, or by the same when its nanny has started it
    again.
    """
    mark = tmp_path / "died"
    notebook = small_notebook(tmp_path / "m.ipynb", once(mark, KILL))
    options = {"formats": ["md"], "notebook": str(notebook)}
    sources = scores(tmp_path / "in", "bad", "good")
    with cluster(tmp_path / "cluster", 2, str(ROOT), nanny) as made:
        done = build(sources, out=tmp_path / "r", executor=made.executor, **options)
        assert mark.exists() and done.failures == {} and own(done) == ["bad", "good"]
        if nanny == "--no-nanny":
            assert [w.poll() for w in made.workers].count(None) == 1
    here = build(sources, out=tmp_path / "here", **options)  # the mark is there: no death
    assert here.failures == {}
    assert files(tmp_path / "r")["bad/report.md"] == files(tmp_path / "here")["bad/report.md"]


@pytest.mark.slow
def test_a_second_death_is_a_failure_with_a_name(tmp_path):
    deaths = tmp_path / "deaths"
    kill = f"if eval == 'bad':\n    open({str(deaths)!r}, 'a').write('x')\n    "
    kill += KILL.replace("\n", "\n    ")
    notebook = str(small_notebook(tmp_path / "m.ipynb", kill))
    sources = scores(tmp_path / "in", "bad", "good")
    with cluster(tmp_path / "cluster", 2, str(ROOT), "--nanny") as made:
        options = {"formats": ["md"], "notebook": notebook, "executor": made.executor}
        done = build(sources, out=tmp_path / "r", **options)
        assert own(done) == ["good"] and done.status == 1
        assert done.failures == {"bad": clusters.DIED_TWICE}
        # dask begins a third try before it hears that it is off
        assert len(deaths.read_text()) in (2, 3)
        small_notebook(tmp_path / "m.ipynb")
        assert build(sources, out=tmp_path / "r", **options).failures == {}


@pytest.mark.slow
def test_a_process_that_dies_alone_is_made_again_once(tmp_path):
    """The worker lives: the system killed the larger of the two."""
    mark, notebook = tmp_path / "mark", tmp_path / "m.ipynb"
    sources = scores(tmp_path / "in", "bad", "good")
    kill = "import os; os.kill(os.getppid(), 9)\nimport time; time.sleep(60)"
    with cluster(tmp_path / "cluster", 1) as made:
        options = {"formats": ["md"], "notebook": str(notebook), "executor": made.executor}
        small_notebook(notebook, once(mark, kill))
        assert build(sources, out=tmp_path / "r", **options).failures == {}
        assert mark.exists()
        small_notebook(notebook, f"if eval == 'bad':\n    {kill.splitlines()[0]}")
        done = build(sources, out=tmp_path / "r", **options)
        assert own(done) == ["good"] and "its process died" in done.failures["bad"]
        small_notebook(notebook, "import time; time.sleep(300)")
        done = build(sources[:1], out=tmp_path / "r", time_limit=2.0, **options)
        assert re.search("longer than 2 seconds; .*--time-limit", done.failures["bad"])


@pytest.mark.slow
def test_a_scheduler_that_dies(tmp_path):
    pid = tmp_path / "pid"
    kill = f"import os, time\nos.kill(int(open({str(pid)!r}).read()), 9)\ntime.sleep(60)"
    notebook = str(small_notebook(tmp_path / "m.ipynb", kill))
    with cluster(tmp_path / "cluster", 1) as made:
        pid.write_text(str(made.scheduler.pid))
        done = build(
            scores(tmp_path / "in", "bad", "good"), out=tmp_path / "r", formats=["md"],
            notebook=notebook, executor=made.executor,
        )  # fmt: skip
    assert {*done.failures} >= {"bad", "good"} and done.built == []
    assert all("the cluster is gone" in why for why in done.failures.values()), done.failures


@pytest.mark.slow
@pytest.mark.parametrize("end", (signal.SIGINT, signal.SIGKILL))
@pytest.mark.parametrize("local", (False, True))
def test_an_interrupt_ends_the_work_on_the_cluster(tmp_path, local, end):
    """Ctrl-C reaches a whole group of processes, workers of this machine too; SIGKILL the build
    alone.
    """
    mark = tmp_path / "begun"
    notebook = small_notebook(
        tmp_path / "m.ipynb",
        f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\ntime.sleep(300)",
    )
    sources = scores(tmp_path / "in", "good")
    with cluster(tmp_path / "cluster", 1) as made:
        executor = "dask" if local else made.executor
        build_there = subprocess.Popen(
            [sys.executable, "-m", "reportkit", "build", *sources, "--formats", "md",
             "--notebook", notebook, "--out", tmp_path / "r", "--executor", executor],
            env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            waits(lambda: mark.exists() and mark.read_text())
            kernel = psutil.Process(int(mark.read_text()))
            if end == signal.SIGINT:
                os.killpg(build_there.pid, end)
            else:
                build_there.kill()
            said = build_there.communicate(timeout=60)[1]
        finally:
            build_there.kill()
        if end == signal.SIGINT:
            assert build_there.returncode == 130, said
            assert "Traceback" not in said and said.strip().count("\n") == 0, said
        waits(lambda: not kernel.is_running())
        assert not (tmp_path / "r" / "good").exists()
        if not local:  # the cluster is as good as before
            small_notebook(notebook)
            options = {"formats": ["md"], "notebook": str(notebook), "executor": executor}
            assert build(sources, out=tmp_path / "r", **options).built == ["good"]


def waits(happens, seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
def test_a_worker_with_another_reportkit_is_one_sentence(tmp_path):
    other = tmp_path / "other"
    shutil.copytree(ROOT / "reportkit", other / "reportkit")
    for name in ("templates", "notebooks"):
        (other / name).symlink_to(ROOT / name)
    version = other / "reportkit/version.py"
    text = version.read_text()
    changed = re.sub(r'__version__ = ".*"', '__version__ = "0.0.7"', text)
    sources = scores(tmp_path / "in", "good")
    for told, said in (
        (changed, "a worker has reportkit 0.0.7, this machine .*; install the same on both$"),
        (f"{text}\n# another\n", "a worker has reportkit .* with other files than this machine"),
        ("raise ImportError\n", "a worker has no reportkit that works; install"),
    ):
        version.write_text(told)
        with (
            cluster(tmp_path / "cluster", 1, f"{other}{os.pathsep}{ROOT}") as made,
            pytest.raises(ClusterError, match=said),
        ):
            build(sources, out=tmp_path / "r", executor=made.executor)
        assert not (tmp_path / "r").exists()


@pytest.mark.slow
def test_a_cluster_without_workers(tmp_path):
    """They may come later, as on a batch system; after the time limit it is a failure."""
    sources = scores(tmp_path / "in", "good")
    options = {"formats": ["md"], "notebook": str(small_notebook(tmp_path / "m.ipynb"))}
    with cluster(tmp_path / "cluster", 0) as made:
        options |= {"executor": made.executor, "out": tmp_path / "r"}
        done = build(sources, time_limit=5.0, **options)
    assert done.failures == {"good": "no worker came within 5 seconds (--time-limit)"}
