"""Tables that are made only on request: what is computed, what is refused, and what results.json
and the report hold of it.
"""

import json
from dataclasses import fields, replace

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from support.scores_made import frame_of, result_of

import reportkit
from reportkit.analysis.requested import RECORDS, Refused, Request
from reportkit.cli import commands
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.report import Report
from reportkit.requested import REQUESTED
from reportkit.results import Results
from reportkit.schema import results_schema
from reportkit.tables import KINDS, make_table

# Of 0/1 scores: A is right on 3 of 4 questions, B on 2 of the first 3, the only ones it answered.
RIGHT = np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, np.nan]])
THREE = np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0]])
REPEATED = np.array([[[1, 1, 0], [0, 0, 1]], [[1, 1, 1], [1, 0, 1]]])  # three answers to each


# What a table needs beside scores.
NEEDS = {
    "equivalence": {"margin": 0.05},
    "strata": {"strata": "question_id"},
    "f1": {"positive": "question_id:q0"},
}


def test_a_table_without_records_of_its_own_stops_none_after_it():
    result = result_of(RIGHT, tables="ranks,posterior,certificate,common")
    assert list(result.requested) == ["posterior", "common"]


def made(table: str):
    """The result of an eval that has what the table is made of."""
    if table == "scores-compared":
        both = frame_of(RIGHT).assign(p_correct=0.75)
        return reportkit.analyse(both, "toy", tables=table)[0]
    if table == "clustering-all":
        return result_of(RIGHT, ["p", "p", "q", "q"], tables=table)
    if table == "regression":
        fields = frame_of(RIGHT).assign(carry=[0, 0, 1, 1] * 2)
        return reportkit.analyse(fields, "toy", tables=table, covariates="carry")[0]
    scores = {"pass": REPEATED, "simultaneous": THREE}.get(table, RIGHT)
    return result_of(scores, tables=table, **NEEDS.get(table, {}))


def test_no_answer_is_right_where_lower_scores_are_better():
    """1 is then a wrong answer: no pass@k is made of it, nothing is compared with the chance of
    the right answer, and a posterior names the score that its share is of.
    """
    asked = "pass,posterior"
    result = result_of(REPEATED, tables=asked, better="lower")
    assert result.refused["pass"] == (
        "No pass@k is made, since lower scores are better here, so that 1 is no right answer."
    )
    title = make_table(result, "posterior").title
    assert "shares of answers that score 1 and" in title and "right" not in title
    both = frame_of(RIGHT).assign(p_correct=0.75)
    why = reportkit.analyse(both, "toy", tables="scores-compared", better="lower")[0].refused
    assert why["scores-compared"].startswith("No scores are compared, since lower scores of points")


def json_of(result) -> dict:
    text = json.dumps(Results("toy", "template", {}, (result,)).to_json(), allow_nan=False)
    jsonschema.validate(json.loads(text), results_schema())
    return json.loads(text)["evals"][0]


# What is asked ------------------------------------------------------------------------------------


def test_nothing_is_computed_that_was_not_asked_for():
    result = result_of(RIGHT)
    assert (result.requested, result.refused, result.certificates) == ({}, {}, ())
    assert not {*REQUESTED, "refused", "certificates"} & set(json_of(result))


@pytest.mark.parametrize("empty", [False, True])
def test_a_model_without_a_score_has_not_answered_the_same_questions(empty):
    """A and B answered all four, C none: the sentence speaks of models with a score."""
    scores = np.array([*THREE[:2], np.full(4, np.nan) if empty else THREE[2]])
    said = result_of(scores, tables="common").refused["common"]
    who = "All models with a score" if empty else "All models"
    assert said.startswith(f"{who} answered the same questions, so the means of the report are ")


@pytest.mark.parametrize(
    "said", ["posterior,common", ["common", "posterior"], "common, posterior,"]
)
def test_tables_are_asked_for_in_any_way_to_write_several(said):
    assert Decisions(tables=said).tables == "posterior,common"
    assert list(result_of(RIGHT, tables=said).requested) == ["posterior", "common"]


