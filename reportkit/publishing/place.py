"""A folder that is complete takes the place of the one before."""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from reportkit.errors import OutputError
from reportkit.kernels import starter
from reportkit.publishing.exchange import exchange

MANIFEST = "manifest.json"  # its "outputs" name each other file of a report
BEGUN = "publish.json"  # in a folder of work: its new/ is complete, and on its way


def make_writable(folder: Path, option: str) -> None:
    """Makes the folder where there is none. OutputError where nothing can be written into it;
    option: what chooses another.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written: {error.strerror}; choose another folder with {option}"
        ) from None


def keep_real(out: Path, option: str) -> None:
    """OutputError where the demonstration would take the place of a report of real scores, or stand
    among such reports: the list of files of a nightly command may have come out empty. option: what
    chooses another folder.
    """
    for path in [out / MANIFEST, *sorted(out.glob(f"*/{MANIFEST}"))]:
        try:
            real = json.loads(path.read_text(encoding="utf-8"))["fictional"] is False
        except (OSError, ValueError, LookupError, TypeError):
            continue  # somebody else's folder
        if real:
            name = path.parent.name
            what = "is a report" if path.parent == out else f"holds the report {name!r}"
            raise OutputError(
                f"{out}: {what} of real scores, and no scores were given: the demonstration does "
                f"not go there; give the scores, or another {option}"
            )


def home_of(folder: Path) -> Path:
    """Where the work for a folder is done: the folder that it lies in. It is the folder itself
    where it cannot be exchanged: the current folder of this process or of the one that started it,
    a mount, or one whose neighbours we may not make. And where the folder above is everybody's,
    such as /tmp, so that nobody meets the state of another user.
    """
    above, state = folder.parent, folder.parent / ".reportkit"
    everybodys = above.is_dir() and above.stat().st_mode & stat.S_ISVTX
    if everybodys or (state.exists() and not os.access(state, os.W_OK)):
        folder.mkdir(exist_ok=True)
        return folder
    if not folder.is_dir():
        return above
    fixed = any(_is_same(folder, other) for other in _current())
    if fixed or folder.stat().st_dev != above.stat().st_dev or not os.access(above, os.W_OK):
        return folder
    return above


def put(new: Path, to: Path, work: Path) -> None:
    """`new` becomes `to`. work: the folder of work that `new` lies in. Under the lock of its home.

    One rename where nothing is there yet, and one exchange where the system has it. Where it has
    none, the files are moved one by one: publish.json is written first, so that the next start
    ends what a kill cut short.
    """
    own = owned(to)
    _check(new, to, own)
    if not to.exists() or (to.is_dir() and not any(to.iterdir())):
        os.replace(new, to)
        return
    if to not in work.parents:
        carried = _carry(to, new, own)
        if exchange(new, to):
            _carry_late(new, to, own | carried)
            return
        for name in carried:
            (new / name).unlink(missing_ok=True)
    home = to if to in work.parents else to.parent
    begun = {"to": os.path.relpath(to, home), "own": sorted(own)}
    part = work / f".{BEGUN}"
    part.write_text(json.dumps(begun), encoding="utf-8")
    os.replace(part, work / BEGUN)
    _move_all(new, to, own)
    (work / BEGUN).unlink()


def resume(work: Path, home: Path) -> None:
    """Ends what a dead process had begun to publish file by file."""
    try:
        begun = json.loads((work / BEGUN).read_text(encoding="utf-8"))
        name, own = str(begun["to"]), {str(name) for name in begun["own"]}
    except (OSError, ValueError, LookupError, TypeError):
        return
    if name == "." or (name != ".." and Path(name).name == name):
        _move_all(work / "new", home / name, own)


def owned(folder: Path) -> set[str]:
    """The files of the report that lies in a folder, as its manifest lists them."""
    try:
        made = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return {MANIFEST, *map(str, made["outputs"])}
    except (OSError, ValueError, LookupError, TypeError):
        return set()


def _current() -> Iterator[str]:
    """The current folders of this process and of the one that started it: of a notebook's kernel
    the second is papermill, which writes there when we have ended.
    """
    import psutil

    yield os.getcwd()
    try:
        parent = starter()
        if parent is not None:
            yield parent.cwd()
    except psutil.Error:
        return


def _is_same(folder: Path, other: str) -> bool:
    try:
        return os.path.samefile(folder, other)
    except OSError:
        return False


def _walk(folder: Path) -> Iterator[str]:
    """All below a folder that is no folder itself; hidden state of ours is left out."""
    for here, folders, names in os.walk(folder):
        place = Path(here).relative_to(folder)
        if place == Path("."):
            folders[:] = [f for f in folders if f != ".reportkit"]
        links = [f for f in folders if os.path.islink(os.path.join(here, f))]
        yield from ((place / name).as_posix() for name in sorted([*names, *links]))


def _check(new: Path, to: Path, own: set[str]) -> None:
    """OutputError where the user has a file in the place of a folder of ours, or the reverse."""
    if to.exists() and not to.is_dir():
        raise OutputError(f"{to}: a file, where the report's folder goes; choose another folder")
    for name in _walk(new):
        above = [p for p in Path(name).parents if p != Path(".")]
        clash = [p for p in above if (to / p).is_file() and p.as_posix() not in own]
        if (to / name).is_dir():
            clash.append(Path(name))
        if clash:
            raise OutputError(
                f"{to / clash[0]}: in the way of the report's {name}; move it, or choose another "
                "folder"
            )


def _carry(old: Path, new: Path, own: set[str]) -> set[str]:
    """The user's own files stand in both folders before they are exchanged: linked, so that they
    are the same files, or copied where the file system has no links. Returns their names.
    """
    carried = set()
    for name in _walk(old):
        if name in own or os.path.lexists(new / name):
            continue
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(old / name, new / name, follow_symlinks=False)
        except OSError:
            shutil.copy2(old / name, new / name, follow_symlinks=False)
        carried.add(name)
    return carried


def _carry_late(old: Path, to: Path, known: set[str]) -> None:
    """What the user put there in the instant between."""
    for name in _walk(old):
        if name not in known and not os.path.lexists(to / name):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(old / name, to / name)


def _move_all(new: Path, to: Path, own: set[str]) -> None:
    """Moves file by file, the manifest last, and removes what only the report before had. Called
    again, it goes on where it was cut.
    """
    names = sorted(_walk(new), key=lambda name: name == MANIFEST)
    for name in names:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(new / name, to / name)
    now = owned(to)
    left = (own - now) & set(_walk(to))
    for name in sorted(left) if now else ():
        (to / name).unlink(missing_ok=True)
