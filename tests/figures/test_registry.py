"""The registry of figures against all that offers a choice of figures, and a figure by itself."""

import json
import re

import pytest
from support.figure_records import HOSTILE, figure, result
from support.places import ROOT

from reportkit.errors import OutputError, UnknownNameError
from reportkit.figures import FORMATS, KINDS
from reportkit.results import EvalResult


def test_the_notebook_shows_every_kind_of_a_report_once():
    notebook = json.loads((ROOT / "notebooks" / "template.ipynb").read_text(encoding="utf-8"))
    code = "".join("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code")
    always = [kind for kind, record in KINDS.items() if not record.on_request]
    assert sorted(re.findall(r"report\.figure\(\"(\w+)\"", code)) == sorted(always)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_a_module_of_its_name_with_its_words(kind):
    record = KINDS[kind]
    parts = [record.draw, record.title, record.alt]
    if record.several:
        parts += [record.several.draw, record.several.title, record.several.rows]
    assert {part.__module__ for part in parts} == {f"reportkit.figures.{kind}"}


def test_a_new_kind_is_one_line_of_the_registry(monkeypatch):
    """Every choice asks the registry, so a kind that is added there is drawn and has its words. On
    request no report has it.
    """
    mean = KINDS["means"]

    def title(of: EvalResult) -> str:
        return f"A new figure of {of.eval}"

    new = type(mean)(mean.draw, title, mean.alt, on_request=True)
    monkeypatch.setitem(KINDS, "new", new)
    test_the_notebook_shows_every_kind_of_a_report_once()
    made = figure(result(fictional=True), "new", "column")
    assert (made.name, made.title) == ("new-column", "A new figure of MATH; fictional data.")
    with pytest.raises(UnknownNameError, match="'new'"):
        figure(result(), "xyz")


# A figure shows itself ----------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_end_of_a_path_decides_the_format(tmp_path, suffix):
    made = figure(result(), "means")
    for name in (f"means.{suffix}", f"v1.2.{suffix.upper()}"):
        path = made.save(str(tmp_path / name))
        assert path == tmp_path / name and path.read_bytes() == getattr(made, suffix)


@pytest.mark.parametrize(("name", "shown"), [("means.jpg", ".jpg"), ("means", "")])
def test_another_format_is_refused_with_the_formats_there_are(tmp_path, name, shown):
    with pytest.raises(UnknownNameError) as refused:
        figure(result(), "means").save(tmp_path / name)
    assert str(refused.value) == (
        f"{tmp_path / name}: a figure has no format {shown!r}; end the path in .svg, .pdf or .png"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match="means.svg: cannot be written: No such file"):
        figure(result(), "means").save(tmp_path / "none" / "means.svg")


def test_a_figure_prints_as_its_name_and_title():
    assert repr(figure(result(), "means", "column")) == (
        "<Figure means-column: MATH: mean score of each model. 95% intervals: Student's t; metric: "
        "match; 100 questions, 4 answers to each.>"
    )


def test_a_notebook_shows_the_picture_with_its_words_and_names_stay_text():
    from IPython.core.formatters import DisplayFormatter

    made = figure(result(HOSTILE, eval="$x <&>"), "means")
    data, metadata = DisplayFormatter().format(made)
    assert set(data) == {"text/html", "image/png", "text/plain"}
    assert (data["image/png"], metadata["image/png"]) == (made.png, {"alt": made.alt})
    html = data["text/html"]
    assert '<img src="data:image/svg+xml;base64,' in html and "&lt;script&gt;" in html
    assert "<script" not in html and "$x &lt;&amp;&gt;: mean score of each model." in html
