"""What the text beside a table, and its heads, say of errors and means: nothing is claimed against
it, and nothing on its silence where it may speak of it in other words.
"""

import pytest
from support.published_tables import checked, codes

from reportkit.advised import said
from reportkit.documents.prose.checked import told

# sqrt(.858 * .142 / 4999) is 0.49 points: 1.2 is more than any independent scores have
ROWS = """
| Model | {head} (n=5000) |
|---|---|
| Nimbus | 85.8 (1.2) |
| Heron | 82.7 (1.3) |
{notes}
"""


def of(tmp_path, caption="", head="MyBench", notes="", **options):
    options.setdefault("scale", "percent")
    return checked(
        tmp_path, f"{caption}\n" + ROWS.format(head=head, notes=notes), "t.md", **options
    )


def read_as(c):
    return " ".join(map(said, c.table.read_as))


@pytest.mark.parametrize(
    "caption",
    [
        "Table 2: Accuracy (%), standard errors clustered by document.",
        "Table 2: Accuracy (%) with cluster-robust standard errors in parentheses.",
        "Table 1: Accuracy in % (clustered standard errors in parentheses).",
        "Accuracy (%). Standard errors (in parentheses) are clustered by problem template. "
        "MyBench is the macro average over its 57 subjects.",
        "Standard errors in parentheses are from a bootstrap over documents.",
    ],
)
def test_errors_that_the_caption_says_are_clustered(caption, tmp_path):
    c = of(tmp_path, caption)
    assert codes(c) == [] and all(m.errors == "clustered" for m in c.table.means)
    assert "Errors allow for groups of questions, as the caption says" in read_as(c)
    assert "--errors naive" in read_as(c)
    assert set(codes(of(tmp_path, caption, errors="naive"))) == {"se-maximum"}  # the user knows


def test_errors_that_the_head_says_are_clustered(tmp_path):
    """The same columns with errors of nobody knows what kind do not fit together."""
    rows = "eval,model,n,mean,{}\nMyBench,Nimbus,5000,85.8%,1.2%\n"
    for head in ("SE (clustered by document)", "cluster-robust SE", "SE (cluster bootstrap)"):
        assert codes(checked(tmp_path, rows.format(head))) == [], head
    for head in ("SE", "SE (unclustered)", "SE (not clustered)"):
        assert codes(checked(tmp_path, rows.format(head))) == ["se-maximum"], head


@pytest.mark.parametrize(
    ("caption", "notes"),
    [
        ("Table 2: MyBench is the macro average over its 57 subjects.", ""),
        ("Table 2: Errors are adjusted for shared passages.", ""),
        ("Table 2: Standard errors are clustered in the right column only.", ""),
        ("Table 2: Standard errors are not clustered for Heron.", ""),
        ("Tabel 2: Standardfejl er klyngejusteret.", ""),
        ("Table 2", "\nStandard errors are clustered by document."),
    ],
)
def test_text_that_may_speak_of_groups_makes_a_condition(caption, notes, tmp_path):
    c = of(tmp_path, caption, notes=notes)
    assert [(f.code, f.severity) for f in c.findings] == [("se-maximum", "condition")] * 2
    text = " ".join(told(c, "condition"))
    assert "the text beside the table may say so" in text and "names neither" not in text
    assert "Say --errors clustered if it allows for groups." in text
    assert codes(of(tmp_path, caption, notes=notes, errors="clustered")) == []


def test_only_of_a_table_without_text_it_is_said_that_it_names_neither(tmp_path):
    bare = " ".join(told(of(tmp_path, "Table 2"), "inconsistent"))
    assert "could be larger, and the table names neither. Say --errors clustered if" in bare
    text = " ".join(told(of(tmp_path, "Table 2: Accuracy on MyBench (%)"), "inconsistent"))
    assert "could be larger. Say --errors clustered if" in text and "neither" not in text


