"""The committed example is what a build of the demonstration makes now; results.json keeps to its
schema.
"""

import json
import math
import os
import re
from pathlib import Path

import jsonschema
import pytest
from support.places import ROOT

from reportkit.builds.build import build
from reportkit.schema import results_schema

EXAMPLE = ROOT / "reports" / "example"
# Compressed with the zlib of the machine at hand; their sources are compared as SVG and
# Typst-readable tables.
COMPRESSED = {".png", ".pdf"}
NUMBER = re.compile(r"-?\d+\.\d{6,}(?:e-?\d+)?|-?\d+(?:\.\d+)?e-\d+")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("example") / "reports"
    summary = build(out=out, jobs=min(2, os.cpu_count() or 1))
    assert summary.failures == {}
    return out


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_example_is_what_a_build_makes(built):
    assert files(EXAMPLE) == files(built), "run `make example` and look at what changed"
    for name in files(built):
        if Path(name).suffix in COMPRESSED:
            continue
        old, new = (
            (EXAMPLE / name).read_text(encoding="utf-8"),
            (built / name).read_text(encoding="utf-8"),
        )
        # Unrounded numbers (results, CSV, what a page sorts by): the last bits depend on the
        # processor's matrix product.
        assert NUMBER.sub("#", old) == NUMBER.sub("#", new), (
            f"{name}: run `make example` and look at what changed"
        )
        for a, b in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True):
            assert math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12), name


def test_results_keep_to_the_schema_that_ships(built):
    shipped = json.loads((ROOT / "reportkit" / "results.schema.json").read_text())
    assert shipped == results_schema(), (
        "run `python -m reportkit.schema > reportkit/results.schema.json`"
    )
    for path in built.glob("*/results.json"):
        jsonschema.validate(json.loads(path.read_text()), shipped)
