"""The table that a model report opens with: evals by models."""

from dataclasses import replace

from reportkit.results import SuiteResult
from reportkit.tables.cells import Style
from reportkit.tables.several import models_in_columns
from reportkit.tables.table import Table


def suite(s: SuiteResult, style: Style) -> Table:
    """A row for each eval, a column for each model."""
    return replace(models_in_columns(s.evals, style), name="suite")