def test_certificate_is_one_of_the_tables():
    assert Decisions(tables="certificate").asked == Decisions(certificate=True).asked
    both = Decisions(tables="certificate,pass", certificate=True)
    assert both.asked == ("pass", "certificate")
    assert result_of(RIGHT, tables="certificate").certificates


def test_a_table_that_is_none_of_them_is_named():
    with pytest.raises(UnknownNameError, match="'postrior' is none of them; did you mean 'post"):
        Decisions(tables="pass,postrior")
    with pytest.raises(UnknownNameError, match="'means' is none of them"):
        result_of(RIGHT, tables="means")  # every report has it


@pytest.mark.parametrize("name", [k for k, kind in KINDS.items() if not kind.in_reports])
def test_a_table_of_several_evals_says_where_it_is_printed(name):
    with pytest.raises(
        UnknownNameError, match=f"report is of one; print .* `reportkit table {name}`"
    ):
        Decisions(tables=f"pass,{name}")


def test_a_file_asks_for_tables(tmp_path):
    file = tmp_path / "reportkit.toml"
    from reportkit.loading.config import load
    from reportkit.loading.config.keys import ConfigError

    for text in ('"common,pass"', '["pass", "common"]'):
        file.write_text(f"tables = {text}\n")
        assert load(file).decisions.tables == "pass,common"
    file.write_text('tables = ["posterior", "pas"]\n')
    with pytest.raises(ConfigError, match=r"did you mean 'pass'\?"):
        load(file)


# What is made -------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", RECORDS)
def test_records_reach_results_json_and_frames(table):
    result = made(table)
    records = result.requested[table]
    assert records and {type(record) for record in records} == {REQUESTED[table]}
    rows = json_of(result)[table]
    assert len(rows) == len(records)
    assert list(rows[0]) == [f.name for f in fields(REQUESTED[table])]
    frame = result.to_frame(table)
    assert list(frame.columns) == ["eval", "metric", *rows[0]] and len(frame) == len(rows)
    assert set(frame["eval"]) == {"toy"}


def test_joint_rank_sets_reach_results_json_where_they_were_asked_for():
    """With so few questions nothing is ruled out."""
    rows = json_of(result_of(THREE, tables="ranks"))["ranks"]
    assert [(row["model"], row["joint_low"], row["joint_high"]) for row in rows] == [
        (model, 1.0, 3.0) for model in "ABC"
    ]
    assert "ranks" not in json_of(result_of(THREE))


def test_a_model_has_its_new_name_in_the_records_too():
    table = make_table(result_of(RIGHT, tables="common"), "common").with_names({"A": "ours"})
    assert [row[0] for row in table.cells] == ["ours", "B"]


# What is refused ----------------------------------------------------------------------------------

REFUSED = {
    "pass": (RIGHT, "every question has one answer"),
    "common": (RIGHT[:, :3], "answered the same questions"),
    "scores-compared": (RIGHT, "there are no probabilities of the right answers"),
    "strata": (RIGHT, "No strata and no weights are declared; name their field"),
    "simultaneous": (RIGHT, "There are not several comparisons"),
    "equivalence": (RIGHT, "there is no margin; declare the smallest difference that matters"),
    "posterior": (RIGHT * 0.7, "scores have more than two values"),
    "clustering-all": (RIGHT, "none are declared; name the field that groups the questions"),
    "f1": (RIGHT, "it is not said which questions are positive"),
    "regression": (RIGHT, "no fields are named that may make questions hard"),
    "other-methods": (RIGHT[:1], "There is one model, so there is nothing to compare"),
}


@pytest.mark.slow
def test_a_level_that_no_integral_reaches_is_a_sentence():
    scores = np.array([[1.0, 0.0] * 20, [1.0, 1.0, 0.0, 1.0] * 10])
    refused = result_of(scores, tables="posterior", level=1 - 1e-9).refused["posterior"]
    assert refused.startswith("No posterior is made at level 0.999999999, since its ends")


