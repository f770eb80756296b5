"""A scores folder in an object store, written by an import.

An object is complete or absent, so the object runs.parquet commits as the file does. There are no
locks: an import that finds at its commit that another one has committed meanwhile ends with an
error, and takes nothing away. Objects that nothing lists are removed when they are a day old: they
may be of an import that is at work.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reportkit.errors import OutputError, ReportkitError
from reportkit.inputs.file_systems import filesystem, is_file, reason_of
from reportkit.inputs.files import File, state
from reportkit.inputs.paths import is_url, joined, name_of
from reportkit.inputs.sources import MARK
from reportkit.loading.store import RUNS_FILE
from reportkit.loading.store.folder import Home, LocalHome, check_own

# Those whose objects are complete or absent; memory is for trials.
OBJECT_STORES = ("s3", "s3a", "gs", "gcs", "az", "abfs", "memory")
OLD = timedelta(days=1)


class RemoteHome(Home):
    """A folder at the URL of an object store."""

    def __init__(self, url: str):
        self.place = url.rstrip("/")
        scheme = url.partition("://")[0]
        if scheme not in OBJECT_STORES:
            raise OutputError(
                f"{url}: an import writes into a folder of this machine or of an object store "
                f"({', '.join(OBJECT_STORES[:-1])}); name one with --to, and copy it to the URL "
                "afterwards"
            )
        try:
            self._fs, self._inside = filesystem(self.place)
        except ReportkitError as error:
            raise OutputError(str(error)) from None
        self._new: list[str] = []  # names that this import has written
        self._committed = ""  # state of runs.parquet, as this import has left it

    def prepare(self) -> None:
        with self._written(self.place):
            self._fs.invalidate_cache()
            found = self._fs.ls(self._inside, detail=False) if self._is_there() else []
        check_own(self.place, [name_of(str(n).rstrip("/")) for n in found])

    def _is_there(self) -> bool:
        return bool(self._fs.exists(self._inside))

    @contextmanager
    def turn(self) -> Iterator[None]:
        self._committed = self._state()
        yield

    def _state(self) -> str:
        self._fs.invalidate_cache()
        return state(joined(self.place, RUNS_FILE))

    def has(self, name: str) -> bool:
        self._fs.invalidate_cache()
        return is_file(joined(self.place, name))

    def read(self, name: str) -> bytes:
        self._fs.invalidate_cache()
        return File(joined(self.place, name)).read()

    def write(self, name: str, data: bytes) -> None:
        url = joined(self.place, name)
        if name == RUNS_FILE and self._state() != self._committed:
            raise OutputError(
                f"{url}: another import has changed it meanwhile; what this one read is not "
                "listed; import again"
            )
        with self._written(url):
            self._new.append(name)
            self._fs.pipe_file(joined(self._inside, *name.split("/")), data)
            self._fs.invalidate_cache()
        if name == RUNS_FILE:
            self._committed = self._state()

    @contextmanager
    def _written(self, url: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # each back end has classes of its own
            raise OutputError(f"{url}: cannot be written: {reason_of(error, url)}") from None

    def remove(self, name: str) -> None:
        with self._written(self.place):
            path = joined(self._inside, *name.split("/"))
            if self._fs.exists(path):
                self._fs.rm_file(path)
            self._fs.invalidate_cache()
        self._committed = self._state()

    def files(self) -> dict[str, int]:
        with self._written(self.place):
            return {n: i["size"] for n, i in self._found().items() if n.endswith(".parquet")}

    def sweep(self, listed: Collection[str]) -> dict[str, int]:
        there, now = {}, datetime.now(UTC)
        with self._written(self.place):
            for name, info in self._found().items():
                if name in listed:
                    there[name] = int(info["size"])
                elif name.endswith(".parquet") and "/" in name and _age(info, now) > OLD:
                    self._fs.rm_file(info["name"])
        return there

    def _found(self) -> dict[str, dict[str, Any]]:
        """The objects of rows and questions, by their names from the folder."""
        self._fs.invalidate_cache()
        found = self._fs.find(self._inside, detail=True) if self._is_there() else {}
        root = f"{self._inside.strip('/')}/"
        names = {str(path).lstrip("/").removeprefix(root): info for path, info in found.items()}
        return {n: i for n, i in names.items() if n.startswith(("eval=", "questions/"))}

    def unmake(self) -> None:
        with self._written(self.place):
            parts = (n for n in self._new if n not in (MARK, RUNS_FILE))
            for name in dict.fromkeys([*parts, RUNS_FILE, MARK]):
                self.remove(name)


def home_at(to: str) -> Home:
    """The scores folder at a path or URL; OutputError where none can be written there."""
    scheme, _, path = to.partition("://")
    if scheme == "file":
        return LocalHome(Path(path))
    return RemoteHome(to) if is_url(to) else LocalHome(Path(to))


def _age(info: dict[str, Any], now: datetime) -> timedelta:
    """Since an object was written; none where its store does not say."""
    written = next((info[k] for k in ("LastModified", "mtime", "updated") if info.get(k)), now)
    if isinstance(written, str):
        written = datetime.fromisoformat(written)
    return now - written if isinstance(written, datetime) else timedelta(0)
