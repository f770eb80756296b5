"""The committed example is what a build of the demonstration makes now; results.json keeps to its
schema.
"""

import base64
import hashlib
import io
import json
import math
import re
import shutil
from pathlib import Path

import jsonschema
import matplotlib
import numpy as np
import pytest
from PIL import Image
from support.engines import latex
from support.places import ROOT

from reportkit.publishing.aside import STATE
from reportkit.schema import results_schema

EXAMPLE = ROOT / "reports" / "example"
EVALS = ("MGSM", "HumanEval")  # one with clusters, one with ten answers to each question
# Not in the repository, where their hashes stand in manifest.json. Figures as PNG and PDF are
# packed, and Typst's packing may choose other bytes on another processor.
LEFT_OUT = (".png", ".pdf", ".ipynb", "-column.svg")
REMEMBERED = (".reportkit", "history.jsonl")  # for the next build
AGAIN = "run `make example` and look at what changed"
# Of 255: the formats of a figure of the example lie at most 1.2 apart, two figures at least 2.5.
ALIKE = 1.8
NUMBER = re.compile(r"-?\d+\.\d{6,}(?:e-?\d+)?|-?\d+(?:\.\d+)?e-\d+")
# Where things stand in a drawing, to a hundredth of a point: the last bits of a number may round it
# the other way.
PLACE = re.compile(r'(?<=\s)(?:d|points|transform|[xy][12]?|c[xy]|width|height)="[^"]*"')
COORDINATE = re.compile(r"-?\d+(?:\.\d+)?")
PACKED = re.compile(r"(?<=data:image/svg\+xml;base64,)[A-Za-z0-9+/=]+")  # in a page


@pytest.fixture(scope="module")
def built(tmp_path_factory, demo_reports):
    """The demonstration, of which `picture` writes beside the figures."""
    return shutil.copytree(demo_reports, tmp_path_factory.mktemp("example") / "reports")


def files(folder: Path) -> list[str]:
    found = (p for p in folder.rglob("*") if p.is_file() and STATE not in p.parts)
    return sorted(str(p.relative_to(folder)) for p in found)


def kept(folder: Path) -> list[str]:
    names = (name for name in files(folder) if not name.endswith(LEFT_OUT))
    return [name for name in names if name.split("/")[0] not in REMEMBERED]


def manifest(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_example_is_what_a_build_makes(built):
    assert kept(EXAMPLE) == kept(built), AGAIN
    for name in kept(built):
        if Path(name).name == "manifest.json":
            old, new = (manifest((top / name).parent) for top in (EXAMPLE, built))
            assert list(old.pop("outputs")) == list(new.pop("outputs")), f"{name}: {AGAIN}"
            assert old == new, f"{name}: {AGAIN}"
            continue
        old, new = ((top / name).read_text(encoding="utf-8") for top in (EXAMPLE, built))
        if name.endswith((".svg", ".html")):
            old, new = same_places(unpacked(old), unpacked(new), name)
        # Unrounded numbers (results, CSV, what a page sorts by): the last bits depend on the
        # processor's matrix product.
        assert NUMBER.sub("#", old) == NUMBER.sub("#", new), f"{name}: {AGAIN}"
        for a, b in zip(NUMBER.findall(old), NUMBER.findall(new), strict=True):
            assert math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12), name


def unpacked(page: str) -> str:
    return PACKED.sub(lambda found: base64.b64decode(found[0]).decode("utf-8"), page)


def same_places(old: str, new: str, name: str) -> tuple[str, str]:
    """Both texts without the places of their drawings, which agree to a hundredth and a bit."""
    for one, other in zip(PLACE.findall(old), PLACE.findall(new), strict=True):
        assert COORDINATE.sub("#", one) == COORDINATE.sub("#", other), f"{name}: {AGAIN}"
        for a, b in zip(COORDINATE.findall(one), COORDINATE.findall(other), strict=True):
            assert abs(float(a) - float(b)) < 0.011, f"{name}: {AGAIN}"
    return PLACE.sub("#", old), PLACE.sub("#", new)


