"""What builds remember, compare and add to the history: on disk, without notebooks."""

import json
import shutil
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.nights import Named, build_night, file_of, frame, write_report

from reportkit import read_scores
from reportkit.analysis import analyse
from reportkit.analysis.gone import Lost
from reportkit.analysis.moved import Comparison
from reportkit.builds import run as runs
from reportkit.builds.after import look
from reportkit.builds.build import build
from reportkit.builds.history import read_history
from reportkit.builds.job import Output, Summary
from reportkit.builds.moved import Gate, gate_falls, look_before
from reportkit.builds.rounds import open_build, read_questions, stored
from reportkit.cli import main
from reportkit.documents.moved import to_json, told
from reportkit.errors import ReportkitError, ScoresError
from reportkit.report.outputs import record_outputs
from reportkit.results import Results
from reportkit.scores.frames import scores_of
from reportkit.scores.select import select, slug

MODELS = ("nova", "<b>|*plover*")


def answers(seed=0, fall=0.0, evals=6, n=120):
    """Night by night the same questions, answered by luck; the first model falls by so much."""
    base = np.random.default_rng(11)
    rng = np.random.default_rng(seed)
    found = {}
    for k in range(evals):
        p = np.clip(base.beta(2.0, 1.0, (n, 2)), 0.15, 1.0)
        p[:, 0] -= np.minimum(fall, p[:, 0])
        scores = (rng.random((n, 2)) < p).astype(int)
        found[f"eval {k}"] = {m: scores[:, j] for j, m in enumerate(MODELS)}
    return found


@pytest.fixture
def out(tmp_path):
    return tmp_path / "reports"


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_first_build_is_compared_with_nothing(out):
    summary = build_night(out, frame(answers()))
    assert summary.compared == [] and summary.status == 0
    assert "Moved since" not in (out / "index.html").read_text(encoding="utf-8")


def test_the_same_answers_again_have_not_moved(out):
    build_night(out, frame(answers()))
    [before] = build_night(out, frame(answers())).compared
    assert before.comparison.same and before.against == "the build before"
    assert "Nothing changed." in (out / "index.html").read_text(encoding="utf-8")


def test_a_model_that_fell_is_told_everywhere(out, tmp_path):
    """On the page, in the summary of both kinds, and by the status."""
    build_night(out, frame(answers()))
    page = tmp_path / "ci" / "summary.md"
    fallen = frame(answers(1, fall=0.15))
    summary = build_night(out, fallen, fail_on="regression", summary=str(page))
    [before] = summary.compared
    assert [m.model for m in before.comparison.settled] == ["nova"]
    assert all(m.paired for m in before.comparison.means)
    assert summary.status == 1 and summary.gate.startswith("--fail-on regression: nova against")
    assert "**nova** fell by" in page.read_text(encoding="utf-8")
    assert "<b>nova</b> fell by" in (out / "index.html").read_text(encoding="utf-8")
    again = build_night(out, frame(answers(2, fall=0.15)), summary=str(tmp_path / "s.json"))
    made = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert again.status == 0 and made["compared"][0]["alarms"] == []  # told once
    assert len(made["compared"][0]["means"]) == 12 and made["status"] == 0


@pytest.mark.parametrize("moved", [1, 2])
def test_of_one_change_within_sampling_none_is_called_the_surest(out, moved):
    """One more of 120 right answers, of so many models: 0.8 points, with an SE as large."""
    scores = answers(evals=1)
    build_night(out, frame(scores))
    for model in MODELS[:moved]:
        own = scores["eval 0"][model].copy()
        own[np.flatnonzero(own == 0)[0]] = 1
        scores["eval 0"][model] = own
    [before] = build_night(out, frame(scores)).compared
    [line] = [x for x in before.told.rest if "sampling allows" in x and "changed" in x]
    assert line.startswith(f"{moved} mean{'s' * (moved > 1)} changed by no more than sampling")
    assert ("; the surest: " in line) is (moved > 1)
    assert "nova on eval 0 +0.8" in line


