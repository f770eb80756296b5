"""What a phone shows of a figure of many models: intervals that no dot hides, cells to read."""

import pytest
from support.figure_records import canvas, figure, result

from reportkit.figures import draw
from reportkit.figures.phones import for_phone


def of(models: int, letters: int = 24):
    names = tuple(f"{'model' * 5}"[:letters] + f"-{k:02d}" for k in range(models))
    return result(names, spread=0.008)


@pytest.mark.parametrize("kind", ["means", "ranks"])
def test_the_axis_of_58_models_is_wide_on_a_phone(kind):
    """Names beside the bars left it less than an inch; above them it has all but the numbers."""
    axes = {}
    for width in ("column", "phone"):
        sheet = canvas(of(58), kind, width)
        axes[width] = sheet.axes[0].get_position().width * sheet.get_figwidth()
    assert axes["column"] < 1.0 and axes["phone"] > 2.0


@pytest.mark.parametrize("kind", ["means", "ranks", "correlations"])
def test_a_phone_has_the_column_figure_of_few_models(kind):
    column = figure(of(5), kind, "column")
    assert for_phone(column, pytest.fail) == column.svg


# Columns beside names of 1.25 inches and the numbers: 0.044 inches for 33 models, 0.025 for 58.
@pytest.mark.parametrize(("models", "own"), [(33, True), (58, False)])
@pytest.mark.parametrize("kind", ["differences", "correlations"])
def test_a_matrix_of_too_narrow_cells_is_that_of_a_page_on_a_phone(kind, models, own):
    """Cells of 58 models were less than two points of the screen wide."""
    given = of(models, 8)
    shown = for_phone(figure(given, kind, "column"), lambda at: draw(given, kind, at))
    assert bool(shown) == own
