"""Decisions: one record, and the same decisions by every way that takes them: command line,
notebook, the manifest's command, Python.
"""

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import papermill
import pytest
from click.testing import CliRunner
from papermill.translators import PythonTranslator

import reportkit
from reportkit.analysis import analyse
from reportkit.builds.build import _named, _parameters
from reportkit.cli import commands
from reportkit.decisions import DEFAULTS, PER_EVAL, SPECS, TOGETHER, Decisions
from reportkit.decisions.guide import reference
from reportkit.decisions.prices import prices_text
from reportkit.decisions.ranges import range_text, ranges_of, text_of
from reportkit.decisions.values import published_of, published_text
from reportkit.decisions.words import said_of_evals, words, words_of_several
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.report import Report
from reportkit.report.manifest import as_given, build_command
from reportkit.report.parameters import PARAMETERS, parameters_cell
from reportkit.scores.select import split_names
from reportkit.text.assets import asset

pytestmark = pytest.mark.usefixtures("warm")

EVAL = "MATH"
# Each decision away from its default. One that is added to Decisions has to be added here.
AWAY = {
    "eval": EVAL,
    "models": "Galleon,Dreadnought",
    "baseline": "Dreadnought",
    "metric": "f1",
    "cluster": "topic",
    "better": "lower",
    "range": "f1:0,1",
    "errors": "zero",
    "runs": "pool",
    "match_on": "content_hash",
    "id": "doc.id",
    "category": "Mathematics",
    "level": 0.9,
    "power": 0.9,
    "tables": "posterior,pass",
    "certificate": True,
    "margin": "0.02",
    "weights": "importance",
    "strata": "subject",
    "crossed": "template",
    "positive": "target:yes",
    "covariates": "digits,carry",
    "prior": "jeffreys",
    "seed": 7,
    "theme": "stacked",
    "digits": "2",
    "hide": "shots,metric",
    "csv_text": "raw",
    "name": "MATH 500",
    "metric_name": "EM",
    "published": published_text({"a=b": {"score": 0.5, "source": 'it\'s "so"'}}),
    "prices": prices_text({"a=b; it's": {"input": 3, "output": 15.5, "cache_read": 0.3}}),
    "currency": "EUR",
}
# And those of several evals together, which an eval's own report does not take.
OF_SUITES = {
    "rows": "models",
    "order": "Code,MATH",
    "average": "weights",
    "weight": "2.5",
}
# Values that a shell, [EVAL=]VALUE, Python's source or YAML could take for something else.
HOSTILE = (
    "a=b",
    "=",
    "\\",
    "a\\=b\\",
    "--level",
    'it\'s "so"',
    "$(x) `y`",
    "None",
    "007",
    "ü\u202e{}",
)


def test_every_decision_is_tried():
    away = AWAY | OF_SUITES
    assert set(away) == set(SPECS) == set(DEFAULTS) and set(OF_SUITES) == set(TOGETHER)
    assert [name for name in away if away[name] == DEFAULTS[name]] == []


@pytest.fixture
def taken(monkeypatch):
    """What a command line decides, as `reportkit build` hands it to the build."""
    found: list = []

    def build(scores, *, settings, output, strict, progress, **said):
        found.append((said, settings.decisions.beaten_by(said)))
        raise UnknownNameError("seen")

    monkeypatch.setattr("reportkit.builds.build.build", build)

    def take(words: list[str]) -> tuple[dict, Decisions]:
        done = CliRunner().invoke(commands, words)
        assert isinstance(done.exception, UnknownNameError), done.output
        return found.pop()

    return take


class Asked(Report):
    """A report that stops where its decisions are known."""

    def __init__(self, **parameters):
        self.said = tuple(p for p in parameters if p in SPECS)
        self.decisions = Decisions().beaten_by({name: parameters[name] for name in self.said})


def noted(given: dict) -> Asked:
    """The report of a notebook that papermill has given parameters."""
    injected = PythonTranslator.codify(given)
    assert injected.startswith("# Parameters")
    namespace: dict = {"In": [parameters_cell(), injected]}
    for source in namespace["In"]:
        exec(source, namespace)
    return Asked.from_notebook(namespace)


