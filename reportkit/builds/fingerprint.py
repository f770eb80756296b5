"""What a report is made from, as digests: the next build makes again only what has changed.

The digests lie in `<out>/.reportkit/fingerprints.json`, which may be deleted: then everything is
made again. Two questions are asked of it.

Has anything changed at all since the last build of this command (`nothing_to_do`)? This looks at
sizes and times alone, and imports nothing but the standard library, so that a build with nothing to
do ends at once. Where it is in doubt, the answer is no.

Has this report changed (`Fingerprints.why`)? This looks at the content: times play no part.
"""

import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.builds.job import Job, Output, Summary
from reportkit.errors import ReportkitError
from reportkit.inputs.files import PATTERN, state
from reportkit.inputs.paths import is_url
from reportkit.inputs.sources import expand
from reportkit.publishing.aside import STATE, Aside
from reportkit.publishing.place import MANIFEST, owned
from reportkit.text.assets import asset
from reportkit.version import __version__, code_digest

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.facts import Source
    from reportkit.scores.scores import Scores

FILE = "fingerprints.json"
FORMAT = "reportkit/fingerprints@1"
# A file that changed less than this before it was read may change again without another time.
TOO_NEW = 2.0
# What writes bytes into a report: what pip calls it.
LIBRARIES = (
    "numpy", "scipy", "pandas", "pyarrow", "matplotlib", "fonttools", "jinja2", "markupsafe",
    "papermill", "nbclient", "nbformat", "nbconvert", "ipykernel", "pypandoc-binary", "typst",
    "noto-cjk-sans-otc", "nh3", "tinycss2", "statsmodels",
)  # fmt: skip
# The parts of a fingerprint, and what --why calls a change of each.
PARTS = {
    "notebook": "its notebook changed",
    "decisions": "the decisions changed",
    "command": "the command or the place of the scores changed",
    "scores": "its scores changed",
    "sources": "its scores did not change, the files or runs that they come from did",
    "unread": "its scores did not change, the files that could not be read did; it names these",
    "formats": "other documents are asked for",
    "templates": "the templates changed",
    "reportkit": "reportkit changed",
    "libraries": "the versions of libraries changed",
}
NEW = "not built before"
MISSING = "files of it are missing or changed on disk"
UNCHANGED = "nothing changed"
FORCED = "--force"


# Of a report --------------------------------------------------------------------------------------


def parts_of(
    job: Job, scores: Sequence[tuple[str, str, str]], given: Any, made: Mapping[str, str]
) -> dict[str, str]:
    """The fingerprint of a report, by its parts. scores: the digests of its evals (`of_scores`).
    given: what the user's command said, which the manifest records. made: `made_with()`.
    """
    decided = {k: v for k, v in job.parameters.items() if k != "scores"}
    rest = replace(job, notebook="", parameters={}, output=Output(), handover="")
    return {
        "notebook": _digest(Path(job.notebook).read_bytes()),
        "decisions": _digest(repr((decided, rest))),
        "command": _digest(repr((given, job.parameters.get("scores")))),
        "scores": _digest(repr([rows for rows, _, _ in scores])),
        "sources": _digest(repr([facts for _, facts, _ in scores])),
        "unread": _digest(repr([unread for _, _, unread in scores])),
        "formats": _digest(repr(job.output.formats)),
        **made,
    }


def made_with() -> dict[str, str]:
    """What makes every report: our own files and the libraries."""
    return {
        "templates": files_digest(asset("templates")),
        "reportkit": _digest(repr((__version__, code_digest()))),
        "libraries": _digest(repr(list(versions().items()))),
    }


