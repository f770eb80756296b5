"""The scripts of benchmarks/ as modules."""

import importlib.util
import sys
from types import ModuleType

from support.places import ROOT


def benchmark(name: str) -> ModuleType:
    """The script benchmarks/NAME.py; what it imports may lie beside it."""
    folder = ROOT / "benchmarks"
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", folder / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclasses look for their names
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module
