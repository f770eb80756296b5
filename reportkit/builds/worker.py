"""What a worker of a cluster does: it makes one report in a process of its own, and gives back its
files.

The process is one of the worker's own machine. It ends with the worker, and when nobody waits for
its report any more: the build was interrupted, or has lost its scheduler.
"""

import os
import pickle
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath

from reportkit.builds.fingerprint import files_digest, versions
from reportkit.builds.job import Job
from reportkit.builds.run import DIED, sentence, write_report
from reportkit.loading.handover import JOB
from reportkit.text.assets import asset
from reportkit.version import __version__, code_digest

LOOK = 0.1  # seconds between two looks at the process
_JOB, _PROBLEM, _NEW = "job.pickle", "problem.txt", "new"
_CODE = "its files"  # of reportkit: in a checkout they differ where the version does not


@dataclass(frozen=True, slots=True)
class Parcel:
    """A job as it travels. job: pickled, so that a worker of another version can still say so.
    files: what its notebook is handed (loading.handover), by path from the folder above; None: the
    worker sees the folder itself, whose job.json has the hash `seal`. folder: the one that the
    user's command ran in. made_with: `made_here` of the machine that sends it.
    """

    number: int
    job: bytes
    notebook: bytes
    files: Mapping[str, bytes] | None
    seal: str
    folder: str
    made_with: Mapping[str, str]

    @property
    def size(self) -> int:
        """Bytes, about."""
        return len(self.job) + len(self.notebook) + sum(map(len, (self.files or {}).values()))


@dataclass(frozen=True, slots=True)
class Made:
    """What comes back. files: of the report, by path. died: its process did, not the worker.
    unseen: the worker does not see the folder of what the notebook is handed.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    problem: str = ""
    died: bool = False
    unseen: bool = False


def made_here() -> dict[str, str]:
    """What writes the bytes of a report on this machine, each with its version."""
    code = sha256(f"{code_digest()} {files_digest(Path(asset('templates')))}".encode())
    found = {"reportkit": __version__, _CODE: code.hexdigest(), **versions()}
    return found | {"Python": ".".join(platform.python_version_tuple()[:2])}


def difference(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Why a worker would not make the same bytes; "" where it would.

    >>> ours = {"reportkit": "1.0", "numpy": "2.1"}
    >>> difference({"reportkit": "0.9", "numpy": "2.0"}, ours)
    'a worker has reportkit 0.9, this machine 1.0; install the same on both'
    >>> difference(ours, ours)
    ''
    """
    names = [name for name in {**ours, **theirs} if theirs.get(name) != ours.get(name)]
    if not names:
        return ""
    if names[0] == _CODE:
        return (
            f"a worker has reportkit {ours.get('reportkit')} with other files than this machine; "
            "install the same on both"
        )
    shown = names[:1] if names[0] == "reportkit" else names[:3]
    first, *rest = (
        f"{name} {theirs.get(name, 'not installed')}, this machine {ours.get(name, 'none')}"
        for name in shown
    )
    more = f" (and {len(names) - len(shown)} more)" if len(shown) < len(names) > 3 else ""
    listed = "; ".join([first, *rest])
    return f"a worker has {listed}{more}; install the same on both"


def seal_of(handover: str | os.PathLike[str]) -> str:
    """The hash of what a folder hands over; "" where it is not to be seen."""
    try:
        return sha256(Path(handover, JOB).read_bytes()).hexdigest()
    except OSError:
        return ""


def make(parcel: Parcel, topic: str) -> Made:
    """Makes a report on the worker that calls it. topic: of the event that says it has begun."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    differs = difference(made_here(), parcel.made_with)
    if differs:
        return Made(problem=differs)
    job: Job = pickle.loads(parcel.job)
    if parcel.files is None and seal_of(job.handover) != parcel.seal:
        return Made(unseen=True)
    worker.log_event(topic, parcel.number)
    with tempfile.TemporaryDirectory(prefix="reportkit-", dir=worker.local_directory) as folder:
        place = Path(folder)
        _unpack(parcel, job, place)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd=_folder(parcel, place),
        )
        try:
            while process.poll() is None:
                if not _is_wanted(worker, key):
                    return Made(problem="interrupted")
                time.sleep(LOOK)
        finally:
            _end(process)
        try:
            problem = (place / _PROBLEM).read_text(encoding="utf-8")
        except FileNotFoundError:
            return Made(problem=DIED, died=True)
        return Made(read_files(place / _NEW), problem)


def _unpack(parcel: Parcel, job: Job, place: Path) -> None:
    notebook = place / "notebook" / Path(job.notebook).name
    notebook.parent.mkdir()
    notebook.write_bytes(parcel.notebook)
    handover = job.handover
    if parcel.files is not None:
        write_files(parcel.files, place / "handed")
        handover = str(place / "handed" / Path(job.handover).name)
    here = replace(job, notebook=str(notebook), handover=handover)
    (place / _JOB).write_bytes(pickle.dumps(here))
    (place / _NEW).mkdir()


def _folder(parcel: Parcel, place: Path) -> str:
    """The current folder of the notebook: the user's own, where the worker shares it."""
    shared = parcel.files is None and os.path.isdir(parcel.folder)
    return parcel.folder if shared else str(place / "notebook")


def _is_wanted(worker: "object", key: object) -> bool:
    """Whether somebody still waits for a report that is being made."""
    task = worker.state.tasks.get(key)  # type: ignore[attr-defined]
    return task is not None and task.state != "cancelled"


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process and all that it has started."""
    import psutil

    if process.poll() is None:
        _end_children(psutil.Process(process.pid))
        process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def _end_children(process: "object") -> None:
    import psutil

    try:
        children = process.children(recursive=True)  # type: ignore[attr-defined]
    except psutil.Error:
        return
    for child in children:
        try:
            child.kill()
        except psutil.Error:
            continue


def read_files(folder: Path) -> dict[str, bytes]:
    """All files below a folder, by their paths from it."""
    paths = sorted(p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in paths}


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Writes what `read_files` has read."""
    for name, data in files.items():
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ValueError(f"{name!r} is no path below a folder")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


# The process ------------------------------------------------------------------------------------


def _ends_with_the_worker() -> None:
    """The worker holds the other end of the standard input, also when it is killed."""
    import psutil

    os.read(sys.stdin.fileno(), 1)  # not through Python's stream, which would hold a lock at exit
    _end_children(psutil.Process())
    os._exit(1)


def main(folder: Path) -> None:
    """Makes the report of the job that lies in a folder."""
    threading.Thread(target=_ends_with_the_worker, daemon=True).start()
    job = pickle.loads((folder / _JOB).read_bytes())
    problem = ""
    try:
        write_report(job, folder / _NEW)
    except Exception as error:  # as of a process of this machine
        problem = sentence(error)
    part = folder / f"{_PROBLEM}.part"
    part.write_text(problem, encoding="utf-8")
    os.replace(part, folder / _PROBLEM)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