def versions() -> dict[str, str]:
    """Python's version and those of the libraries that write bytes, as far as they are there."""
    found = {"Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def files_digest(folder: Path) -> str:
    """The content of all files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def of_scores(scores: "Scores") -> tuple[str, str, str]:
    """The rows of an eval, the same for texts and for categories; and what is known of them, which
    the report states too: files with their hashes, runs, what was left out; and the files that
    could not be read.

    Of a plain table of several evals the rows of this eval count, and not the rest of the file: one
    changed row makes again the reports that contain it. The others state the hash of the file that
    they were made from.
    """
    from reportkit.facts import to_json

    digest = hashlib.sha256()
    rows = scores.rows
    for name in rows.columns:
        digest.update(f"{name}\0".encode("utf-8", "surrogatepass"))
        digest.update(_of_column(rows[name]))
    facts = scores.facts
    unread = json.dumps([to_json(file) for file in facts.unread])
    facts = replace(facts, sources=[_of_this_eval(s) for s in facts.sources], unread=())
    known = json.dumps(to_json(facts), default=repr)
    return digest.hexdigest(), _digest(known), _digest(unread)


def _of_this_eval(source: "Source") -> "Source":
    """A source without what the rows of other evals change in it."""
    if not source.table or len(source.evals) < 2:
        return source
    return replace(source, sha256="", rows=0, evals=(), logged=())


def _of_column(values: "pd.Series") -> bytes:
    import numpy as np
    import pandas as pd

    if values.dtype.kind in "iufb":
        return hashlib.sha256(np.asarray(values, dtype=float).tobytes()).digest()
    codes, texts = pd.factorize(values.astype(object))
    known = "\0".join(f"{type(t).__name__} {t}" for t in texts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(known + b"\0\0" + codes.astype("<i8").tobytes()).digest()


def _digest(data: str | bytes) -> str:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(raw).hexdigest()[:24]


# Of a folder of reports ---------------------------------------------------------------------------


@dataclass(slots=True)
class Fingerprints:
    """What the builds of a folder have kept. reports: of each its parts, the digest of its manifest
    and a digest of its files' sizes and times. last: the command of the last build that left
    nothing to do.
    """

    out: Path
    reports: dict[str, dict[str, Any]] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)

    def why(self, name: str, parts: Mapping[str, str]) -> str:
        """Why a report is made again; "" where nothing changed."""
        before = self.reports.get(name)
        if before is None:
            return NEW
        changed = [part for part in PARTS if before["parts"].get(part) != parts[part]]
        if "scores" in changed:  # what it comes from changes with it
            changed = [part for part in changed if part not in ("sources", "unread")]
        if changed:
            return ", ".join(PARTS[part] for part in changed)
        if not self._is_there(name, before):
            return MISSING
        return ""

    def _is_there(self, name: str, before: Mapping[str, Any]) -> bool:
        """Whether a report lies there as it was built. Times may differ, as in a copy."""
        folder = self.out / name
        stamped = _stamped(folder)
        if stamped == before["files"]:
            return True
        try:
            manifest = (folder / MANIFEST).read_bytes()
            outputs = json.loads(manifest)["outputs"]
            same = _digest(manifest) == before["manifest"] and all(
                hashlib.sha256((folder / n).read_bytes()).hexdigest() == sha256
                for n, sha256 in outputs.items()
            )
        except (OSError, ValueError, LookupError):
            return False
        if same:
            self.reports[name] = {**before, "files": stamped}
        return same

    def built(self, name: str, parts: Mapping[str, str]) -> None:
        """A report was made and put in place."""
        folder = self.out / name
        self.reports[name] = {
            "parts": dict(parts),
            "manifest": _digest((folder / MANIFEST).read_bytes()),
            "files": _stamped(folder),
        }

    def write(self, aside: Aside) -> None:
        kept = {"format": FORMAT, "reports": self.reports, "last": self.last}
        text = json.dumps(kept, indent=1, sort_keys=True)
        aside.write(self.out / STATE / FILE, text.encode("utf-8", "backslashreplace"))


def read_fingerprints(out: Path) -> Fingerprints:
    """What is kept in a folder; nothing where it is damaged, or of another version."""
    try:
        kept = json.loads((out / STATE / FILE).read_text(encoding="utf-8"))
        if kept["format"] != FORMAT:
            return Fingerprints(out)
        reports = {str(n): r for n, r in kept["reports"].items() if {*r} == {*_REPORT}}
        return Fingerprints(out, reports, dict(kept["last"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return Fingerprints(out)


_REPORT = ("parts", "manifest", "files")


def _stamped(folder: Path) -> str:
    """A digest of the sizes and times of a report's files; "" where one is missing."""
    place = os.fspath(folder)  # of ten thousand files a Path each takes longer than to look at it
    try:
        stats = [(n, os.stat(f"{place}/{n}")) for n in sorted(owned(folder))]
    except OSError:
        return ""
    return _digest(repr([(n, s.st_size, s.st_mtime_ns) for n, s in stats])) if stats else ""


# Nothing to do ------------------------------------------------------------------------------------


_MORE = ("against", "summary")  # what a build writes or compares beside its reports


def asked(sources: Any, said: Mapping[str, Any], settings: Any, output: Output) -> str:
    """A digest of all that a command says; "" where its sources are no files, or where it asks for
    more than reports.
    """
    named = [sources] if isinstance(sources, str) else sources
    if not isinstance(named, Sequence) or not all(isinstance(s, str) for s in named):
        return ""
    if any(is_url(s) for s in named) or any(getattr(output, name, "") for name in _MORE):
        return ""
    told = replace(output, jobs=1, executor="local", force=False)
    return _digest(repr((list(named), sorted(said.items()), settings, told)))


def seen(sources: Sequence[str], looked: Iterable[str], since: float) -> dict[str, Any] | None:
    """What a build has read, as the next one can see it without reading: None where it cannot be
    told for certain. since: the time when the build began.
    """
    files = _listed(sources)
    stamps = {path: stamp(path) for path in sorted({*files, *looked})}
    new = (since - TOO_NEW) * 1e9
    if any(is_url(path) or max(s[:2], default=0) > new for path, s in stamps.items() if len(s) > 1):
        return None
    return {"listed": _digest(repr(files)), "looked": stamps}


def stamp(path: str) -> list[Any]:
    """What changes when a file does: times of its content and of its entry, size and number. Of a
    listing, its digest; of what is not there, nothing.
    """
    if PATTERN in path:
        return [state(path)]
    try:
        s = os.stat(path)
    except OSError:
        return []
    return [s.st_mtime_ns, s.st_ctime_ns, s.st_size, s.st_ino]


def _listed(sources: Sequence[str]) -> list[str]:
    return [file.path for source in sources for file in expand(source)]


def nothing_to_do(command: str, sources: Sequence[str], out: Path) -> Summary | None:
    """The summary of a build of a command (`asked`) that finds all as the last one left it; None
    where something has changed, or may have.
    """
    kept = read_fingerprints(out)
    last = kept.last
    if not command or last.get("command") != command or last.get("made_with") != made_with():
        return None
    try:
        if _digest(repr(_listed(sources))) != last["seen"]["listed"]:
            return None
    except (ReportkitError, OSError):
        return None
    if any(stamp(path) != before for path, before in last["seen"]["looked"].items()):
        return None
    if stamp(str(out / "index.html")) != last["index"]:
        return None
    if any(_stamped(out / n) != kept.reports[n]["files"] for n in last["reports"]):
        return None
    summary = Summary(out, skipped=last["skipped"], notes=last["notes"])
    summary.unchanged = sorted(last["reports"])
    summary.why = dict.fromkeys(summary.unchanged, UNCHANGED)
    return summary


def remember(
    kept: Fingerprints, command: str, read: Callable[[], dict[str, Any] | None], summary: Summary
) -> None:
    """Keeps what `nothing_to_do` asks for, where every report of this build is in place: of an eval
    that could not be read the next build tells again.
    """
    missing = summary.failures or any(c.comparison.not_read for c in summary.compared)
    what = read() if command and not missing else None
    kept.last = {}
    if what is not None:
        kept.last = {
            "command": command,
            "made_with": made_with(),
            "seen": what,
            "index": stamp(str(kept.out / "index.html")),
            "reports": sorted([*summary.built, *summary.unchanged]),
            "skipped": dict(summary.skipped),
            "notes": list(summary.notes),
        }