@pytest.mark.slow
def test_a_pinned_build_shows_a_slow_slide(out, tmp_path):
    """Three points a night: no night is an alarm, four nights are."""
    build_night(out, frame(answers()))
    shutil.copytree(out, tmp_path / "v1")
    before, pinned = [], []
    for night in range(1, 5):
        summary = build_night(
            out, frame(answers(night, fall=0.03 * night)), against=str(tmp_path / "v1")
        )
        last, release = summary.compared
        assert release.against == "v1"
        before += last.comparison.settled
        pinned.append([m.model for m in release.comparison.settled])
    assert before == [] and pinned[-1] == ["nova"]


def test_a_copy_without_questions_is_compared_by_its_means(out, tmp_path):
    build_night(out, frame(answers()))
    shutil.copytree(out, tmp_path / "v1", ignore=shutil.ignore_patterns(".reportkit"))
    summary = build_night(out, frame(answers(1)), against=str(tmp_path / "v1"))
    release = summary.compared[1]
    assert not any(m.paired for m in release.comparison.means)
    assert release.told.rest[-1] == (  # of the means, 6 evals by 2 models
        "12 changes are not compared question by question: the old question scores are not known, "
        "or of other questions. Their standard error is that of two separate runs, which is "
        "usually larger: a small change may not be seen."
    )


def test_questions_of_another_build_are_not_used(out):
    """A build that was killed between a report and its questions leaves two that do not belong
    together.
    """
    build_night(out, frame(answers()))
    assert all(read_questions(r.folder) for r in stored(out))
    folder = next(r.folder for r in stored(out) if r.title == "eval 0")
    path = folder / "results.json"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert read_questions(folder) == {}


def test_what_is_kept_may_be_broken_or_gone(out):
    build_night(out, frame(answers()))
    for path in (out / ".reportkit" / "questions").iterdir():
        path.write_bytes(b"no parquet")
    [before] = build_night(out, frame(answers(1))).compared
    assert len(before.comparison.means) == 12
    shutil.rmtree(out / ".reportkit")
    [before] = build_night(out, frame(answers(2))).compared
    assert not any(m.paired for m in before.comparison.means)


def test_question_scores_come_back_as_they_were(out):
    scores = frame({"e": {"a": [1, 0, 1], "b": [0, 0, 1]}}, cluster_id="p")
    more = scores.assign(score=[0, 0, 1, 1, 0, 1], epoch=2)
    one = scores.assign(epoch=1)
    both = pd.concat([one, more[more["model"] == "a"]])
    both["cluster_id"] = both["question_id"].map({"q0": "x", "q1": "x", "q2": "y"})
    build_night(out, both)
    found = read_questions(out / "e")[("e", "score")]
    a, b = (found.models.index(m) for m in "ab")
    assert found.questions.tolist() == ["q0", "q1", "q2"]
    assert found.means[:, a].tolist() == [0.5, 0.0, 1.0]
    assert found.means[:, b].tolist() == [0.0, 0.0, 1.0]
    assert found.counts[:, a].tolist() == [2, 2, 2] and found.counts[:, b].tolist() == [1, 1, 1]
    # (0 - .5)^2 + (1 - .5)^2 over 2 - 1
    assert found.variances[:, a].tolist() == [0.5, 0.0, 0.0] and np.isnan(found.variances[0, b])
    assert found.clusters[0] == found.clusters[1] != found.clusters[2]


def test_evals_that_the_sources_lost_are_told_once(out):
    build_night(out, frame(answers(evals=3)))
    [before] = build_night(out, frame(answers(evals=2))).compared
    assert before.comparison.gone_evals == ("eval 2",)
    [before] = build_night(out, frame(answers(evals=2))).compared
    assert before.comparison.gone_evals == ()


FILE = file_of(slug("eval 2"))
NAME = FILE.removeprefix("in/")
WHY = "column 'score': not a number in 1 of 240 rows: 'X0' (row 4)"


