"""Error bars for model technical reports: question-level eval scores in; tables, figures and
documents out.
"""

from reportkit.version import __version__

# Nothing is imported before the command has a say on interrupts, typing neither.
TYPE_CHECKING = False
if TYPE_CHECKING:  # what a type checker sees; _HOME below is where each name really comes from
    from reportkit import stats as stats
    from reportkit.analysis import analyse as analyse
    from reportkit.analysis.planning import plan as plan
    from reportkit.builds.build import build as build
    from reportkit.loading.anything import validate as validate
    from reportkit.loading.demo import demo_scores as demo_scores
    from reportkit.loading.export import export as export
    from reportkit.loading.read import read_scores as read_scores
    from reportkit.report import Report as Report
    from reportkit.scores.select import select as select
    from reportkit.tables import Table as Table
    from reportkit.tables import make_table as make_table
    from reportkit.tables.writers.render import render_table as render_table

# Public names, imported on first use: `import reportkit` costs little more than the interpreter.
_HOME = {
    "read_scores": "reportkit.loading.read",
    "validate": "reportkit.loading.anything",
    "select": "reportkit.scores.select",
    "analyse": "reportkit.analysis",
    "plan": "reportkit.analysis.planning",
    "demo_scores": "reportkit.loading.demo",
    "Report": "reportkit.report",
    "Table": "reportkit.tables",
    "make_table": "reportkit.tables",
    "render_table": "reportkit.tables.writers.render",
    "build": "reportkit.builds.build",
    "export": "reportkit.loading.export",
    "stats": "reportkit.stats",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'reportkit' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(_HOME[name])
    return module if module.__name__ == f"reportkit.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
