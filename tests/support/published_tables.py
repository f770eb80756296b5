"""Tables 1 to 5 of Miller 2024 (arXiv 2411.00640), as they are printed there, and checks of tables
that tests write.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

from reportkit.advised import Line, said
from reportkit.analysis.published import check_published
from reportkit.errors import ReportkitError
from reportkit.loading.published import read_published
from reportkit.published import CheckedTable

PAPER = """\
Table 1

| Eval | Galleon | Dreadnought | Difference |
|---|---|---|---|
| MATH | 65.5% | 63.0% | +2.5% |
| HumanEval | 83.6% | 87.7% | −3.1% |
| MGSM | 75.3% | 78.0% | −2.7% |

Table 2

| Eval | # Questions | Galleon | Dreadnought |
|---|---|---|---|
| MATH | 5,000 | 65.5% (0.7%) | 63.0% (0.7%) |
| HumanEval | 164 | 83.6% (3.2%) | 86.7% (3.0%) |
| MGSM | 2,500 | 75.3% (.9%) | 78.0% (.9%) |

Table 3

| Eval | # Questions | # Clusters | Galleon | Dreadnought |
|---|---|---|---|---|
| DROP | 9,622 | 588 | 87.1% (0.8%) | 83.1% (0.9%) |
| RACE-H | 3,498 | 1,045 | 91.5% (0.5%) | 82.9% (0.7%) |
| MGSM | 2,500 | 250 | 75.3% (1.6%) | 78.0% (1.5%) |

Table 4

| Eval | # Questions | # Clusters | Clustered SE | Naive SE | Ratio |
|---|---|---|---|---|---|
| DROP | 9,622 | 588 | 1.34% | .44% | 3.05 |
| RACE-H | 3,498 | 1,045 | .51% | .46% | 1.10 |
| MGSM | 2,500 | 250 | 1.62% | .86% | 1.88 |

Table 5

| Eval | Model | Baseline | Model − Baseline | 95% Conf. Interval | Correlation |
|---|---|---|---|---|---|
| MATH | Galleon | Dreadnought | +2.5% (.7%) | (+1.2%, +3.8%) | .50 |
| HumanEval | Galleon | Dreadnought | −3.1% (2.1%) | (−7.2%, +1.0%) | .64 |
| MGSM | Galleon | Dreadnought | −2.7% (1.7%) | (−6.1%, +0.7%) | .37 |
"""


def checked(folder: Path, text: str, name: str = "table.csv", **said) -> CheckedTable:
    """The check of a table with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return check_published(*read_published(path, said))


def refusal(folder: Path, text: str, name: str, **said) -> str:
    """The one sentence with which a table is refused."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReportkitError) as refused:
        read_published(path, said)
    told = str(refused.value)
    assert "\n" not in told and told.startswith(name)
    return told


def sentences(lines: Iterable[Line]) -> tuple[str, ...]:
    """As a terminal tells them."""
    return tuple(map(said, lines))


def codes(c: CheckedTable, severity: str = "") -> list[str]:
    """The codes of the findings, of one severity or of all."""
    return [f.code for f in c.findings if severity in ("", f.severity)]