def night_without(out, file, **output):
    """A night on which the file of eval 2 has no scores: skipped, or no longer there."""
    skipped = {file: WHY} if file else {}
    return build_night(out, frame(answers(1, evals=2)), skipped=skipped, **output)


def test_an_eval_that_could_not_be_read_is_not_gone(out, tmp_path):
    """On the terminal, the page and in the summary: which file, and why; each night until it is
    mended, for the gate too.
    """
    build_night(out, frame(answers(evals=3)))
    page = tmp_path / "s.json"
    told = f"eval 2 could not be read: {NAME}: {WHY}"
    for _ in range(2):
        summary = night_without(out, FILE, fail_on="moved", summary=str(page))
        [found] = summary.compared
        assert found.comparison.gone_evals == () and found.told.rest.count(told) == 1
        assert summary.gate == "--fail-on moved: eval 2 could not be read" and summary.status == 1
        [made] = json.loads(page.read_text(encoding="utf-8"))["compared"]
        assert made["not_read"] == [{"eval": "eval 2", "file": NAME, "why": WHY}]
        assert made["gone_evals"] == []
        html = (out / "index.html").read_text(encoding="utf-8")
        assert '<a href="#skipped">1 could not be read</a>: eval 2.' in html
        assert '<section id="skipped">' in html
        assert html.count("could not be read; this is the last good report") == 1
    assert night_without(out, FILE).status == 0  # a skipped file fails no build


def test_a_file_that_was_never_an_evals_leaves_it_gone(out):
    build_night(out, frame(answers(evals=3)))
    [before] = night_without(out, f"elsewhere/{NAME}").compared
    assert before.comparison.gone_evals == ("eval 2",) and before.comparison.not_read == ()


@pytest.mark.parametrize("file", [FILE, ""])
def test_an_eval_that_comes_back_is_compared_question_by_question(out, file):
    """With the last build that had it. One of 120 answers is another: 1/120, and the standard
    error of one change among 120 is as large: sqrt((1/120) (119/120) / 119) = 1/120.
    """
    scores = answers(evals=3)
    build_night(out, frame(scores))
    for _ in range(2):
        night_without(out, file)
    own = scores["eval 2"]["nova"].copy()
    own[np.flatnonzero(own == 0)[0]] = 1
    scores["eval 2"]["nova"] = own
    [before] = build_night(out, frame(scores)).compared
    [m] = [m for m in before.comparison.means if (m.eval, m.model) == ("eval 2", "nova")]
    assert m.paired and m.change == pytest.approx(1 / 120) and m.se == pytest.approx(1 / 120)
    assert not any("question by question" in line for line in before.told.rest)


def test_one_broken_night_of_files_costs_no_pairing(tmp_path, monkeypatch):
    """A whole build, but that the reports are written without notebooks."""

    def execute(job, aside) -> None:
        result, warnings = analyse(read_scores(job.parameters["scores"]), job.evals[0])
        made = Results(job.name, "template", {}, (result,), warnings).to_json()
        (aside / "results.json").write_text(json.dumps(made), encoding="utf-8")
        (aside / "manifest.json").write_text(json.dumps({"fictional": False, "inputs": []}))
        record_outputs(aside)

    monkeypatch.setattr(runs, "write_report", execute)
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name, scores in answers(evals=2).items():
        frame({name: scores}).to_csv(f"in/{name}.csv", index=False)
    file = Path("in/eval 1.csv")
    good = file.read_text()

    def night() -> tuple[Summary, list[str]]:
        done = build(["in"], out="out", fail_on="moved")
        assert done.failures == {}
        return done, [line for c in done.compared for line in c.told.rest]

    night()
    file.write_text(good.replace("nova,q0,", "nova,q0,X"))
    done, told = night()
    assert told[1].startswith("eval 1 could not be read: eval 1.csv: column 'score': not a number")
    assert done.gate == "--fail-on moved: eval 1 could not be read" and len(told) == 2
    file.write_text(good.replace("nova,q0,0", "nova,q0,?").replace("nova,q0,1", "nova,q0,0")
                    .replace("?", "1"))  # fmt: skip
    done, told = night()
    assert done.status == 0 and "nova on eval 1" in told[-1]
    assert "0.8 (0.8) points" in told[-1]  # 1/120, as above