@pytest.mark.parametrize("table", REFUSED)
def test_what_cannot_be_made_is_one_sentence(table, tmp_path):
    scores, why = REFUSED[table]
    result = result_of(scores, tables=table)
    sentence = result.refused[table]
    assert why in sentence and sentence.endswith(".") and sentence.count(". ") == 0
    assert KINDS[table].instead(result) == sentence
    found = json_of(result)
    assert table not in found and found["refused"] == {table: sentence}
    with pytest.raises(ScoresError) as caught:
        make_table(result, table)
    assert str(caught.value) == f"eval 'toy': {sentence}"
    # On the command line: an error, and no table.
    frame_of(scores).to_csv(tmp_path / "toy.csv", index=False)
    done = CliRunner().invoke(commands, ["table", table, str(tmp_path / "toy.csv")])
    assert isinstance(done.exception, ScoresError) and done.stdout == ""


def test_a_result_that_was_not_asked_makes_no_table():
    with pytest.raises(ScoresError, match="was not analysed for table 'posterior'; analyse it wi"):
        make_table(result_of(RIGHT), "posterior")


def test_of_several_evals_those_that_refuse_are_named_below():
    one = result_of(RIGHT, tables="common", eval="one")
    other = result_of(RIGHT[:, :3], tables="common", eval="other")
    third = replace(one, eval="third")
    table = make_table([one, other, third], "common")
    assert [row[0] for row in table.cells] == ["one", "one", "third", "third"]
    assert f"other: {other.refused['common']}" in table.notes
    with pytest.raises(ScoresError, match="eval 'other': All models"):
        make_table([other], "common")


# In a report --------------------------------------------------------------------------------------


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "toy.csv"
    frame_of(RIGHT).to_csv(path, index=False)

    def make(**said) -> Report:
        return Report(eval="toy", scores=str(path), out=str(tmp_path / "out"), **said)

    return make


def shown(report: Report, capsys) -> list[str]:
    """What the cell of the notebook displays, as Markdown."""
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    found: list[str] = []

    class Publisher(DisplayPublisher):
        def publish(self, data, *args, **kwargs):
            found.append(data["text/markdown"])

    before, shell.display_pub = shell.display_pub, Publisher(parent=shell)
    try:
        report.requested()
    finally:
        shell.display_pub = before
        InteractiveShell.clear_instance()
    return found


def test_a_report_shows_nothing_that_was_not_asked_for(report, capsys):
    plain = report()
    assert shown(plain, capsys) == []
    assert plain.table("posterior") is None
    plain.finish(documents=False)
    tables = {p.stem for p in (plain.folder / "tables").iterdir()}
    # what a figure shows has its table aside, where nobody asks for it in the document too
    assert tables == {
        k for k, kind in KINDS.items() if kind.in_reports and (kind.aside or not kind.on_request)
    }


def test_a_report_shows_what_was_asked_for_or_why_not(report, capsys):
    asked = report(tables="posterior,pass")
    heading, posterior, refused = shown(asked, capsys)
    assert heading == "## On request"
    assert "posteriors of the shares" in posterior and "every question has one answer" in refused
    asked.finish(documents=False)
    tables = {p.name for p in (asked.folder / "tables").iterdir()}
    formats = set(reportkit.tables.FORMATS)
    assert {f"posterior.{fmt}" for fmt in formats} <= tables
    assert not any(name.startswith("pass.") for name in tables)
    saved = json.loads((asked.folder / "results.json").read_text(encoding="utf-8"))
    assert list(saved["evals"][0]["refused"]) == ["pass"]


def test_a_notebook_of_ones_own_shows_one_by_its_name(report):
    bundle = report(tables="posterior,pass")
    assert "posteriors" in bundle.table("posterior").bundle["text/markdown"]
    assert "one answer" in bundle.table("pass").bundle["text/markdown"]


