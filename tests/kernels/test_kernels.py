"""Forked kernels: nothing goes from one to the next, no thread lives when they are forked, they end
as any kernel ends, and where they cannot be had, plain ones take their place.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import papermill
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from support.installed import environment
from support.places import ROOT
from support.small_notebooks import small_notebook

from reportkit.builds.build import build
from reportkit.kernels import SERVER, client, engine
from reportkit.kernels.client import Origin
from reportkit.kernels.provisioner import ForkProvisioner
from reportkit.text.assets import asset

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks on Linux alone")

# All that a notebook may do to its process.
SPOILED = """
import atexit, builtins, decimal, gc, json, locale, logging, os, random, signal, sys, threading
import textwrap, warnings, matplotlib, numpy, pandas, reportkit.stats, reportkit.text.numbers
builtins.spoiled = None
textwrap.wrap = numpy.mean = pandas.DataFrame.sum = reportkit.stats.mean_estimate = None
reportkit.text.numbers.counted = lambda *_: "spoiled"
sys.modules["statistics"] = None
sys.path.insert(0, "/spoiled")
sys.setrecursionlimit(5000)
os.environ["SPOILED"] = "1"
os.environ.pop("HOME", None)
os.chdir("/")
os.umask(0o777)
kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(20)]
threading.Thread(target=threading.Event().wait, name="spoiled", daemon=True).start()
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
matplotlib.rcParams["font.size"] = 3
matplotlib.rcParams["svg.hashsalt"] = "spoiled"
pandas.set_option("display.precision", 1)
numpy.seterr(all="raise")
random.seed(1)
numpy.random.seed(1)
decimal.getcontext().prec = 3
logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore", "spoiled")
gc.disable()
spoiled = True
"""
# What the next one finds of all this.
FOUND = """
import builtins, decimal, gc, inspect, json, logging, os, random, signal, sys, threading, warnings
import statistics, textwrap, matplotlib, numpy, pandas, reportkit.stats, reportkit.text.numbers
state = {
    "names": sorted(name for name in globals() if "spoiled" in name or name == "kept"),
    "builtins": hasattr(builtins, "spoiled"),
    "patched": [callable(textwrap.wrap), callable(numpy.mean), callable(pandas.DataFrame.sum),
                callable(reportkit.stats.mean_estimate), reportkit.text.numbers.counted(2, "eval")],
    "path": sys.path, "argv": [sys.argv[0], len(sys.argv)], "orig": sys.orig_argv[:-1][:3],
    "main": [__name__, sys.modules["__main__"].__dict__ is globals()],
    "limit": sys.getrecursionlimit(),
    "env": {k: v for k, v in os.environ.items() if k != "JPY_PARENT_PID"},
    "folder": os.getcwd(),
    "umask": os.umask(os.umask(0)) or os.umask(0o22),
    "threads": sorted(type(t).__name__ for t in threading.enumerate()),
    "signals": [str(signal.getsignal(s)) for s in (signal.SIGUSR1, signal.SIGCHLD, signal.SIGTERM)],
    "wakeup": signal.set_wakeup_fd(-1) >= 0,
    "rc": [str(matplotlib.rcParams[name]) for name in ("font.size", "svg.hashsalt", "backend")],
    "pandas": pandas.get_option("display.precision"),
    "numpy": numpy.geterr(), "decimal": decimal.getcontext().prec,
    "logging": [logging.root.manager.disable, logging.root.level],
    "gc": gc.isenabled(),
    "warnings": any("spoiled" in str(f[1]) for f in warnings.filters),
    "version": reportkit.__file__,
}
drawn = [random.random(), float(numpy.random.random())]
files = sorted(os.readlink(f"/proc/self/fd/{n}").split("[")[0] for n in os.listdir("/proc/self/fd")
               if os.path.lexists(f"/proc/self/fd/{n}"))