def test_an_eval_that_is_gone_once_more_is_told_once_more(out):
    """It came back as it was, so its report was not made again."""
    build_night(out, frame(answers(evals=3)))
    night_without(out, "")
    summary = Summary(out)
    evals = [f"eval {k}" for k in range(3)]
    look(summary, look_before(summary, [], evals), Output(out=str(out)), lambda name: [])
    [before] = night_without(out, "").compared
    assert before.comparison.gone_evals == ("eval 2",)


def test_a_build_that_lacks_an_eval_and_made_nothing_again_says_so(out):
    build_night(out, frame(answers(evals=3)))
    summary = Summary(out, skipped={FILE: WHY})
    before = look_before(summary, [], ["eval 0", "eval 1"])
    look(summary, before, Output(out=str(out)), lambda name: [])
    [found] = summary.compared
    assert found.told.head.endswith("no report was made again.")
    assert found.told.rest == (f"eval 2 could not be read: {NAME}: {WHY}",)


def test_a_build_of_some_evals_calls_no_other_gone(out):
    build_night(out, frame(answers(evals=3)))
    [before] = build_night(out, frame(answers(evals=1)), whole=False).compared
    assert before.comparison.same and len(before.comparison.means) == 2


def test_a_build_that_made_no_report_again_is_still_compared_with_the_pinned_one(out, tmp_path):
    """An incremental build on the day after: the release is as far away as it was."""
    build_night(out, frame(answers()))
    shutil.copytree(out, tmp_path / "v1")
    build_night(out, frame(answers(1, fall=0.15)))
    output = Output(out=str(out), against=str(tmp_path / "v1"), fail_on="regression")
    summary = Summary(out)
    look(summary, look_before(summary, [], (), output.against), output, lambda name: [])
    before, release = summary.compared
    assert before.comparison.same and "no report was made again" in before.told.head
    assert [m.model for m in release.comparison.settled] == ["nova"] and summary.status == 1


def test_the_suites_copy_of_the_numbers_leaves_a_change_paired(out):
    """The suite has every eval again, without questions, and its folder comes after theirs."""
    first, second = frame(answers()), frame(answers(1, fall=0.15))
    build_night(out, first)
    write_suite(out, first)
    evals = {slug(e): e for e in second["eval"].unique()}
    before = look_before(Summary(out), [Named(n) for n in (*evals, "suite")], [], "")
    summary = Summary(out)
    summary.built = [write_report(out, second, e) for e in evals.values()]
    summary.built.append(write_suite(out, second))
    known = scores_of(second)
    look(summary, before, Output(out=str(out)), lambda name: [select(known, evals[name])])
    [found] = summary.compared
    assert len(found.comparison.means) == 12
    assert all(m.paired for m in found.comparison.means)


def write_suite(out, scores) -> str:
    """A suite's results.json, made of those of its evals."""
    folder = out / "suite"
    folder.mkdir(parents=True, exist_ok=True)
    found = [analyse(scores, e)[0] for e in scores["eval"].unique()]
    made = Results("suite", "suite", {}, tuple(found), ()).to_json()
    (folder / "results.json").write_text(json.dumps(made), encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps({"inputs": []}), encoding="utf-8")
    return "suite"


# --- the gate


def test_the_gate(out):
    build_night(out, frame(answers(fall=0.15)))
    up = frame(answers(1))  # nova is better than it was

    def status(**output):
        folder = out.with_name("trial")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(out, folder)
        return build_night(folder, up, **output).status

    assert status() == status(fail_on="regression") == 0
    assert status(fail_on="moved") == status(fail_on="moved", min_effect=0.1) == 1
    assert status(fail_on="moved", min_effect=0.3) == 0