@pytest.mark.parametrize("name", EVALS)
def test_a_manifest_has_the_hash_of_every_file_that_the_build_left(built, name):
    for top in (built, EXAMPLE):
        outputs = manifest(top / name)["outputs"]
        there = [f for f in files(top / name) if f != "manifest.json"]
        if top == built:
            assert sorted(outputs) == there
        for file in there:
            found = hashlib.sha256((top / name / file).read_bytes()).hexdigest()
            assert outputs[file] == found, f"{top / name / file}: {AGAIN}"


@pytest.mark.parametrize("name", EVALS)
def test_the_figures_that_the_example_leaves_out_have_its_hashes(built, name):
    """Where another processor packs other bytes, they show the picture of the SVG, which is the
    committed one by its hash.
    """
    old, new = manifest(EXAMPLE / name)["outputs"], manifest(built / name)["outputs"]
    figures = [file for file in new if re.fullmatch(r"figures/.*\.(png|pdf)", file)]
    assert len(figures) == 2 * len([file for file in new if file.endswith(".svg")]) > 0
    for file in figures:
        if old[file] != new[file]:
            drawn = str(Path(file).with_suffix(".svg"))
            assert old[drawn] == new[drawn]
            committed = EXAMPLE / name / drawn  # those as wide as a column are left out
            wanted = picture(committed if committed.exists() else built / name / drawn)
            assert far(picture(built / name / file), wanted) < ALIKE, f"{name}/{file}: {AGAIN}"


@pytest.mark.parametrize("kind", ["means", "ranks-column"])
def test_the_pictures_of_a_figure_are_alike_in_all_formats_and_unlike_another(built, kind):
    """What the test above falls back on can tell figures apart, on every machine."""
    folder = built / "MGSM" / "figures"
    svg, pdf, png = (picture(folder / f"{kind}.{form}") for form in ("svg", "pdf", "png"))
    assert far(pdf, svg) < ALIKE and far(png, svg) < ALIKE
    # Of three models and the same size: only numbers, words and bars differ.
    other = built / "HumanEval" / "figures" / f"{kind}.svg"
    assert far(svg, picture(other)) > ALIKE


# those of the figures, whose text is text
FONTS = str(Path(matplotlib.get_data_path(), "fonts", "ttf"))


def picture(path: Path) -> Image.Image:
    """A figure in grey, 150 pixels to the inch as the build draws it, whatever its format."""
    import typst

    if path.suffix == ".png":
        return Image.open(path).convert("L").reduce(2)  # it has 300
    main = path.with_name(f".{path.name}.typ")
    page = "#set page(width: auto, height: auto, margin: 0pt, fill: white)"
    main.write_text(f"{page}\n#image({json.dumps(path.name)})", encoding="utf-8")
    try:
        data = typst.compile(
            str(main), format="png", ppi=150, font_paths=[FONTS], ignore_system_fonts=True
        )
    finally:
        main.unlink()
    return Image.open(io.BytesIO(data)).convert("L")


def far(one: Image.Image, other: Image.Image) -> float:
    """Mean distance of their greys, of 255, seen from so far that no edge of a letter counts; 255
    where their sizes differ by more than rounding.
    """
    if max(abs(a - b) for a, b in zip(one.size, other.size, strict=True)) > 2:
        return 255.0
    small = [np.asarray(p.resize((120, 60), Image.Resampling.BOX), float) for p in (one, other)]
    return float(np.abs(small[0] - small[1]).mean())


def test_the_example_is_light():
    size = sum((EXAMPLE / name).stat().st_size for name in kept(EXAMPLE))
    assert size < 3_000_000  # bytes


def test_results_keep_to_their_schema(built):
    for path in built.glob("*/results.json"):
        jsonschema.validate(json.loads(path.read_text()), results_schema())


@pytest.mark.latex
@pytest.mark.parametrize("report", [*EVALS, "suite"])
def test_latex_sets_a_whole_report(built, report, tmp_path):
    shutil.copytree(built / report, tmp_path / report)
    for run in (1, 2):  # references, and the widths of long tables
        latex("pdflatex", tmp_path / report, "report.tex", settled=run == 2)
