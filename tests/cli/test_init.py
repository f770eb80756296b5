"""reportkit init: a file that says what is there, and proposes what could be decided."""

import json
import re
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from support.lm_eval_logs import line, write

from reportkit.cli import commands, main
from reportkit.cli.starter import quoted
from reportkit.loading.config import load

HOSTILE = ['a"b\\c', "line\nbreak", "tab\there", "\x7f\x1b[31m", "é中🦉", "#x = 1", "a.b c", "'''"]


def run(*words: str) -> str:
    done = CliRunner().invoke(commands, ["init", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def without_marks(text: str) -> str:
    """The file with every proposal taken."""
    return re.sub(r"(?m)^#(?! )", "", text)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(**more) -> pd.DataFrame:
    rows = [
        {"model": m, "question_id": f"q{q}", "score": 1 + (q + k) % 9, "passage": f"p{q // 4}"}
        for k, m in enumerate(("A", "org/model-7b"))
        for q in range(20)
    ]
    return pd.DataFrame(rows).assign(**more)


def test_the_file_builds_as_it_is_and_with_every_proposal_taken(folder):
    (folder / "logs").mkdir()
    scores().to_csv(folder / "logs" / "judged.csv", index=False)
    assert "reportkit.toml is written" in run()
    text = Path("reportkit.toml").read_text()
    settings = load()
    assert settings.sources == ("logs",) and settings.out == "reports"
    assert tomllib.loads(text)["evals"] == {"judged": {}}
    taken = without_marks(text)
    # 20 questions in groups of four; scores of 1 to 9 fit 1 to 10; proposed in these words
    assert tomllib.loads(taken)["evals"]["judged"] == {"cluster": "passage", "range": [1, 10]}
    assert tomllib.loads(taken)["baseline"] == "A"
    assert tomllib.loads(taken)["aliases"] == {"A": "A", "org/model-7b": "org/model-7b"}
    Path("reportkit.toml").write_text(taken)
    done = CliRunner().invoke(commands, ["table", "means", "--format", "csv"])
    assert done.exit_code == 0 and "org/model-7b" in done.output, done.output


def test_several_runs_are_a_choice_that_the_file_names(folder):
    for stamp, last in (("2026-01-03T03-04-05.0", 1.0), ("2026-01-04T03-04-05.0", 0.0)):
        write(folder / "logs", "sums", [line(0), line(1), line(2, last)], stamp=stamp)
    scores().to_csv(folder / "logs" / "judged.csv", index=False)
    run()
    text = Path("reportkit.toml").read_text()
    section = text[text.index("[evals.sums]") :]
    assert "has 2 full runs" in section and '#runs = "latest"' in section
    assert tomllib.loads(without_marks(text))["evals"]["sums"]["runs"] == "latest"


def test_where_every_eval_waits_for_a_choice_the_file_still_is_written(folder):
    """As after the second night of a schedule that began without a choice."""
    for stamp, last in (("2026-01-03T03-04-05.0", 1.0), ("2026-01-04T03-04-05.0", 0.0)):
        write(folder / "logs", "sums", [line(0), line(1), line(2, last)], stamp=stamp)
    run()
    text = Path("reportkit.toml").read_text()
    assert "full runs" in text and '#runs = "latest"' in text and "3 questions, 1 model" in text
    assert tomllib.loads(without_marks(text))["evals"]["sums"]["runs"] == "latest"


def test_a_file_that_is_there_is_never_changed(folder, capsys):
    Path("reportkit.toml").write_text("level = 0.9\n")
    with pytest.raises(SystemExit) as ended:
        main(["init"])
    assert ended.value.code == 2
    assert "reportkit.toml: is there already; choose another file" in capsys.readouterr().err
    assert Path("reportkit.toml").read_text() == "level = 0.9\n"


def test_nothing_to_read_is_a_sentence(folder, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["init"])
    assert ended.value.code == 2 and "name the logs or scores" in capsys.readouterr().err
    assert not Path("reportkit.toml").exists()


def test_paths_are_seen_from_the_file(folder):
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    scores().to_csv("in/judged.csv", index=False)
    run("in/judged.csv", "--to", "out/r.toml")
    assert tomllib.loads(Path("out/r.toml").read_text())["logs"] == ["../in/judged.csv"]
    assert load("out/r.toml").sources == ("out/../in/judged.csv",)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_data(folder, name):
    frame = scores(eval=name)
    frame["model"] = frame["model"].where(frame["model"] != "A", name)
    frame.to_parquet("s.parquet")
    run("s.parquet")
    text = Path("reportkit.toml").read_text()
    told = tomllib.loads(text)
    assert list(told["evals"]) == [name] and set(told) == {"logs", "out", "evals", "aliases"}
    assert name in tomllib.loads(without_marks(text))["aliases"]
    assert tomllib.loads(f"x = {quoted(name)}")["x"] == name


def test_columns_that_the_command_names_are_in_the_file(folder):
    scores().rename(columns={"question_id": "prompt"}).to_csv("s.csv", index=False)
    run("s.csv", "--columns", "question_id=prompt")
    assert load().layouts.columns == {"question_id": "prompt"}


def test_a_layout_is_learned_from_a_file_shown_and_written(folder):
    """The shape of tau2's results, with words of ours."""
    runs = [
        {"task_id": k, "trial": t, "reward_info": {"reward": float(k % 2)}}
        for k in range(6)
        for t in range(2)
    ]
    document = {"info": {"agent_info": {"llm": "ours"}}, "simulations": runs}
    Path("run.json").write_text(json.dumps(document, indent=1))
    told = run("run.json")
    assert "learned from run.json" in told and '"rows": "simulations[*]"' in told
    assert "eval run, model ours, question_id 0, epoch 0, score 0.0" in told and "12 rows" in told
    [layout] = tomllib.loads(Path("reportkit.toml").read_text())["layouts"]
    assert layout["columns"] == {
        "model": "$.info.agent_info.llm",
        "question_id": "task_id",
        "score": "reward_info.reward",
        "epoch": "trial",
    }
    done = CliRunner().invoke(commands, ["table", "means", "--format", "csv"])
    assert done.exit_code == 0 and ",ours,0.5," in done.output, done.output


def test_words_and_other_columns_are_learned_from_a_table(folder):
    Path("hand.csv").write_text("LLM,Task_ID,passed\nA,q1,yes\nA,q2,no\n")
    assert '"words": {"yes": 1.0, "no": 0.0}' in run("hand.csv")
    settings = load()
    assert settings.layouts.of("hand.csv").columns["score"] == "passed"