def test_a_size_in_points_does_not_silence_the_gate(out):
    """2 is meant for 2 points; no share changes by 2, so that nothing would be heard for ever."""
    build_night(out, frame(answers(fall=0.15)))
    summary = build_night(out, frame(answers(1)), fail_on="moved", min_effect=2)
    assert summary.status == 1 and summary.gate.endswith(
        "; shares never change by 2 (--min-effect): write 2 points as 0.02"
    )


def test_the_gate_hears_an_eval_that_fell_while_its_model_rose(out):
    """Its model is the alarm, and better; the eval below it is worse than sampling allows."""
    told = {f"eval {k}": {"nova": np.zeros(120), "b": np.ones(120)} for k in range(6)}
    told["eval 5"] = {"nova": np.ones(120), "b": np.ones(120)}
    build_night(out, frame(told))
    now = {e: {"nova": np.ones(120), "b": np.ones(120)} for e in told}
    now["eval 5"] = {"nova": np.zeros(120), "b": np.ones(120)}
    summary = build_night(out, frame(now), fail_on="regression")
    [found] = summary.compared
    assert [m.eval for m in found.comparison.means if m.beyond and m.worse] == ["eval 5"]
    assert summary.status == 1 and "nova" in summary.gate


def test_the_gate_hears_what_is_gone(out):
    """An eval whose logs are lost is no quiet night, though no number moved."""
    told = answers()
    build_night(out, frame(told))
    left = {name: told[name] for name in told if name != "eval 5"}
    summary = build_night(out, frame(left), fail_on="moved")
    [found] = summary.compared
    assert found.comparison.settled == []
    assert summary.status == 1 and summary.gate == "--fail-on moved: eval 5 is gone"


def test_questions_that_are_gone_are_told_and_heard(out, capsys):
    """A model crashes on what it got wrong: no common question changed, and its mean is 100%."""
    kept = frame(answers())
    build_night(out, kept)
    wrong = (kept["eval"] == "eval 1") & (kept["model"] == "nova") & (kept["score"] == 0)
    before = kept[(kept["eval"] == "eval 1") & (kept["model"] == "nova")]["score"].mean()
    summary = build_night(out, kept[~wrong], fail_on="moved")
    [found] = summary.compared
    told = (
        f"nova on eval 1: {wrong.sum()} of 120 questions have no score now. The mean of all its "
        f"answers was {100 * before:.1f}% and is 100.0%."
    )
    assert told in found.told.rest and "Nothing changed." not in found.told.rest
    assert told in (out / "index.html").read_text(encoding="utf-8")
    gate = f"--fail-on moved: {wrong.sum()} of 120 questions of nova on eval 1 without a score now"
    assert summary.status == 1 and summary.gate == gate


def test_lost_questions_of_many_models_are_one_line():
    each = [Lost("e", "m", f"m{k}", 1, 10, 9, 0.5, 0.55, 0.1, True) for k in range(7)]
    c = Comparison((), (), (), (), (), (), (), (), tuple(each), 0.05)
    assert told(c).rest == (
        "e: 7 models have no score now on questions that had one: m0 1 of 10 (50.0% to 55.0%), "
        "m1 1 of 10 (50.0% to 55.0%), m2 1 of 10 (50.0% to 55.0%), m3 1 of 10 (50.0% to 55.0%), "
        "m4 1 of 10 (50.0% to 55.0%) and 2 more.",
    )
    assert to_json(c)["lost"][0]["n_lost"] == 1


@pytest.mark.parametrize("wrong", [{"fail_on": "mooved"}, {"min_effect": -0.1}])
def test_a_gate_that_there_is_not(wrong):
    with pytest.raises(ReportkitError, match=r"did you mean 'moved'|give 0 or more"):
        Gate(**wrong)


# --- the history