def test_the_text_of_another_table_says_nothing_of_this_one(tmp_path):
    two = ROWS.format(head="MyBench", notes="")
    c = checked(
        tmp_path, f"Table 1\n{two}\nTable 2: Errors are adjusted for passages.\n{two}", "t.md",
        scale="percent",
    )  # fmt: skip
    assert {(f.table, f.severity) for f in c.findings} == {
        ("Table 1", "inconsistent"), ("Table 2: Errors are adjusted for passages", "condition"),
    }  # fmt: skip


def test_of_a_known_eval_the_caption_is_not_said_to_be_silent(tmp_path):
    """RACE-H is known to come in groups."""
    silent = of(tmp_path, "Table 2", "RACE-H")
    assert all("the table does not say it" in f.unless for f in silent.of("condition"))
    assert "the table does not say that its errors" in silent.of("note")[0].message
    maybe = of(tmp_path, "Table 2: Errors are adjusted for shared passages.", "RACE-H")
    unread = "the table may say it in the text beside it, which is not read here"
    assert all(unread in f.unless for f in maybe.of("condition"))
    (note,) = maybe.of("note")
    assert (
        "the table may say in the text beside it, which is not read here, that its errors allow "
        "for it. If they do not, they are likely too narrow"
    ) in note.message
    assert codes(of(tmp_path, "Table 1 (clustered standard errors in brackets)", "RACE-H")) == []


def test_an_interval_that_may_allow_for_groups(tmp_path):
    """Clopper and Pearson's of 655 of 1,000 has half of 2.99 points."""
    row = "\n| Eval | Model | n | Mean | 95% CI |\n|---|---|---|---|---|\n"
    row += "| QA | A | 1000 | 65.5% | (60.0%, 71.0%) |\n"
    severity = {}
    for caption in ("Table 2", "Table 2: Intervals are adjusted for shared passages."):
        (f,) = checked(tmp_path, caption + "\n" + row, "t.md").findings
        severity[caption] = f.severity, f.code
    assert list(severity.values()) == [
        ("inconsistent", "interval-wide"), ("condition", "interval-wide"),
    ]  # fmt: skip


# Means of several answers -------------------------------------------------------------------------

SHARES = """
| Model | {head} (n=30) |
|---|---|
| Heron | 63.1 |
"""


def shares(tmp_path, caption, head="AIME", **options):
    text = f"{caption}\n{SHARES.format(head=head)}"
    return checked(tmp_path, text, "t.md", scale="percent", **options)


def test_a_mean_of_several_answers_is_not_held_against_counts(tmp_path):
    """18/30 is 60.0 % and 19/30 is 63.3 %; 1211/1920 is 63.07 % and 303/480 is 63.125 %."""
    assert codes(shares(tmp_path, "Table 5")) == ["mean-count"]
    assert codes(shares(tmp_path, "Table 5: All runs are zero-shot.")) == ["mean-count"]
    for caption in (
        "Table 5: Accuracy, averaged over 5 seeds.",
        "Table 5: pass@1 averaged over 64 samples per problem.",
        "Table 5: mean of three runs",
    ):
        c = shares(tmp_path, caption)
        assert codes(c) == [] and "Means may be of several answers" in read_as(c), caption
        assert codes(shares(tmp_path, caption, scores="binary")) == ["mean-count"], caption


def test_a_name_tells_how_many_answers_each_question_has(tmp_path):
    for head in ("AIME avg@64", "AIME (mean@16)"):
        c = shares(tmp_path, "Table 5", head)
        assert codes(c) == [], head
        assert "answers to each question, as its name says" in read_as(c)
    assert c.table.means[0].answers.value == 16.0
    # 37/60 is 61.7 % and 38/60 is 63.3 %: two answers to each question do not give 63.1 %
    assert codes(shares(tmp_path, "Table 5", "AIME avg@2")) == ["mean-count"]
    assert codes(shares(tmp_path, "Table 5", "AIME pass@1")) == ["mean-count"]
