"""nbformat and papermill, imported without what a build never asks them for."""

import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType

_ADDRESSES = "rfc3987_syntax"
_CLOUDS = ("azure", "boto3", "gcsfs", "github")  # where papermill reads notebooks from, too


def light_nbformat() -> ModuleType:
    """nbformat. Below it jsonschema takes rfc3987_syntax, where that is installed (JupyterLab
    brings it), and builds the grammar of web addresses: a second, for a check that no notebook
    asks for. It is hidden while nbformat is imported; who imports it afterwards gets it.
    """
    known = {"jsonschema", "nbformat"} & set(sys.modules)
    with _hidden(() if known else (_ADDRESSES,)):
        return importlib.import_module("nbformat")


def light_papermill() -> None:
    """Imports papermill without the clients of clouds that are installed: two thirds of what it
    takes, for addresses that a build's notebooks never have. papermill takes no such address in
    this process any more, so the process must be ours alone.
    """
    light_nbformat()
    if "papermill" not in sys.modules:
        with _hidden(_CLOUDS):
            importlib.import_module("papermill")


@contextmanager
def _hidden(names: Iterable[str]) -> Iterator[None]:
    """In here these modules, as far as they are not imported yet, are as if not installed."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules |= dict.fromkeys(hidden)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
