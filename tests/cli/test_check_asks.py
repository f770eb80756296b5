"""What `check` asks about scores that break no rule."""

import pytest
from click.testing import CliRunner

from reportkit.cli import commands

HEAD = "model,question_id,score,error\n"
# 20 questions; B is a copy of A, C answered the first 8 and failed on one of them.
A = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0]
C = [0, 1, 1, 0, 0, 1, 0, 0]


def checked(tmp_path, rows: list[str], *options: str) -> list[str]:
    (tmp_path / "e.csv").write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    arguments = ["check", str(tmp_path / "e.csv"), *options]
    return CliRunner().invoke(commands, arguments, catch_exceptions=False).output.splitlines()


def rows_of(name: str, scores: list[int], errors: int = 0) -> list[str]:
    return [f"{name},q{q},{s},{q < errors}" for q, s in enumerate(scores)]


ROWS = [*rows_of("A", A), *rows_of("B", A), *rows_of("C", C, errors=1)]


def test_the_common_means_stand_beside_each_models_own(tmp_path):
    """A has 11 of 20 right, and 4 of the first 8; C has 3 of 8."""
    lines = checked(tmp_path, ROWS)
    assert "  A: 20 questions; mean 55.0%, on the common questions 50.0%" in lines
    missing = "12 questions missing; mean 37.5%, on the common questions 37.5%"
    assert f"  C: 8 questions; {missing}" in lines
    assert "  8 of 20 questions have a score from every model" in lines


def test_a_model_without_scores_is_not_every_model(tmp_path):
    lines = checked(tmp_path, [*ROWS, *(f"D,q{q},,False" for q in range(20))])
    assert "  8 of 20 questions have a score from every model that has any" in lines


def test_copies_and_failures_that_count_are_doubtful(tmp_path):
    doubtful = [line for line in checked(tmp_path, ROWS) if line.startswith("  doubtful: ")]
    assert len(doubtful) == 2
    assert "A and B have the same score on every one of 20 questions" in doubtful[0]
    assert "Column error is true in 1 of 48 rows with a score" in doubtful[1]
    assert "(C 1)" in doubtful[1] and "--columns zeroed=error" in doubtful[1]
    named = checked(tmp_path, ROWS, "--columns", "zeroed=error")
    assert len([line for line in named if line.startswith("  doubtful: ")]) == 1


def test_sound_scores_are_asked_nothing(tmp_path):
    lines = checked(tmp_path, [*rows_of("A", A), *rows_of("B", A[::-1])])
    assert lines[3:] == ["  ok: no rule is broken", "  A: 20 questions", "  B: 20 questions"]


@pytest.mark.parametrize(("score", "shown"), [("5", "scores are 5;"), ("", "scores are 1 to 5;")])
def test_a_range_of_one_score_prints_once(tmp_path, score, shown):
    lines = checked(tmp_path, [f"A,q{q},{score or q},False" for q in range(1, 6)])
    assert any(shown in line for line in lines)


# alpha and gamma are right or wrong; beta has the same as 0 or 100.
MIXED = [
    *rows_of("alpha", A),
    *rows_of("beta", [100 * (1 - s) for s in A]),
    *rows_of("gamma", A[::-1]),
]


def test_percent_beside_shares_is_doubtful_and_no_range_is_proposed(tmp_path):
    lines = checked(tmp_path, MIXED)
    assert (
        "  doubtful: alpha and gamma have scores within 0 to 1, beta up to 100: percent and shares "
        "may be mixed. If it is percent, divide beta's by 100; if not, declare the range with "
        "--range."
    ) in lines
    assert not any("could have a range" in line for line in lines)
    declared = checked(tmp_path, MIXED, "--range", "0,100")
    assert not any("doubtful" in line for line in declared)


def test_names_that_look_the_same_are_doubtful(tmp_path):
    lines = checked(tmp_path, [*rows_of("alpha", A), *rows_of("alpha ", C), *rows_of("b", C)])
    [doubtful] = [line for line in lines if "differ by case or spaces" in line]
    assert doubtful.startswith("  doubtful: 'alpha' and 'alpha ' differ by case or spaces alone")
    lines = checked(tmp_path, [*rows_of("Alpha", A), *rows_of("alpha", C)], "--models", "alpha")
    assert not any("differ by case" in line for line in lines)
    assert any("'Alpha' and 'alpha'" in line for line in checked(
        tmp_path, [*rows_of("Alpha", A), *rows_of("alpha", C)]
    ))  # fmt: skip
