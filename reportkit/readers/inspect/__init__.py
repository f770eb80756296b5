"""Logs of Inspect AI (.eval, .json), read by inspect-ai itself, which knows old versions, killed
runs and zstd.
"""

import gc
import re
import zipfile
from dataclasses import replace
from types import ModuleType
from typing import Any

from reportkit.errors import MissingPackageError, ScoresError, add_extra
from reportkit.inputs.files import MOST, BrokenFile, File, seekable
from reportkit.inputs.unpacking import TIMES
from reportkit.readers.inspect.computations import computation
from reportkit.readers.inspect.fields import cut_off
from reportkit.readers.inspect.numbers import fields_used
from reportkit.readers.inspect.run import logprobs, multiple_choice, run_of
from reportkit.readers.reader import Claim, Guide, Reader, when_changed
from reportkit.scores.run import Run

HARNESS = "inspect-ai"
# Bytes that one member of the zip may unpack to, whatever it says: unpacking.TIMES its packed size,
# and the first of these in any case, but never the second. Summaries of 10,000 samples have 2**23.
FREE, MEMBER = 2**26, 2**30

_LOG = re.compile(
    rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"(started|success|cancelled|error)"\s*,\s*"eval"\s*:'
)
# logs.json: the header of each log by its name
_LISTING = re.compile(rb'\s*\{\s*(\}|"[^"]+\.(eval|json)"\s*:\s*\{)')
_SET = re.compile(rb'\s*\{\s*"eval_set_id"\s*:')  # eval-set.json
_NEEDED = re.compile(r"_journal/.*|(header|summaries|reductions)\.json")
_UNUSED = {
    "messages",
    "events",
    "events_data",
    "store",
    "attachments",
    "timelines",
    "model_usage",
    "error_retries",
}


def claims(file: File) -> Claim:
    """A zip with a log's members or a JSON document that begins as a log; listings of evalset
    folders are parts.
    """
    head = file.head()
    if head.startswith(b"PK\x03\x04"):
        first = head[30 : 30 + int.from_bytes(head[26:28], "little")].decode("utf-8", "replace")
        return (
            "run"
            if first == "_journal/start.json" or file.name.endswith(".eval") or _is_log(file)
            else ""
        )
    if not head:
        return "run" if file.name.endswith(".eval") else ""
    if (file.name == "logs.json" and _LISTING.match(head)) or (
        file.name == "eval-set.json" and _SET.match(head)
    ):
        return "part"
    return "run" if _LOG.match(head) else ""


def _is_log(file: File) -> bool:
    try:
        with file.open() as stream, zipfile.ZipFile(stream) as archive:
            return _has_log(archive)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def _has_log(archive: zipfile.ZipFile) -> bool:
    names = archive.NameToInfo
    ended = "header.json" in names and any(
        n.startswith(("summaries.json", "samples/")) for n in names
    )
    return ended or "_journal/start.json" in names  # a killed run has its journal alone


def read(file: File) -> list[Run]:
    """The run of a log. Raises BrokenFile, and MissingPackageError without inspect-ai."""
    if not file.head():
        raise BrokenFile(f"{file.path}: an empty file, no Inspect log; copy it again, or delete it")
    reader = _inspect()
    zipped = file.head().startswith(b"PK")
    collects = gc.isenabled()
    # a large log is a million small objects, none of them in a cycle, over which the collector
    # would go again
    gc.disable()
    try:
        with seekable(file) as near:
            if zipped:
                _check_members(near, _NEEDED)
            log, samples = _load(near, reader, zipped)
            written = _written(near, zipped)
        return [replace(run_of(HARNESS, file, log, samples), written=written)]
    finally:
        if collects:
            gc.enable()


def _inspect() -> ModuleType:
    try:
        import inspect_ai.log
    except ImportError:
        raise MissingPackageError(
            f"logs of Inspect AI need inspect-ai, which is not installed; {add_extra('inspect')}"
        ) from None
    return inspect_ai.log  # type: ignore[no-any-return]


def _load(file: File, reader: ModuleType, zipped: bool) -> tuple[Any, list[Any]]:
    """Header and samples: their summaries, or whole where only whole ones tell what is needed (five
    times slower).
    """
    kind = "eval" if zipped else "json"
    try:
        if not zipped:
            log = reader.read_eval_log(file.path, format=kind)
            return log, log.samples or []
        log = reader.read_eval_log(file.path, header_only=True, format=kind)
        if not (log.invalidated or logprobs(log)):
            samples = reader.read_eval_log_sample_summaries(file.path, format=kind)
            if not cut_off(
                samples, fields_used(log), multiple_choice=multiple_choice(log) is not None
            ):
                return log, samples
        _check_members(file, re.compile(r"samples/.*"))
        log = reader.read_eval_log(file.path, format=kind, exclude_fields=_UNUSED)
        return log, log.samples or []
    except ScoresError:
        raise
    except Exception as error:  # a broken log raises whatever its first broken part does
        reason = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
        reason = reason.replace(f": {file.path}", "")[:200]
        raise BrokenFile(
            f"{file.path}: not a readable log of Inspect ({reason}); copy it again, or delete it"
        ) from None


def _written(file: File, zipped: bool) -> str:
    """When the log was written: a zip keeps it in each member, also in a copy. Of JSON it is the
    file's own time, of a file elsewhere nothing.
    """
    if zipped:
        with file.open() as stream, zipfile.ZipFile(stream) as archive:
            last = max(member.date_time for member in archive.infolist())
        return "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}".format(*last)
    return when_changed(file)


def _check_members(file: File, wanted: re.Pattern[str]) -> None:
    """BrokenFile without a log's members, or where one unpacks to more than a log holds, by what it
    claims or what is in it.
    """
    try:
        with file.open() as stream, zipfile.ZipFile(stream) as archive:
            if not _has_log(archive):
                raise BrokenFile(f"{file.path}: a zip without a log of Inspect in it; leave it out")
            members = [m for m in archive.infolist() if wanted.fullmatch(m.filename)]
            total = 0
            for member in members:
                claimed, size = member.file_size, 0
                most = min(MEMBER, max(FREE, TIMES * member.compress_size))
                # unpack what is there; the checksum then stands for all of it
                member.file_size = most + 2**21
                if claimed <= most:
                    with archive.open(member) as content:
                        while size <= most and (block := content.read(2**20)):
                            size += len(block)
                total += max(size, claimed)
                if max(size, claimed) > most or total > MOST:
                    raise BrokenFile(
                        f"{file.path}: member {member.filename!r} unpacks to more than "
                        f"{most // 2**20} MB, or all "
                        f"to more than {MOST // 2**30} GB; this is no log to trust"
                    )
    except BrokenFile:
        raise
    # zlib's and zstandard's own classes are no subclasses of one another
    except Exception as error:
        raise BrokenFile(
            f"{file.path}: a damaged zip ({error}); copy it again, or delete it"
        ) from None


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    computation=computation,
    extra="inspect",
    guide=Guide(
        harness="Inspect AI",
        files="`.eval`, `.json`",
        about=(
            "needs [the extra](index.md#install) `inspect`. Every scorer, key of a dictionary "
            "score, and epoch is read. The cluster of Inspect's own standard error is the "
            "default. Token probabilities become the metric `p_correct`."
        ),
    ),
)