from pathlib import Path
Path(out).write_text(json.dumps({"state": state, "drawn": drawn, "files": files}))
"""


@pytest.fixture(autouse=True)
def forks(monkeypatch):
    monkeypatch.setenv("REPORTKIT_FORK", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def notebook(path: Path, *sources: str) -> Path:
    nb = new_notebook(cells=[new_code_cell(source) for source in ('out = ""', *sources)])
    nb.cells[0].metadata["tags"] = ["parameters"]
    nb.metadata["kernelspec"] = {"name": "python3", "display_name": "P", "language": "python"}
    nbformat.write(nb, path)
    return path


def run(path: Path, out: Path | None = None) -> dict:
    """What a notebook has found."""
    papermill.execute_notebook(
        str(path), str(path.with_suffix(".out.ipynb")), engine_name=engine.register(),
        parameters={"out": str(out)} if out else {}, progress_bar=False,
        execution_timeout=120,
    )  # fmt: skip
    return json.loads(out.read_text()) if out else {}


def servers() -> list[psutil.Process]:
    below = psutil.Process().children(recursive=True)
    return [p for p in below if p.status() != psutil.STATUS_ZOMBIE and SERVER in p.cmdline()]


def test_nothing_of_one_reaches_the_next(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)  # BLAS takes what threads it likes
    find = notebook(tmp_path / "find.ipynb", FOUND)
    spoil = notebook(tmp_path / "spoil.ipynb", SPOILED)
    plain = run(find, tmp_path / "plain.json")
    others = servers()  # the one that other modules of tests share
    with client.serving():
        first = run(find, tmp_path / "first.json")
        [server] = [p for p in servers() if p not in others]
        assert server.num_threads() == 1  # also with what has been forked from it
        run(spoil)
        second = run(find, tmp_path / "second.json")
        again = run(find, tmp_path / "again.json")
        assert server.is_running() and server.num_threads() == 1
    for name, found in plain["state"].items():
        assert first["state"][name] == second["state"][name] == found, name
    assert first["state"]["rc"][2] == "module://matplotlib_inline.backend_inline"
    assert first["files"] == second["files"] == again["files"]
    for one, other in (
        (first, second),
        (second, again),
        (plain, first),
    ):  # chance is each one's own
        assert one["drawn"][0] != other["drawn"][0] and one["drawn"][1] != other["drawn"][1]
    assert not server.is_running()


@pytest.mark.slow
def test_a_server_with_a_second_thread_forks_nothing(tmp_path, monkeypatch):
    (tmp_path / "threaded.py").write_text(
        "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    source = "import os, psutil; words = psutil.Process().parent().cmdline()\n"
    source += "import pathlib, json; pathlib.Path(out).write_text(json.dumps({'parent': words}))"
    find = notebook(tmp_path / "find.ipynb", source)
    with client.serving(["threaded"]):
        assert SERVER not in run(find, tmp_path / "a.json")["parent"]
    with client.serving():
        assert SERVER in run(find, tmp_path / "b.json")["parent"]


def test_a_kernel_is_forked_only_where_it_begins_alike(tmp_path):
    origin = Origin(sys.executable, "/a", {"PATH": "x", "REPORTKIT_JOB": "1"})
    alike = Origin(sys.executable, "/a", {"PATH": "x", "REPORTKIT_JOB": "2"})
    assert origin.begins_as(alike)
    others = (
        Origin(sys.executable, "/b", origin.env),
        Origin(sys.executable, "/a", {"PATH": "y"}),
        Origin(sys.executable, "/a", {"PATH": "x", "OMP_NUM_THREADS": "1"}),
        Origin("/usr/bin/env", "/a", origin.env),
    )
    assert not any(origin.begins_as(other) for other in others)
    same = tmp_path / "python"  # the interpreter of another environment
    same.symlink_to(os.path.realpath(sys.executable))
    assert not origin.begins_as(Origin(str(same), "/a", origin.env))
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "x"]
    assert client.fork(command, {}, "/a") is None  # nobody serves
    client.join(alike)
    try:  # nobody listens at its address
        assert client.fork(command, origin.env, "/a") is None and client.lost()
    finally:
        client.join(None)


def scores(folder: Path, evals: tuple[str, ...]) -> list[str]:
    for e in evals:
        rows = [f"{m},q{k},{k % 2}" for m in "AB" for k in range(4)]
        (folder / f"{e}.csv").write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    return [str(folder / f"{e}.csv") for e in evals]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", (1, pytest.param(2, marks=pytest.mark.slow)))
def test_a_server_that_is_killed_costs_no_report(tmp_path, jobs):
    """As by a machine that runs out of memory, while one of its kernels runs."""
    cell = "import psutil; above = psutil.Process().parent()\n"
    cell += "if any('server.py' in word for word in above.cmdline()):\n"
    cell += "    above.kill(); import time; time.sleep(60)"
    mine = small_notebook(tmp_path / "m.ipynb", cell)
    sources = scores(tmp_path, ("one", "two"))
    options = {"formats": ["md"], "notebook": str(mine), "jobs": jobs}
    done = build(sources, out=tmp_path / "r", **options)
    assert (done.failures, done.built) == ({}, ["one", "suite", "two"])


@pytest.mark.slow
@pytest.mark.parametrize(("killed", "failed"), [(1, 0), pytest.param(2, 1, marks=pytest.mark.slow)])
def test_a_kernel_that_never_began_is_started_once_more(tmp_path, monkeypatch, killed, failed):
    """As one whose ports another process took: real kernels, killed as soon as they are there."""
    launch, begun = ForkProvisioner.launch_kernel, []

    async def launched(self, cmd, **kwargs):
        made = await launch(self, cmd, **kwargs)
        begun.append(self.pid)
        if len(begun) <= killed:
            os.kill(self.pid, signal.SIGKILL)
        return made

    monkeypatch.setattr(ForkProvisioner, "launch_kernel", launched)
    mine = str(small_notebook(tmp_path / "m.ipynb"))
    done = build(scores(tmp_path, ("one",)), out=tmp_path / "r", formats=["md"], notebook=mine)
    assert (len(done.failures), len(begun)) == (failed, 2)
    assert all("Kernel died before" in why for why in done.failures.values())


LISTENS = """
import json, os, pathlib, psutil
ports = [c for c in psutil.net_connections("tcp") if c.pid == os.getpid() and c.status == "LISTEN"]
files = [c.laddr for c in psutil.net_connections("unix") if c.pid == os.getpid() and c.laddr]
pathlib.Path({found!r}).write_text(json.dumps([len(ports), sorted(set(files))]))
"""


@pytest.mark.parametrize(("letters", "ports"), [(1, 0), (70, 5)])
def test_kernels_of_a_build_have_files_and_no_ports(tmp_path, monkeypatch, letters, ports):
    """A port can be taken by another before its kernel does. Only in a folder whose name leaves no
    room for a socket they have ports.
    """
    short = tempfile.mkdtemp()
    place = Path(short, "t" * letters)
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    cell = LISTENS.format(found=str(tmp_path / "found.json"))
    mine = str(small_notebook(tmp_path / "m.ipynb", cell))
    done = build(scores(tmp_path, ("one",)), out=tmp_path / "r", formats=["md"], notebook=mine)
    assert done.failures == {}
    listens, files = json.loads((tmp_path / "found.json").read_text())
    assert listens - ports in (0, 1)  # the debugger's, which is taken as it is chosen
    ours = [name for name in files if name.startswith(str(place / "reportkit-"))]
    assert len(ours) == 5 - ports
    assert list(place.rglob("*-[1-5]")) == []
    shutil.rmtree(short)


@pytest.mark.slow
def test_never_more_kernels_than_jobs(tmp_path):
    """Five reports by two jobs: each of their kernels counts those that live beside it."""
    cell = f"import os, pathlib, time\nplace = pathlib.Path({str(tmp_path / 'alive')!r})\n"
    cell += "(place / str(os.getpid())).touch(); time.sleep(1)\n"
    cell += "with open(place.parent / 'counts', 'a') as counts:\n"
    cell += "    counts.write(f'{len(os.listdir(place))} ')\n"
    cell += "os.remove(place / str(os.getpid()))"
    (tmp_path / "alive").mkdir()
    mine = small_notebook(tmp_path / "m.ipynb", cell)
    options = {"formats": ["md"], "notebook": str(mine), "jobs": 2}
    assert build(scores(tmp_path, tuple("abcde")), out=tmp_path / "r", **options).failures == {}
    counts = [int(n) for n in (tmp_path / "counts").read_text().split()]
    assert len(counts) == 5 and max(counts) == 2


SLEEPS = """
import sys, papermill
from reportkit.kernels import client, engine
with client.serving():
    papermill.execute_notebook(sys.argv[1], None, engine_name=engine.register(), progress_bar=False)