def test_the_command_computes_what_it_prints(tmp_path):
    frame_of(RIGHT).to_csv(tmp_path / "toy.csv", index=False)
    words = ["table", "posterior", str(tmp_path / "toy.csv"), "--prior", "jeffreys"]
    done = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert done.exit_code == 0 and "Jeffreys' prior" in done.stdout


# Fields of the questions --------------------------------------------------------------------------


def asked_of(frame, **said) -> Request:
    """The request that analyse hands to a table's function."""
    found: list[Request] = []

    def common(q: Request):
        found.append(q)
        raise Refused("seen")

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RECORDS, "common", common)
        reportkit.analyse(frame, "toy", tables="common", **said)
    return found[0]


def test_a_field_is_told_by_question_in_the_order_of_the_scores():
    frame = frame_of(RIGHT)[::-1].reset_index(drop=True)
    subjects = {"q0": "law", "q1": "art", "q2": "law", "q3": "art"}
    frame = frame.assign(subject=frame["question_id"].map(subjects))
    q = asked_of(frame, strata="subject")
    assert q.scores.questions.tolist() == ["q0", "q1", "q2", "q3"]
    assert q.field(q.decisions.strata, "stratum").tolist() == ["law", "art", "law", "art"]


@pytest.mark.parametrize("decision", ["weights", "strata"])
def test_a_field_that_is_not_there_is_named_where_it_is_decided(decision, tmp_path):
    frame = frame_of(RIGHT).assign(subject="law")
    with pytest.raises(
        ScoresError, match=f"{decision} = 'subjct' is no field of the scores; did y"
    ):
        reportkit.analyse(frame, "toy", **{decision: "subjct"})
    # A build says so before any notebook runs.
    frame.to_csv(tmp_path / "toy.csv", index=False)
    words = ["build", str(tmp_path / "toy.csv"), f"--{decision}", "subjct", "--formats", "md"]
    done = CliRunner().invoke(commands, [*words, "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, ScoresError) and not (tmp_path / "out").exists()
    assert f"{decision} = 'subjct' is no field" in str(done.exception)


def test_a_question_has_one_stratum():
    frame = frame_of(RIGHT)
    two = frame.assign(subject=[f"s{i}" for i in range(len(frame))])
    with pytest.raises(
        ScoresError, match="questions have two values of 'subject', the first is 'q0"
    ):
        asked_of(two).field("subject", "stratum")
    blank = frame.assign(subject=["law"] * 3 + [""] * (len(frame) - 3))
    with pytest.raises(
        ScoresError, match="5 rows have no 'subject'.*every question needs a weight"
    ):
        asked_of(blank).field("subject", "weight")


def test_another_metric_of_the_same_eval():
    frame = frame_of(RIGHT).assign(p_correct=[0.25, 0.5, 0.75, 1.0] * 2)
    other = asked_of(frame).of_metric("p_correct")
    assert other.metric == "p_correct" and other.models == ("A", "B")
    assert other.means[:, 0].tolist() == [0.25, 0.5, 0.75, 1.0]


def test_fields_of_the_questions_are_named_on_the_command_line(tmp_path):
    """A crossed field, a positive value (here with its eval before it) and a covariate."""
    frame = frame_of(RIGHT, ["p", "p", "q", "q"])
    frame = frame.assign(
        template=["x", "y"] * 4, target=["yes", "no"] * 4, carry=["0", "1", "1", "0"] * 2
    )
    frame.to_csv(tmp_path / "toy.csv", index=False)

    def printed(*words: str) -> str:
        done = CliRunner().invoke(
            commands, ["table", words[0], str(tmp_path / "toy.csv"), *words[1:]]
        )
        assert done.exit_code == 0, done.output
        return done.stdout

    crossed = printed("clustering-all", "--crossed", "template")
    assert "and of template, which cross" in crossed
    assert "questions whose target is yes" in printed("f1", "--positive", "toy=target:yes")
    assert "| carry |" in printed("regression", "--covariates", "carry")
