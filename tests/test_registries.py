"""What is registered once is what commands, help texts, suggestions and notebooks offer."""

import re
from typing import get_args

import click
import nbformat
import pytest
from click.testing import CliRunner
from support.places import ROOT
from support.scores_made import result_of

from reportkit.analysis.requested import RECORDS
from reportkit.cli.table import table as table_command
from reportkit.decisions import SPECS
from reportkit.errors import UnknownNameError
from reportkit.requested import REQUESTED
from reportkit.tables import FORMATS, KINDS, make_table
from reportkit.tables.writers.latex import Options

TEMPLATE = nbformat.read(ROOT / "notebooks" / "template.ipynb", as_version=4)
SUITE = nbformat.read(ROOT / "notebooks" / "suite.ipynb", as_version=4)


def choices(command: click.Command, option: str) -> tuple[str, ...]:
    [found] = [p for p in command.params if f"--{option}" in p.opts]
    assert isinstance(found.type, click.Choice)
    return tuple(found.type.choices)


def shown_by(method: str, notebook=TEMPLATE) -> list[str]:
    """What the cells of the notebook ask the report for."""
    code = "\n".join(c.source for c in notebook.cells if c.cell_type == "code")
    return re.findall(rf'report\.{method}\("([\w-]+)"', code)


# Tables -------------------------------------------------------------------------------------------


def test_the_notebook_shows_every_table_of_a_report():
    always = [
        k for k, kind in KINDS.items()
        if kind.in_reports and not (kind.on_request or kind.aside)
    ]  # fmt: skip
    assert sorted(shown_by("table")) == sorted(always)
    assert sum("report.requested()" in cell.source for cell in TEMPLATE.cells) == 1


def test_the_suites_notebook_shows_every_table_of_a_suite():
    of_suites = [k for k, kind in KINDS.items() if kind.suite]
    assert sorted(shown_by("table", SUITE)) == sorted([*of_suites, "power", "data"])


def test_the_tables_on_request_are_those_that_a_user_can_ask_for():
    """In the order in which a report shows them; tables with records of their own have a function
    that makes them, and a type that the schema knows.
    """
    on_request = [k for k, kind in KINDS.items() if kind.on_request]
    assert on_request == list(SPECS["tables"].choices)
    assert [k for k, kind in KINDS.items() if kind.records] == list(RECORDS) == list(REQUESTED)
    assert {kind.records for kind in KINDS.values()} <= {"", *REQUESTED}


def test_the_command_offers_every_format_of_tables():
    assert choices(table_command, "format") == tuple(FORMATS)


@pytest.mark.parametrize("option", ["align", "wide", "span", "long"])
def test_the_command_offers_every_way_to_set_a_latex_table(option):
    types = Options.__annotations__
    assert choices(table_command, option) == get_args(types[option])


def test_help_names_every_table():
    help = " ".join(CliRunner().invoke(table_command, ["--help"]).stdout.split())
    help = help.replace("- ", "-")  # a line that ends within a name
    layouts = sorted(k for k, kind in KINDS.items() if not kind.in_reports and not kind.suite)
    assert layouts == ["macro", *(f"paper{n}" for n in (2, 3, 4, 5))]
    assert "macro the average" in help and "paper2 to paper5" in help
    assert [k for k, kind in KINDS.items() if kind.suite and k not in help] == []
    assert [k for k, kind in KINDS.items() if kind.in_reports and k not in help] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_slip_in_a_tables_name_is_understood(kind):
    with pytest.raises(UnknownNameError, match=f"did you mean '{kind}'"):
        make_table(result_of([[1.0, 0.0], [0.0, 1.0]]), kind[:2] + "x" + kind[2:])


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_registered_under_its_suffix(name):
    assert FORMATS[name].suffix == name and "/" in FORMATS[name].mime


def test_no_two_formats_share_a_name():
    names = [n for name, fmt in FORMATS.items() for n in (name, *fmt.names)]
    assert len(names) == len(set(names))
