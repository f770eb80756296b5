"""Marks behind the names of models, such as † and *, in a published table."""

import pytest
from support.published_tables import checked, codes


def two(first: str, second: str, mean: str = "60.0%") -> str:
    """Two tables, the first with one eval, the second with the same and one more."""
    return f"""Table 1

| Eval | {first} | Heron |
|---|---|---|
| QA | 60.0% | 50.0% |

Table 2

| Eval | n | {second} | Heron |
|---|---|---|---|
| QA | 500 | {mean} | 50.0% |
| QB | 500 | 70.0% | 50.0% |
"""


def models(c):
    return sorted({m.model for m in c.table.means})


@pytest.mark.parametrize("marked", ["Nimbus†", "Nimbus \\*", "Nimbus¹", "Nimbus<sup>‡</sup>",
                                    "Nimbus (ours)", "**Nimbus**†", "Nimbus^*",
                                    "Nimbus[^1]"])  # fmt: skip
def test_a_name_with_a_mark_in_one_table_and_without_in_another_is_one_model(marked, tmp_path):
    for text in (two(marked, "Nimbus"), two("Nimbus", marked)):
        c = checked(tmp_path, text, "t.md")
        assert models(c) == ["Heron", "Nimbus"] and codes(c) == []
        [said] = [s for s in c.table.read_as if "mark" in s]
        assert said.startswith("Nimbus") and " is read as Nimbus, " in said


def test_a_mark_in_every_table_stays_in_the_name(tmp_path):
    assert models(checked(tmp_path, two("Nimbus†", "Nimbus†"), "t.md")) == ["Heron", "Nimbus†"]


def test_names_that_one_table_tells_apart_are_two_models_in_every_table(tmp_path):
    """o1 and o1* in one table, o1* alone in the other."""
    text = two("o1", "o1*").replace("| Heron |", "| o1 |", 2).replace("| o1 | o1 |", "| o1 | o3 |")
    c = checked(tmp_path, text, "t.md")
    assert {"o1", "o1*"} < set(models(c))
    assert not any("mark" in s for s in c.table.read_as)


def test_what_differs_behind_a_mark_holds_under_a_condition(tmp_path):
    """60.0% and 61.0% of one name contradict each other; a mark may say that one is another run."""
    c = checked(tmp_path, two("Nimbus", "Nimbus", "61.0%"), "t.md")
    assert codes(c, "inconsistent") == ["mean-twice"]
    c = checked(tmp_path, two("Nimbus", "Nimbus†", "61.0%"), "t.md")
    assert codes(c, "condition") == ["mean-twice"] and codes(c, "inconsistent") == []
    assert c.findings[0].unless.startswith("the mark behind the model's name")


def test_a_difference_within_one_table_does_not_hide_behind_a_mark(tmp_path):
    """60.0 - 50.0 is +10.0 and not +5.0, whatever the mark says of the run."""
    text = two("Nimbus†", "Nimbus").replace("| Heron |\n|---|---|---|\n| QA | 60.0% | 50.0% |",
        "| Heron | Difference |\n|---|---|---|---|\n| QA | 60.0% | 50.0% | +5.0% |")  # fmt: skip
    c = checked(tmp_path, text, "t.md")
    assert codes(c, "inconsistent") == ["difference-means"]
    assert "the difference 5.0 points is neither" in c.findings[0].message
    assert "(+10.0 points) nor" in c.findings[0].message