def round_trip(decisions: dict, eval: str, taken) -> None:
    """Command line -> notebook's parameters -> manifest's command -> command line."""
    given = Decisions(**decisions, eval=eval)
    said, first = taken(["build", *words(eval, given)])
    assert first.of(eval).changed() == given.changed()
    notebook = noted(_parameters(first.of(eval), _named(said, eval)))
    assert notebook.decisions == first.of(eval) == given
    command = build_command(eval, notebook.decisions, notebook.said, as_given([]))
    again, second = taken(shlex.split(command)[1:])
    assert second == first and again == said


@pytest.mark.parametrize("name", AWAY)
def test_each_decision_comes_round(name, taken):
    round_trip({name: AWAY[name]} if name != "eval" else {}, EVAL, taken)


def test_all_decisions_come_round_together(taken):
    round_trip({k: v for k, v in AWAY.items() if k != "eval"}, EVAL, taken)


@pytest.mark.parametrize("evals", [["MATH"], ["MATH", "=", "a=b\\", "--level"]])
def test_the_decisions_of_a_suite_come_round(evals, taken):
    """What is decided for all evals and for each: the manifest's command decides it again."""
    alike = {k: v for k, v in OF_SUITES.items() if k not in PER_EVAL} | {"level": 0.9}
    d = Decisions(**alike)
    own = {
        name: replace(d, eval=name, weight=str(k), published=AWAY["published"], name=f"{k}=")
        for k, name in enumerate(evals)
    }
    _, found = taken(["build", *words_of_several(own, d)])
    assert list(found.parameters()["eval"] if len(evals) > 1 else [found.eval]) == evals
    for name, decided in own.items():
        assert replace(found.of(name), eval=name) == decided


@pytest.mark.parametrize("models", [["a", "b"], ["a", "b,c"], ["a,b", "b"], ["a,b"]])
def test_a_list_of_names_stays_one(models, taken, tmp_path):
    """Where "a,b" is a model too, ["a", "b"] still means a and b."""
    round_trip({"models": models}, EVAL, taken)
    rows = [f'"{m}",{q},1' for m in ("a", "b", "a,b", "b,c") for q in range(3)]
    (tmp_path / "x.csv").write_text("model,question_id,score\n" + "\n".join(rows))
    assert analyse(tmp_path / "x.csv", Decisions(models=models))[0].models == tuple(models)


@pytest.mark.parametrize("text", HOSTILE)
def test_names_come_round_whatever_they_are(text, taken):
    free = [k for k, v in AWAY.items() if isinstance(v, str) and SPECS[k].text is None]
    texts = {k: text for k in free if not SPECS[k].choices}
    texts |= {"range": text_of({text: (-0.5, 100.0)})}  # the name of a metric
    assert ranges_of(texts["range"]) == {text: (-0.5, 100.0)}
    round_trip({k: v for k, v in texts.items() if k != "eval"}, EVAL, taken)
    round_trip({"metric": text, "cluster": "topic"}, text, taken)


def test_what_is_named_at_its_default_comes_round_too(taken):
    """A file may say otherwise, and a notebook of the user's own may have other defaults."""
    said = {k: v for k, v in DEFAULTS.items() if v != ""}
    spoken = words(EVAL, Decisions(), said)
    found, _ = taken(["build", *spoken])
    own = {k: found.get(k, found["evals"][EVAL].get(k)) for k in said}
    assert own == said and "--no-certificate" in spoken


# The record ---------------------------------------------------------------------------------------


def test_values_come_to_their_types():
    """papermill makes a number of a name, and a command gives texts."""
    d = Decisions(eval=7, models=["1e5", 7], baseline=None, level="0.9", seed="3", certificate="no")
    assert (d.eval, d.models, d.baseline, d.level, d.seed, d.certificate) == (
        "7",
        ("1e5", "7"),
        "",
        0.9,
        3,
        False,
    )
    assert Decisions(certificate="True").certificate is True
    json.dumps(d.parameters())


