"""Error bars for model technical reports: question-level eval scores in; tables, figures and
documents out.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

# Public names, imported on first use: `import reportkit` costs little more than the interpreter.
_HOME = {
    "read_scores": "reportkit.loading.read",
    "validate": "reportkit.scores.select",
    "select": "reportkit.scores.select",
    "analyse": "reportkit.analysis",
    "demo_scores": "reportkit.loading.demo",
    "Report": "reportkit.report",
    "Table": "reportkit.tables",
    "make_table": "reportkit.tables",
    "render_table": "reportkit.tables.render",
    "build": "reportkit.builds.build",
    "export": "reportkit.loading.export",
    "stats": "reportkit.stats",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'reportkit' has no attribute {name!r}")
    module = importlib.import_module(_HOME[name])
    return module if module.__name__ == f"reportkit.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