"""


@pytest.mark.slow
def test_nothing_is_left_of_a_process_that_is_killed(tmp_path):
    """Its server and its kernel end, and what the kernel had started."""
    mark = tmp_path / "begun"
    cell = "import pathlib, subprocess, time; subprocess.Popen(['sleep', '300']); "
    cell += f"pathlib.Path({str(mark)!r}).touch(); time.sleep(300)"
    sleeps = notebook(tmp_path / "sleeps.ipynb", cell)
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPS, str(sleeps)], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 120
    while not mark.exists() and time.monotonic() < until:
        time.sleep(0.05)
    below = psutil.Process(process.pid).children(recursive=True)
    assert len(below) == 3 and mark.exists()  # the server, the kernel, and its own
    process.send_signal(signal.SIGKILL)
    process.wait()
    _, alive = psutil.wait_procs(below, timeout=30)
    assert alive == []


@pytest.mark.slow
def test_papermill_finds_the_engine_and_makes_the_same_report(tmp_path):
    env = environment(tmp_path / "installed")
    made = []
    for folder, words in (("plain", ()), ("forked", ("--engine", "reportkit"))):
        (tmp_path / folder).mkdir()
        command = [sys.executable, "-m", "papermill", str(asset("notebooks", "template.ipynb"))]
        done = subprocess.run(
            [*command, "out.ipynb", "-p", "eval", "HumanEval", *words], cwd=tmp_path / folder,
            env=env, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        report = tmp_path / folder / "reports/HumanEval"
        files = [p for p in report.rglob("*") if p.is_file()]
        made.append({p.relative_to(report): p.read_bytes() for p in files})
    assert made[0] == made[1] and Path("report.html") in made[0]


@pytest.mark.slow
def test_a_report_imports_nothing_that_its_server_has_not(tmp_path):
    """What each kernel would import again costs what the server is there to spare."""
    template = nbformat.read(asset("notebooks", "template.ipynb"), as_version=4)
    template.cells.insert(1, new_code_cell("import sys\nloaded = set(sys.modules)"))
    later = f"import json, pathlib\nplace = pathlib.Path({str(tmp_path / 'later.json')!r})\n"
    later += "place.write_text(json.dumps([*set(sys.modules) - loaded]))"
    template.cells.append(new_code_cell(later))
    nbformat.write(template, tmp_path / "mine.ipynb")
    rows = [f"{m},q{k},{(k * 7 + m) % 3 % 2}" for m in range(3) for k in range(40)]
    (tmp_path / "MATH.csv").write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    mine = str(tmp_path / "mine.ipynb")
    done = build([str(tmp_path / "MATH.csv")], out=tmp_path / "r", notebook=mine, formats=["md"])
    assert done.failures == {}
    later = json.loads((tmp_path / "later.json").read_text())
    ours = {"reportkit", "numpy", "scipy", "pandas", "pyarrow", "matplotlib", "jinja2", "typst"}
    assert [name for name in later if name.split(".")[0] in ours] == []