WRONG = {
    "errors = 'zeros' is no choice; did you mean 'zero'?": {"errors": "zeros"},
    "theme = 'fancy' is no choice; there are 'error-bars'": {"theme": "fancy"},
    "level = 95 is no share between 0 and 1: write 95% as 0.95": {"level": 95},
    "power = nan is no share between 0 and 1": {"power": float("nan")},
    "level = 'high' is not a number": {"level": "high"},
    "seed = -1 is no whole number from 0": {"seed": -1},
    "seed = 1.5 is no whole number from 0": {"seed": 1.5},
    "range = '100,0' runs backwards: write 0,100": {"range": "100,0"},
    "range = (5, 5) has two equal ends": {"range": (5, 5)},
    "range = [0, inf] has an end that is not finite": {"range": [0, float("inf")]},
    "range = 'nan,1' has an end that is not finite": {"range": "nan,1"},
    "range = '0-100' is no range; write low and high, such as 0,100": {"range": "0-100"},
    "range = '0,50,100' is no range": {"range": "0,50,100"},
    "range = 100 is no range": {"range": 100},
    "range = True is no range": {"range": True},
    "range = [0, 50, 100] is no range": {"range": [0, 50, 100]},
    "range = '0,2e50' goes beyond 1e+50; use another unit": {"range": "0,2e50"},
    "range = '0,1e-60' is narrower than 1e-50": {"range": "0,1e-60"},
    "range = 'a:0,1;a:0,2' says two ranges of metric 'a'": {"range": "a:0,1;a:0,2"},
    "digits = -1 is no number of decimals: give a whole number from 0 to 15": {"digits": -1},
    "digits = 16 is no number of decimals": {"digits": "16"},
    "weight = 'two' is no weight; give a number from 0, such as 2": {"weight": "two"},
    "weight = -1 is no weight": {"weight": -1},
    "published = 'Z' says no scores; write MODEL:SCORE": {"published": "Z"},
    "published = {'Z': nan} says no scores": {"published": {"Z": float("nan")}},
    "published = {'Z': {'value': 1}} says no scores": {"published": {"Z": {"value": 1}}},
    "published = '{' says no scores": {"published": "{"},
    "published says two scores of 'Z', .5 and .6; leave one out": {"published": "Z:.5; Z: .6"},
    "published says two scores of 'Z', 0.5 and 1; leave": {"published": '{"Z": 0.5, "Z": 1}'},
    "rows = 'eval' is no choice; did you mean 'evals'?": {"rows": "eval"},
    "evals = 'MATH' must say what is decided for each eval": {"evals": "MATH"},
    "runs = 'newest' is no choice": {"evals": {"MATH": {"runs": "newest"}}},
}


@pytest.mark.parametrize("said", WRONG)
def test_a_value_that_a_decision_cannot_have(said):
    with pytest.raises(ScoresError) as caught:
        Decisions(**WRONG[said])
    assert str(caught.value).startswith(said) and "\n" not in str(caught.value)


def test_a_range_is_one_text_however_it_is_written():
    """Two numbers, a text, or a table of metrics; the shortest text of each number comes round."""
    for said in ([0, 100], (0.0, 1e2), "0, 100", "0.0,100.", " 0,1e2 "):
        assert Decisions(range=said).range == "0,100"
    assert Decisions(range={"judge": [1, 10], "f1": [0, 1]}).range == "judge:1,10;f1:0,1"
    assert Decisions(range=[0.1, 0.1 + 0.2]).range == "0.1,0.30000000000000004"
    assert range_text(" none ") == "none" and ranges_of("none") == {}
    assert Decisions(range=None).range == Decisions(range="").range == ""


def test_published_scores_are_one_text_however_they_are_written():
    for said in ({"Z": 0.5, "a:b": 1}, "Z:0.5; a:b:1", '{"Z": 0.5, "a:b": {"score": 1}}'):
        assert published_of(Decisions(published=said).published) == {
            "Z": (0.5, ""),
            "a:b": (1.0, ""),
        }
    assert Decisions(published={}).published == Decisions(published=None).published == ""


def test_a_decision_that_there_is_not():
    with pytest.raises(UnknownNameError, match="no decision 'levle'; did you mean 'level'?"):
        Decisions().beaten_by({"levle": 0.9})
    scores = reportkit.demo_scores([EVAL])
    with pytest.raises(UnknownNameError, match="no decision 'basline'; did you mean 'baseline'?"):
        reportkit.analyse(scores, EVAL, basline="Galleon")
    with pytest.raises(UnknownNameError, match="evals.x: no decision 'level' of an eval"):
        Decisions(evals={"x": {"level": 0.9}})
    with pytest.raises(UnknownNameError, match="no 'evla'; did you mean 'eval'?"):
        reportkit.build(evla=EVAL)


