"""Logs of eval harnesses and plain tables -> runs and rows. A registry of readers, each of which
knows the files of its format by their content.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reportkit.errors import MissingPackageError, ReportkitError
from reportkit.inputs.file_systems import NotInstalled
from reportkit.inputs.files import BrokenFile, File
from reportkit.inputs.layouts import Layouts, layouts_of
from reportkit.inputs.pointers import told_of
from reportkit.readers import (
    alpaca_eval,
    bfcl,
    evalplus,
    evalscope,
    every_eval_ever,
    helm,
    inspect,
    lighteval,
    lm_eval,
    olmes,
    openai_evals,
    swebench,
    tabular,
)
from reportkit.readers.parsing import escaped, first_line
from reportkit.readers.reader import Reader
from reportkit.readers.table_formats import SUFFIXES
from reportkit.scores.run import Run
from reportkit.scores.selfcheck import Own, no_own

# The first reader that claims a file reads it. A file that none claims may be a plain table.
FORMATS: tuple[Reader, ...] = (
    swebench.READER,  # first, for its files come in thousands
    inspect.READER,
    lm_eval.READER,
    evalscope.READER,
    olmes.READER,
    lighteval.READER,
    openai_evals.READER,
    helm.READER,
    bfcl.READER,
    evalplus.READER,
    alpaca_eval.READER,
    every_eval_ever.READER,
)


def computations(harness: str) -> Own:
    """What a harness computes in a way of its own, for the self-check of its runs."""
    return next((r.computation for r in FORMATS if r.name == harness), no_own)


def read_file(
    file: File, layouts: Layouts | Mapping[str, str]
) -> "list[Run] | pd.DataFrame | None":
    """What a file holds: runs, a checked table, or None where it belongs to a run that another file
    stands for.

    A file can make a reader, or a library under it, raise anything. Here that becomes a BrokenFile,
    so that the other files are still read.
    """
    if escaped(file.path) != file.path:
        raise BrokenFile(
            f"{escaped(file.path)}: its path holds bytes that are not UTF-8 text; rename the file "
            "or its folder"
        )
    kind = "a table"
    try:
        for reader in FORMATS:
            claim = reader.claims(file)
            if claim == "part":
                return None
            if claim == "run":
                kind = f"a log of {reader.name}"
                return _runs(reader, file)
        # last: some readers claim a file by its name, and never open it for that
        _refuse_pointer(file)
        return tabular.read(file, layouts_of(layouts), must_be_scores=file.named)
    except MissingPackageError as error:
        raise NotInstalled(f"{file.path}: {error}") from None
    except (ReportkitError, tabular.NoScores):
        raise
    except OSError as error:
        raise BrokenFile(f"{file.path}: cannot be read: {error.strerror or error}") from error
    except Exception as error:
        raise BrokenFile(
            f"{file.path}: not readable as {kind} ({first_line(error)}); copy it again, or leave "
            "it out"
        ) from error


def is_log(file: File) -> bool:
    """Whether a reader of logs claims a file."""
    return any(reader.claims(file) for reader in FORMATS)


def _refuse_pointer(file: File) -> None:
    """BrokenFile for the pointer to a log or a table, NoScores for one to a picture."""
    if pointer := told_of(file.head()):
        if file.named or file.name.endswith((*SUFFIXES, ".json", ".eval")):
            raise BrokenFile(f"{file.path}: {pointer}")
        raise tabular.NoScores(pointer)


def _runs(reader: Reader, file: File) -> list[Run]:
    """The runs of a file, in text that every output can hold; BrokenFile where one has no rows."""
    runs = reader.read(file)
    if not all(len(run.rows) for run in runs):
        raise BrokenFile(
            f"{file.path}: no answer to a question in it; if the run ended early, run it again"
        )
    return [_escaped(run) for run in runs]


def _escaped(run: Run) -> Run:
    values = ((f.name, getattr(run, f.name)) for f in dataclasses.fields(run))
    texts: dict[str, Any] = {name: escaped(v) for name, v in values if isinstance(v, str)}
    return dataclasses.replace(run, **texts)