def test_history_has_a_line_for_what_changed_alone(out):
    scores = answers()
    build_night(out, frame(scores))
    first = lines(out / "history.jsonl")
    assert len(first) == 12
    assert set(first[0]) == {
        "when", "eval", "metric", "model", "mean", "se", "n_questions", "version", "inputs",
    }  # fmt: skip
    assert datetime.fromisoformat(first[0]["when"]).tzinfo is not None
    build_night(out, frame(scores))
    assert lines(out / "history.jsonl") == first
    scores["eval 3"]["nova"] = 1 - scores["eval 3"]["nova"]
    build_night(out, frame(scores))
    added = lines(out / "history.jsonl")[12:]
    assert [(p["eval"], p["model"]) for p in added] == [("eval 3", "nova")]
    assert added[0]["mean"] == pytest.approx(float(scores["eval 3"]["nova"].mean()))


def test_half_a_line_of_a_killed_build_harms_nothing(out):
    build_night(out, frame(answers()))
    path = out / "history.jsonl"
    with open(path, "ab") as file:
        file.write(b'{"when": "2026')
    assert len(read_history(out)) == 12
    build_night(out, frame(answers(1)))
    text = path.read_text(encoding="utf-8")
    assert '{"when": "2026\n{' in text  # as it was, with its line ended
    assert len(read_history(out)) == 24


# --- diff


def test_diff_prints_text_markdown_and_json(out, tmp_path, capsys):
    build_night(out, frame(answers()))
    shutil.copytree(out, tmp_path / "old")
    build_night(out, frame(answers(1, fall=0.15)))
    old, new = str(tmp_path / "old"), str(out)

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main(["diff", *words])
        return ended.value.code, capsys.readouterr()

    status, told = run(old, new)
    assert status == 0 and told.out.count("nova: fell by") == 1
    status, told = run(old, new, "--format", "md", "--fail-on", "moved")
    assert status == 1 and "- **nova** fell by" in told.out and "--fail-on moved" in told.err
    status, told = run(old, new, "--format", "json", "--fail-on", "moved", "--min-effect", "0.5")
    made = json.loads(told.out)
    assert status == 0 and [a["model"] for a in made["alarms"]] == ["nova"]
    assert [m["model"] for m in made["models"]] == list(MODELS)
    folder = next(r.folder for r in stored(out) if r.title == "eval 1")
    status, told = run(str(folder), str(folder / "results.json"))
    assert status == 0 and "Nothing changed." in told.out
    status, told = run(old, str(tmp_path / "nowhere"))
    assert status == 2 and "no report is there" in told.err


def test_hostile_names_stay_names(out, tmp_path):
    build_night(out, frame(answers()))
    scores = answers(1)
    for of in scores.values():
        of[MODELS[1]] = np.zeros(120, int)
    page = tmp_path / "s.md"
    build_night(out, frame(scores), summary=str(page))
    html = (out / "index.html").read_text(encoding="utf-8")
    assert "<b>&lt;b&gt;|*plover*</b> fell by" in html
    assert r"**&lt;b&gt;&#124;\*plover\*** fell by" in page.read_text(encoding="utf-8")


def test_a_folder_without_reports_is_no_build(tmp_path):
    with pytest.raises(ScoresError, match="no report is there"):
        open_build(tmp_path)
    (tmp_path / "results.json").write_text('{"evals": [], "format": "other"}', encoding="utf-8")
    with pytest.raises(ScoresError, match="no report is there"):
        open_build(tmp_path / "results.json")


def test_a_suites_report_does_not_count_twice(out):
    build_night(out, frame(answers(evals=2)))
    shutil.copytree(stored(out)[0].folder, out / "suite")
    assert [r.eval for r in open_build(out)] == ["eval 0", "eval 1"]


@pytest.mark.parametrize(("gone", "more"), [(3, ""), (5, " and 2 more")])
def test_the_gate_names_three_and_counts_the_others(gone, more):
    names = [f"eval e{i} is gone" for i in range(gone)]
    gate = SimpleNamespace(
        fail_on="gone", alarms=lambda c: (), gone=lambda c: names, meant_points=bool
    )
    text = gate_falls(gate, [SimpleNamespace(comparison=None, against="before")])
    assert text == f"--fail-on gone: {', '.join(names[:3])}{more}"