def test_what_comes_before_what():
    """The eval's own name before its name in the logs, a command before the file, for all evals
    where it names none.
    """
    file = Decisions(
        errors="exclude",
        evals={"x": {"errors": "zero", "id": "a"}, "x (version 1)": {"id": "b"}},
    )
    one, two = (file.of(f"x (version {v})", "x") for v in (1, 2))
    assert (one.errors, one.id, two.errors, two.id) == ("zero", "b", "zero", "a")
    assert file.of("y").errors == "exclude" and file.of("y").evals == {}
    said = file.beaten_by({"errors": "exclude", "evals": {"x": {"runs": "first"}}})
    assert said.of("x") == Decisions(errors="exclude", id="a", runs="first")
    assert file.without("errors", "id") == Decisions(evals={"x": {}, "x (version 1)": {}})


def test_what_is_known_of_the_decisions():
    # Section 3 of the design: metric, cluster and better may be of one eval.
    assert {"metric", "cluster", "better"} <= set(PER_EVAL)
    # How a table looks changes no number; all others may.
    looks = {
        "theme",
        "digits",
        "hide",
        "csv_text",
        "name",
        "metric_name",
        "rows",
        "order",
        "published",
    }
    looks |= {"prices", "currency"}
    assert {name for name, spec in SPECS.items() if not spec.changes_numbers} == looks


def test_an_option_of_an_eval_without_a_value_is_refused():
    for text in ("", "MATH="):
        with pytest.raises(ScoresError, match=r"has no value; write \[EVAL=\]FIELD"):
            said_of_evals("cluster", [text])


# What is made from the record ---------------------------------------------------------------------


def test_every_command_has_the_options_of_its_decisions():
    options = {name: {o for p in c.params for o in p.opts} for name, c in commands.commands.items()}
    flags = {name: f"--{name.replace('_', '-')}" for name in SPECS}
    of_scores = {flags[name] for name, spec in SPECS.items() if spec.stage == "scores"}
    for command in ("build", "table"):
        assert set(flags.values()) <= options[command]
    assert options["check"] & set(flags.values()) == of_scores


def test_the_reference_has_a_row_for_each_decision():
    rows = [line.split("`")[1] for line in reference().splitlines()[2:]]
    assert rows == list(SPECS)
    assert {line.count(" | ") for line in reference().splitlines()} == {4}


def test_the_notebook_explains_its_parameters():
    """papermill tells of each a type, a default and a meaning."""
    found = papermill.inspect_notebook(asset("notebooks", "template.ipynb"))
    assert list(found) == list(PARAMETERS)
    for name, told in found.items():
        assert told["inferred_type_name"] == type(PARAMETERS[name]).__name__
        assert told["default"] in (repr(PARAMETERS[name]), f'"{PARAMETERS[name]}"')
        assert len(told["help"]) > 10


# Whole reports ------------------------------------------------------------------------------------


