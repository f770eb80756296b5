"""Shapes that no report has are refused with their figure, before they cost minutes."""

import pandas as pd
import pytest

from reportkit.cli import main
from reportkit.loading.evals import MOST_EVALS
from reportkit.scores.select import MOST_MODELS


def written(path, **columns):
    pd.DataFrame({"question_id": "q", "score": 1, **columns}).to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize("command", [["check"], ["table", "means"], ["build"]])
def test_too_many_evals_or_models_are_refused(command, tmp_path, monkeypatch, capfd):
    """By one over the limit; a column taken for another is the usual reason."""
    monkeypatch.chdir(tmp_path)
    evals = written("evals.csv", eval=[f"e{k}" for k in range(MOST_EVALS + 1)], model="m")
    models = written("models.csv", eval="e", model=[f"m{k}" for k in range(MOST_MODELS + 1)])
    for file, told in (
        (evals, "holds 1,001 evals, such as 'e0'; at most 1,000 are taken at a time"),
        (models, "has 501 models, such as 'm0'; at most 500 are compared"),
    ):
        with pytest.raises(SystemExit) as ended:
            main([*command, file])
        assert ended.value.code == 2
        assert told in "".join(capfd.readouterr())


def test_of_many_evals_each_is_told_as_by_itself(tmp_path, capsys):
    """One of them breaks a rule, one has two clusters for a question, one has no score."""
    rows = [(f"e{k}", m, f"q{q}", k % 2, f"c{q}") for k in range(6) for m in "AB" for q in range(3)]
    table = pd.DataFrame(rows, columns=["eval", "model", "question_id", "score", "cluster_id"])
    table = pd.concat([table, table[table["eval"] == "e1"].head(1)])
    table.loc[(table["eval"] == "e2") & (table["model"] == "B"), "cluster_id"] = "other"
    table.loc[table["eval"] == "e4", "score"] = float("nan")
    table = table.sample(frac=1, random_state=1)
    path = written(tmp_path / "all.csv", **{c: table[c].to_numpy() for c in table.columns})
    told = checked(path, capsys)
    for name in table["eval"].unique():
        assert "\n".join(checked(path, capsys, "--eval", name)) in "\n".join(told)
    assert sum("BROKEN" in line for line in told) == 3


def checked(path, capsys, *options):
    """What check says of the evals."""
    with pytest.raises(SystemExit):
        main(["check", path, *options])
    return capsys.readouterr().out.strip().splitlines()


def test_of_many_columns_the_first_are_named(tmp_path, capsys):
    further = {f"c{k:02d}": ["a", "a", "b"] * 2 for k in range(23)}
    path = written(
        tmp_path / "wide.csv", model=list("AAABBB"), **{"question_id": list("xyz") * 2}, **further
    )
    [line] = [line for line in checked(path, capsys) if "could be clusters" in line]
    assert line.count("(2 groups)") == 20
    assert "c19 (2 groups) and 3 more fields; declare one" in line
