"""Files, folders, globs and URLs of harness logs or plain tables -> one scores frame; each file is
told by its content.
"""

import importlib
from collections.abc import Mapping
from types import ModuleType

import pandas as pd

from reportkit.errors import MissingPackageError, ReportkitError
from reportkit.inputs.files import BrokenFile, File
from reportkit.readers import tabular
from reportkit.readers.parsing import escaped
from reportkit.scores.run import Run

# A format is a module here with HARNESS, claims(file) -> "run", "part" (of a run that another file
# stands for) or "", and read(file) -> list of Run. The first that claims a file reads it; plain
# tables come last.
FORMATS: tuple[str, ...] = (
    "inspect",
    "lm_eval",
    "lighteval",
    "openai_evals",
    "helm",
    "swebench",
    "evalplus",
    "alpaca_eval",
    "every_eval_ever",
)
SAID = 200  # characters of a library's error that are told


def read_file(file: File, columns: Mapping[str, str]) -> "list[Run] | pd.DataFrame | None":
    """What a file holds: runs, a checked table, or None where it belongs to a run that another file
    stands for.

    Whatever a file can make a reader or a library under it do ends here: it is a BrokenFile, and
    the other files are read.
    """
    kind = "a table"
    if escaped(file.path) != file.path:
        raise BrokenFile(
            f"{escaped(file.path)}: its path holds bytes that are no UTF-8 text; rename the file "
            "or its folder"
        )
    try:
        for module in formats():
            claim = module.claims(file)
            if claim == "part":
                return None
            if claim:
                kind = f"a log of {module.HARNESS}"
                runs = [_escaped(run) for run in module.read(file)]
                if not all(len(run.rows) for run in runs):
                    raise BrokenFile(
                        f"{file.path}: no answer to a question in it; if the run ended early, "
                        "run it again"
                    )
                return runs
        return tabular.read(file, columns, must_be_scores=file.named)
    except MissingPackageError as error:
        raise BrokenFile(f"{file.path}: {error}") from None
    except (ReportkitError, tabular.NoScores):
        raise
    except OSError as error:
        raise BrokenFile(f"{file.path}: cannot be read: {error.strerror or error}") from error
    except Exception as error:
        raise BrokenFile(
            f"{file.path}: not readable as {kind} ({_short(error)}); copy it again, or leave it out"
        ) from error


def _escaped(run: Run) -> Run:
    for name in run.__slots__:
        if isinstance(text := getattr(run, name), str):
            setattr(run, name, escaped(text))
    return run


def formats() -> list[ModuleType]:
    return [importlib.import_module(f"reportkit.readers.{name}") for name in FORMATS]


def _short(error: Exception) -> str:
    """The kind of an error and the beginning of what it says."""
    said = next(iter(str(error).strip().splitlines()), "")[:SAID]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