def scores_csv(folder: Path) -> None:
    """Two evals of two models; of x, 12 questions in 4 topics, with a second metric, two failed
    answers, and ids that are positions where `key` tells the questions apart.
    """
    rows = ["eval,model,question_id,score,status,f1,topic,key,weight"]
    for name in ("x", "y"):
        for model, shift in (("A", 0), ("B", 1), ("C", 3)):
            for k in range(12):
                failed = name == "x" and model == "A" and k < 2
                score, status = ("", "error") if failed else ((k * 5 + shift) % 3 % 2, "ok")
                f1 = "" if failed else (k * 7 + shift * 2) % 11 / 10
                rows.append(
                    f"{name},{model},{k},{score},{status},{f1},t{k % 4},k{(k * 5) % 12},{k + 1}"
                )
    (folder / "s.csv").write_text("\n".join(rows) + "\n")


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def build(*arguments: str) -> None:
    done = CliRunner().invoke(commands, ["build", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output


OPTIONS = """--eval x --models C,A --baseline B --metric f1 --cluster x=topic --better x=lower
    --range x=f1:-1,2
    --errors zero --runs latest --id x=key --category Language --level 0.9 --power 0.7
    --tables common,ranks --certificate --seed 5 --margin x=0.05 --weights x=weight
    --strata x=topic --crossed x=key --positive x=topic:t1 --covariates x=weight
    --prior jeffreys --theme ci --digits 2 --hide questions --name x=Ex
    --metric-name x=F1 --rows models --order x --average weights --weight x=2
    --published x=Z:0.5 --prices A:3,15 --currency EUR --csv-text raw"""


def test_the_manifests_command_makes_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores_csv(tmp_path)
    build("s.csv", *shlex.split(OPTIONS), "--formats", "md")
    first = files(tmp_path / "reports" / "x")
    made, manifest = json.loads(first["results.json"]), json.loads(first["manifest.json"])
    # Each was decided, and away from its default.
    parameters = manifest["parameters"]
    changed = {k for k, v in parameters.items() if v != PARAMETERS[k]} - {"eval", "scores"}
    # ids and contents exclude each other
    assert changed == set(SPECS) - {"eval", "match_on", *TOGETHER}
    assert made["report"]["parameters"] == parameters and manifest["seed"] == 5
    [result] = made["evals"]
    assert (result["models"], result["baseline"], result["metric"], result["n_clusters"]) == (
        ["C", "A", "B"],
        "B",
        "f1",
        4,
    )
    # The failed answers of A count as 0, so all 12 of its questions do.
    assert [m["n_questions"] for m in result["means"]] == [12, 12, 12]
    assert {m["level"] for m in result["means"]} == {0.9}
    assert {(round(p["alpha"], 12), p["power"]) for p in result["power"]} == {(0.1, 0.7)}
    assert result["certificates"]
    again = shlex.split(manifest["command"])
    assert again[:2] == ["reportkit", "build"]
    assert again[-2:] == ["--formats", "md"]
    build(*again[2:], "--out", "again")
    assert files(tmp_path / "again" / "x") == first


def test_what_a_file_decides_comes_round_and_the_command_line_beats_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores_csv(tmp_path)
    (tmp_path / "reportkit.toml").write_text(
        'logs = "s.csv"\nlevel = 0.8\ntheme = "pm"\nerrors = "zero"\nmodels = ["A", "B"]\n'
        '[evals.x]\ncluster = "topic"\nbetter = "lower"\nrange = [-1, 1.5]\n'
    )
    build("--eval", "x", "--theme", "error-bars", "--cluster", "none", "--formats", "md")
    first = files(tmp_path / "reports" / "x")
    manifest = json.loads(first["manifest.json"])
    decided = {k: v for k, v in manifest["parameters"].items() if v != PARAMETERS[k]}
    assert decided == {
        "eval": "x",
        "models": ["A", "B"],
        "scores": "s.csv",
        "cluster": "none",
        "better": "lower",
        "range": "-1,1.5",
        "errors": "zero",
        "level": 0.8,
    }
    build(*shlex.split(manifest["command"])[2:], "--out", "again")
    assert files(tmp_path / "again" / "x") == first
    # A notebook run by itself follows the file too.
    report = Report(eval="x", scores="s.csv", theme="error-bars", cluster="none")
    assert report.decisions == Decisions(**{k: v for k, v in decided.items() if k != "scores"})


@pytest.mark.slow
def test_what_papermill_is_given_comes_round(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores_csv(tmp_path)
    template = str(asset("notebooks", "template.ipynb"))
    given = "-p eval x -p scores s.csv -p level 0.9 -p power 0.9 -p better lower -p range 0,2"
    given += " -p out made"
    command = [sys.executable, "-m", "papermill", template, "out.ipynb", *given.split()]
    subprocess.run(command, check=True, capture_output=True)
    alone = files(tmp_path / "made")
    recorded = json.loads(alone["manifest.json"])["command"]
    assert recorded == (
        "reportkit build s.csv --eval x --better x=lower --range x=0,2 --level 0.9 --power 0.9"
    )
    build(*shlex.split(recorded)[2:])
    built = files(tmp_path / "reports" / "x")
    assert set(alone) == set(built)
    # A notebook run by itself is copied while its last cell runs; a build keeps the finished one,
    # so its hash in the manifest is another too.
    assert [n for n in sorted(built) if alone[n] != built[n]] == ["manifest.json", "report.ipynb"]
    ours, theirs = json.loads(alone["manifest.json"]), json.loads(built["manifest.json"])
    assert ours["outputs"].pop("report.ipynb") != theirs["outputs"].pop("report.ipynb")
    assert ours == theirs


def test_names_and_ranges_come_as_arrays_too():
    """What pandas and numpy give: `models=frame["model"].unique()`."""
    named, ends = np.array(["b", "a"]), np.array([0, 100])
    assert Decisions(models=named, range=ends) == Decisions(models=["b", "a"], range=[0, 100])
    assert Decisions(models=pd.Series(named)).models == ("b", "a")
    assert Decisions(models=(m for m in "ba")).models == ("b", "a")
    assert Decisions(models={"b", "a"}).models == ("a", "b")  # a set has no order of its own
    assert Decisions(level=np.float64(0.9)).level == 0.9
    assert split_names(named, ["a", "b"]) == ["b", "a"]
