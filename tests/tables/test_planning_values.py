"""Every head, cell and number of the tables of a plan. The records are made here, each number
another one; the cells are written by hand.
"""

import math
from dataclasses import replace

import pytest
from support.plans import plan

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import (
    Answers,
    Cheapest,
    Found,
    Gap,
    Known,
    Layout,
    Need,
    Other,
    PilotFacts,
)
from reportkit.analysis.planning.basis import Shape, Variances
from reportkit.analysis.planning.limits import Limits
from reportkit.analysis.planning.public import public_evals
from reportkit.analysis.planning.reasons import TOO_MANY, Reason
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.tables.planning import PLANNING, plan_table, planning_json
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import findings, methods_sentence
from reportkit.tables.planning.words import limits_words, power_of, words_of
from reportkit.text.left_open import rounded

NAN, DASH = math.nan, "\N{EM DASH}"
ASKED = {
    "difference": 0.03, "comparisons": 3, "cost_question": 2.0, "cost_answer": 0.1,
    "cost_cluster": 5.0, "cluster_size": 4, "epochs": 2,
}  # fmt: skip
NEED = Need(
    difference=0.03, epochs_a=2.0, epochs_b=2.0, questions=1204.0, clusters=301.0, low=812.0,
    high=2304.0, adjusted=1604.0, adjusted_clusters=401.0, equation=1187.0, cost=4394.6,
    adjusted_cost=5854.6,  # 4394.6 * 1604 / 1204: whole clusters of 4
    adjusted_low=1082.0, adjusted_high=3068.0,
)  # fmt: skip
FOUND = Found(
    questions=1204.0, clusters=301.0, detectable=0.02987, adjusted=0.03456, equation=0.02912,
    power=0.8123, power_adjusted=0.65, power_equation=0.83, cost=4394.6,
)  # fmt: skip
PLAN = Planned(
    asked=asked_of(ASKED),
    known=(
        Known("mean", 0.7123, "given"),
        Known("correlation", 0.4567, "public evals", 0.31, 0.59),
        Known("noise", 0.2345, "pilot"),
        Known("mean of gpt", 0.6543, "pilot"),
        Known("epochs", 2.0, "default"),
        Known("omega2", 0.012345, "given"),
    ),
    shape=Shape(2.0, 2.0, 4.0),
    variances=Variances(0.11, 0.05, 0.06),
    percent=True,
    width=1.0,
    need=NEED,
    needs=(
        NEED,
        replace(NEED, difference=0.05, questions=456.0, clusters=114.0, low=NAN, high=NAN,
                adjusted=604.0, equation=441.0, cost=1664.4, least=True,
                adjusted_low=NAN, adjusted_high=NAN),
        replace(NEED, difference=0.001, questions=NAN, clusters=NAN, low=NAN, high=NAN,
                adjusted=NAN, equation=NAN, cost=NAN, reason=TOO_MANY,
                adjusted_low=NAN, adjusted_high=NAN),
    ),
    found=FOUND,
    founds=(
        replace(FOUND, questions=600.0, clusters=150.0, detectable=0.0433, adjusted=0.0501,
                equation=0.0412, power=0.5123, cost=2190.0),
        FOUND,
        replace(FOUND, questions=20.0, clusters=5.0, detectable=NAN, adjusted=NAN, equation=0.22,
                power=NAN, cost=73.0, reason=Reason("too few")),
    ),
    answers=(
        Answers("", 1.0, 1.0, 0.2212, 0.0367, 1504.0, 376.0, 5188.8, low=1010.0, high=2901.0),
        Answers("", 3.0, 2.0, 0.1534, 0.0288, 1104.0, 276.0, 4140.0, best=True),
        Answers("no limit", math.inf, math.inf, 0.11, 0.0245, 804.0, 201.0, NAN),
        Answers("next-token probabilities", math.inf, math.inf, 0.1091, 0.0241, 796.0, 199.0,
                2786.4),
        Answers("", 9.0, 9.0, NAN, NAN, NAN, NAN, NAN, reason=Reason("noise is not known")),
    ),
    share_epochs=6.0,
    layouts=(
        Layout(1.0, 703.0, 703.0, 5202.2),
        Layout(4.0, 1204.0, 301.0, 4394.6, asked=True),
        Layout(20.0, NAN, NAN, NAN, reason=Reason("cannot be reached: too alike", kind="never")),
    ),
    best_size=3.0,
    cheapest=(
        Cheapest(0.015, 3.0, 3.0, 4404.0, 1101.0, 16955.4),
        Cheapest(0.03, 2.0, 2.0, 1204.0, 301.0, 4394.6),
        Cheapest(0.006, NAN, NAN, NAN, NAN, NAN, reason=Reason("too many")),
    ),
    others=(
        Other("equivalence", 1312.0, 328.0, 1290.0),
        Other("non-inferiority", 948.0, 237.0, 930.0),
        Other("unpaired", 2312.0, 578.0, 2290.0),
    ),
    gaps=(Gap("A", "B", 0.0412, 655.0, True), Gap("B", "C", 0.0123, math.inf, False)),
    within=None,
    for_each=Cheapest(0.03, 4.0, 3.0, 1304.0, 326.0, 5150.8),  # 1304 (2 + .7) + 326 5
    test="t",
    limits=Limits(33, 9, math.inf),
)  # fmt: skip

COLUMNS = {
    "planning-known": [
        (
            "What",
            [
                "Expected score",
                "Correlation of the models' scores",
                "Share of one answer's variance that is answer noise",
                "Score of gpt",
                "Answers to each question, the first model",
                "Variance of the true difference (ω²)",
            ],
        ),
        ("Value", ["71.2%", "0.46", "23%", "65.4%", "2", "0.012345"]),
        ("From", ["given", "public evals", "the pilot", "the pilot", "assumed", "given"]),
        ("Range", ["", "0.31 to 0.59", "", "", "", ""]),
    ],
    "planning-differences": [
        ("Difference (points)", ["3", "5", "0.1"]),
        ("Questions", ["1,204 (812 to 2,310)", "456", "cannot be reached"]),
        ("Clusters", ["301", "114", DASH]),
        ("For each of 3", ["1,604 (1,080 to 3,070)", "604", DASH]),
        ("By formula", ["1,187", "441", DASH]),
        ("Cost", ["4,395", "1,664", DASH]),
    ],
    "planning-sizes": [
        ("Questions", ["600", "1,204", "20"]),
        ("Clusters", ["150", "301", "5"]),
        ("Detectable difference (points)", ["4.3", "3.0", DASH]),
        ("For each of 3", ["5.0", "3.5", DASH]),
        ("By equation 10", ["4.1", "2.9", "22.0"]),
        ("Power for 3 points", ["51%", "81%", DASH]),
        ("Cost", ["2,190", "4,395", "73.0"]),
    ],
    "planning-epochs": [
        ("Answers", ["1", "3, 2", "no limit", "next-token probabilities"]),
        ("Variance", ["0.221", "0.153", "0.110", "0.109"]),
        ("Found by 1,204 (points)", ["3.7", "2.9", "2.5", "2.4"]),
        ("Questions for 3 points", ["1,504 (1,010 to 2,910)", "1,104", "804", "796"]),
        ("Clusters", ["376", "276", "201", "199"]),
        ("Cost", ["5,189", "4,140", DASH, "2,786"]),
    ],
    "planning-clusters": [
        ("Questions in a cluster", ["1", "4", "20"]),
        ("Clusters", ["703", "301", "cannot be reached"]),
        ("Questions", ["703", "1,204", "cannot be reached"]),
        ("Cost", ["5,202", "4,395", DASH]),
    ],
    "planning-costs": [
        ("Difference (points)", ["1.5", "3.0", "0.6"]),
        ("Answers", ["3", "2", DASH]),
        ("Questions", ["4,404", "1,204", DASH]),
        ("Clusters", ["1,101", "301", DASH]),
        ("Cost", ["16,955", "4,395", DASH]),
    ],
    "planning-gaps": [
        ("Model", ["A", "B"]),
        ("The next", ["B", "C"]),
        ("Gap (points)", ["4.1", "1.2"]),
        ("Can be shown", ["yes", "no"]),
        ("Questions for it", ["655", "cannot be reached"]),
    ],
}

# The records of each table, and of columns with numbers the field that stands there unrounded: it
# has the column's name, or the one that is said.
FIELDS = {
    "planning-known": ("known", "value"),
    "planning-differences": ("needs", "difference questions clusters adjusted equation cost"),
    "planning-sizes": (
        "founds", "questions clusters detectable adjusted equation power cost",
    ),
    "planning-epochs": ("answers", "variance detectable questions clusters cost"),
    "planning-clusters": ("layouts", "size:cluster_size clusters questions cost"),
    "planning-costs": ("cheapest", "difference epochs:epochs_a questions clusters cost"),
    "planning-gaps": ("gaps", "difference needed"),
}  # fmt: skip
# Cells in bold: what is asked for, the plan's questions and clusters, the least cost.
BOLD = {
    "planning-differences": {(0, "difference")},
    "planning-sizes": {(1, "questions")},
    "planning-epochs": {(1, "cost")},
    "planning-clusters": {(1, "size"), (1, "cost")},
    "planning-costs": {(1, "difference")},
}
NOTES = {
    "planning-known": [
        "Range of the correlation: the quartiles of what public evals show",
        "Answer noise: Within / (Between + Within) of the table of variance, over the models.",
        "Correlation: no more is assumed than 90% of what answer noise leaves", "Give your own.",
    ],
    "planning-differences": [
        "At a two-sided level of 5% and 80% power.", "By formula: equation 9 of Miller 2024",
        "In brackets: the same at the upper and the lower quartile of the correlations",
        "5 points: fewer questions are not planned.",
        f"0.1 points: {TOO_MANY}.",
    ],
    "planning-sizes": ["At a two-sided level of 5% and 80% power.", f"{DASH}: too few."],
    "planning-epochs": [
        "Answers: to each question", "No limit: ", "Next-token probabilities: ",
        "Bold: the least cost of all numbers of answers, shown or not; next-token probabilities",
        "Two numbers: answers of the first model, then of the second model.",
        "All numbers are for one comparison.",
        "More answers: noise is not known.",
    ],
    "planning-clusters": [
        "At a two-sided level of 5% and 80% power.",
        "Fewer than 9 clusters are not planned.",
        "Bold: the planned size and the least cost.",
        "All numbers are for one comparison.",
        "Clusters of 20 cannot be reached: too alike.",
    ],
    "planning-costs": [
        "At a two-sided level of 5% and 80% power.",
        "Planned were 1 to 64 answers, and numbers near the formula's.",
        "All numbers are for one comparison.",
        "0.6 points: not known, as too many.",
    ],
    "planning-gaps": ["1,204 questions find 3.0 points at 80% power. Can be shown: "],
}  # fmt: skip
TITLES = {
    "planning-known": "What the plan for 3 percentage points rests on.",
    "planning-differences": "Questions needed by the difference to be found.",
    "planning-sizes": "What numbers of questions find.",
    "planning-epochs": "What more answers to each question buy.",
    "planning-clusters": "Clusters for a difference of 3 percentage points.",
    "planning-costs": "The cheapest design for each difference.",
    "planning-gaps": "What gaps between models need.",
}
# What stands in the place of a table, by what the plan lacks.
INSTEAD = {
    "planning-epochs": ({"variances": Variances(0.2, NAN, NAN)}, "What more answers to each"),
    "planning-clusters": ({"layouts": ()}, "The plan has no clusters: cluster_size is 1."),
    "planning-costs": ({"cheapest": ()}, "No costs were given"),
    "planning-gaps": ({"gaps": ()}, "Give the scores of current models, such as published = "),
}


def test_no_table_is_forgotten():
    others = {"planning", "planning-public"}
    assert PLANNING.keys() - others == COLUMNS.keys() == FIELDS.keys() == NOTES.keys()


@pytest.mark.parametrize("name", COLUMNS)
def test_each_column(name):
    table = plan_table(PLAN, name)
    assert (table.name, table.title) == (name, TITLES[name])
    columns = list(zip(*table.cells, strict=True))
    heads = [c.head for c in table.columns]
    assert [(h, list(c)) for h, c in zip(heads, columns, strict=True)] == COLUMNS[name]
    where, said = FIELDS[name]
    fields = {key: field or key for key, _, field in (one.partition(":") for one in said.split())}
    records = getattr(PLAN, where)[: len(table.cells)]
    for k, column in enumerate(table.columns):
        numbers = [NAN if row[k] is None else row[k] for row in table.values]
        expected = [getattr(r, fields[column.key]) for r in records] if column.key in fields else []
        assert numbers == pytest.approx(expected or [NAN] * len(records), nan_ok=True)
    keys = [c.key for c in table.columns]
    assert {(row, keys[k]) for row, k in table.bold} == BOLD.get(name, set())


@pytest.mark.parametrize("name", NOTES)
def test_each_note(name):
    notes = plan_table(PLAN, name).notes
    assert len(notes) == len(NOTES[name])
    for note, begins in zip(notes, NOTES[name], strict=True):
        assert note.startswith(begins)


@pytest.mark.parametrize("name", INSTEAD)
def test_a_table_without_anything_to_say_is_its_reason(name):
    lacks, why = INSTEAD[name]
    table = plan_table(replace(PLAN, **lacks), name)
    assert (table.name, table.cells) == (name, ()) and table.title.startswith(why)


def test_columns_that_a_plan_has_nothing_for():
    """One comparison, no clusters and no costs."""
    plain = replace(
        PLAN,
        asked=asked_of({"difference": 0.03}),
        shape=Shape(),
        needs=tuple(replace(n, cost=NAN) for n in PLAN.needs),
        founds=tuple(replace(f, cost=NAN) for f in PLAN.founds),
        answers=tuple(replace(a, cost=NAN) for a in PLAN.answers),
    )
    keys = {n: [c.key for c in plan_table(plain, n).columns] for n in COLUMNS}
    assert keys["planning-differences"] == ["difference", "questions", "equation"]
    assert keys["planning-sizes"] == ["questions", "detectable", "equation", "power"]
    assert keys["planning-epochs"] == ["answers", "variance", "detectable", "questions"]


def test_the_note_on_answers_tells_of_rows_that_are_there():
    """Where omega^2 is not known no limit is shown, and none is explained."""
    few = tuple(a for a in PLAN.answers if not a.name)
    for answers, told_of in ((PLAN.answers, True), (few, False)):
        notes = " ".join(plan_table(replace(PLAN, answers=answers), "planning-epochs").notes)
        assert ("No limit: " in notes) is told_of


@pytest.mark.slow
def test_the_cheapest_design_says_how_to_plan_it():
    """The first answer and the sentence for a methods section are of the answers that are given."""
    head, answer = "Answers to each question that cost least", "For a plan of this design, give "
    asked = {"difference": 0.05, "mean": 0.8, "cost_question": 5.0, "cost_answer": 0.1}
    p = plan(**asked)
    best = next(a for a in p.answers if a.best)
    (row,) = [t for t in told(p) if t.question == head]
    k = f"{best.epochs_a:g}"
    assert f" {answer}epochs = {k}. " in row.assumes
    p = plan(**asked, cost_answer_b=10.0)
    best = next(a for a in p.answers if a.best)
    assert best.epochs_a != best.epochs_b
    (row,) = [t for t in told(p) if t.question == head]
    assert f"{answer}epochs = {best.epochs_a:g} and epochs_b = {best.epochs_b:g}. " in row.assumes
    p = plan(**asked, cost_answer_b=10.0, epochs=best.epochs_a, epochs_b=best.epochs_b)
    (row,) = [t for t in told(p) if t.question == head]
    assert answer not in row.assumes


def test_designs_beside_a_pilot_of_one_answer_say_that_they_have_no_more():
    note = "Planned were as many answers as the pilot has: what more would leave is not known."
    nan = math.nan
    unknown = replace(PLAN.variances, sigma2_a=nan, sigma2_b=nan)
    assert note in plan_table(replace(PLAN, variances=unknown), "planning-costs").notes
    assert note not in plan_table(PLAN, "planning-costs").notes


def test_public_evals():
    """The medians of each eval, as public_evals.toml has them."""
    table = plan_table(PLAN, "planning-public")
    assert [c.head for c in table.columns] == [
        "Eval", "Questions", "Models", "Correlation", "Noise", "Cluster size", "ICC", "Gap",
        "Scores", "Repository",
    ]  # fmt: skip
    for e, cells, values in zip(public_evals(), table.cells, table.values, strict=True):
        assert (cells[0], *cells[8:]) == (e.name, e.scores, e.repository)
        assert cells[1:3] == (f"{e.questions:,}", str(e.models))
        medians = [x[1] if x else None for x in (e.correlation, e.noise, e.icc, e.gap)]
        texts = [DASH if x is None else x for x in medians]
        assert cells[5] == (f"{e.cluster_size:,.1f}" if e.icc else DASH)  # 6.0, as 132.2 beside it
        shown = [cells[3], cells[4], cells[6], cells[7]]
        for text, median, digits in zip(shown, texts, (2, 0, 2, 3), strict=True):
            if median == DASH:
                assert text == DASH
            elif digits:
                assert float(text) == pytest.approx(median, abs=0.5001 * 10**-digits)
            else:
                assert float(text.rstrip("%")) / 100 == pytest.approx(median, abs=0.00501)
        assert [values[k] for k in (3, 4, 6, 7)] == medians
        assert (values[1], values[2]) == (e.questions, e.models)


def test_json_has_each_record_and_each_answer():
    found = planning_json(PLAN)
    assert found["asked"]["difference"] == 0.03 and found["asked"]["comparisons"] == 3
    assert found["needs"][1]["questions"] == 456.0 and found["needs"][2]["questions"] is None
    assert found["founds"][0]["power"] == 0.5123 and found["gaps"][1]["needed"] is None
    assert not {"curves", "epochs_curve"} & found.keys() and found["methods"]
    for one in found["told"]:
        assert one.keys() == {"question", "answer", "formula", "assumes", "value"}


def test_each_answer():
    assert [(t.answer, t.value) for t in told(PLAN)] == [
        ("1,204 (812 to 2,310) questions, in 301 clusters of 4", 1204.0),
        ("4,395 (2,964 to 8,432)", 4394.6),  # 3.65 for each of 812 and of 2,310 questions
        (
            # 3.65 for each of 1,080 and of 3,070 questions
            "1,604 (1,080 to 3,070) questions in 401 clusters of 4; costs 5,855 (3,942 to 11,206) "
            "for the two models of a comparison",
            1604.0,
        ),
        ("3.0 points; 3.5 points for each of 3 comparisons", 0.02987),
        ("81%; 65% for each of 3 comparisons", 0.8123),
        (
            "3 answers of the first model and 2 of the second model to each of 1,104 questions in "
            "276 clusters of 4; costs 4,140",
            3.0,
        ),
        (
            "4 answers of the first model and 3 of the second model to each of 1,304 questions in "
            "326 clusters of 4; costs 5,151 for the two models of a comparison",
            4.0,
        ),
        ("2.5 points", 0.0245),
        ("796 questions in 199 clusters of 4, 34% fewer", 796.0),  # 1 - 796 / 1204
        ("301 clusters of 4 questions; 3 questions in each would cost least", 301.0),
        ("1,312 questions, in 328 clusters of 4", 1312.0),
        ("948 questions, in 237 clusters of 4", 948.0),
        ("2,312 questions, in 578 clusters of 4", 2312.0),
    ]
    gives = {t.question: t.assumes.rpartition("gives ")[2] for t in told(PLAN)}
    head = "Questions to find a difference of 3 points, with 2 answers to each, for one comparison"
    assert gives[head].startswith("1,187.")
    assert gives["Smallest difference that 1,204 questions find"] == "2.9 points."
    assert gives["Power of 1,204 questions for a difference of 3 points"] == "83%."
    own = "Questions for each model, where each answers its own, for 3 points"
    assert gives[own].startswith("2,290.")
    assert gives[own].endswith("each needs 1,108 fewer.")  # 2,312 - 1,204


def test_the_sentence_for_a_methods_section():
    sentence = methods_sentence(PLAN)
    for part in (
        "We planned 1,604 questions in 401 clusters of 4, 2 answers to each",
        "at a two-sided level of 1.67% (5%, Bonferroni over 3 comparisons)",  # 5% / 3
        "a true difference of 3 percentage points with 80% power",
        "an expected score of 71.23%, a correlation of 0.46, 23% answer noise and ω² = 0.01235",
        "(Miller 2024, eq. 9, with the degrees of freedom of the test and the variance at the",
    ):
        assert part in sentence


def test_the_sentence_says_where_each_value_is_from():
    """0.43 is the median correlation of the table of public evals; 50 questions those of FACTS."""
    known = (Known("correlation", 0.43, "public evals", 0.40, 0.52), Known("noise", 0.7, "pilot"))
    few = replace(FACTS, df=NAN)  # of a pilot beside which something was given
    assert methods_sentence(replace(PLAN, known=known, pilot=few)).endswith(
        "for a correlation of 0.43 (the median of public evals) and 70% answer noise (a pilot of "
        "50 questions); between the quartiles of public evals 1,080 to 3,070 questions (Miller "
        "2024, eq. 9, with the degrees of freedom of the test and the variance at the difference; "
        "reportkit)."
    )


def test_the_sentence_names_the_formula_that_the_table_shows():
    """Of McNemar's test that is Connor's, which knows no degrees of freedom."""
    plan = replace(PLAN, test="mcnemar", shape=Shape())
    assert "(Connor 1987)" in told(plan)[0].formula
    assert "McNemar's test" in methods_sentence(plan)
    assert methods_sentence(plan).endswith(
        "(Connor 1987, with the share of questions that tell such models apart; reportkit)."
    )


NEEDS = (
    "It takes 1,604 (1,080 to 3,070) questions, in 401 clusters of 4, with 2 answers to each, to "
    "find a true difference of 3 percentage points with 80% power in each of 3 comparisons that "
    "share a two-sided level of 5%; that costs 5,855 (3,942 to 11,206) for the two models of a "
    "comparison. One comparison alone takes 1,204 (812 to 2,310) questions in 301 clusters of 4; "
    "that costs 4,395 (2,964 to 8,432)."
)
BRACKETS = "In brackets are the numbers between the quartiles of public evals."
GAPS = "Of the 2 gaps between models next to each other, 1,204 questions can show 1."


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ([True], "1,204 questions can show the gap of %s between the two models."),
        ([False], "1,204 questions cannot show the gap of %s between the two models."),
        ([False] * 2, "Of the 2 gaps between models next to each other, 1,204 questions can show "
         "none."),
    ],
)  # fmt: skip
def test_gaps_in_words(of, said):
    gaps = tuple(replace(PLAN.gaps[0], difference=0.025, shown=shown) for shown in of)
    said = said.replace("%s", "2.5 points")
    assert f" {said} " in findings(replace(PLAN, gaps=gaps))


def test_of_a_gap_that_no_number_is_known_for_nothing_is_said():
    """ "The gap cannot be shown with — questions" was said, and "no" stood beside it. A gap of
    nothing needs no number of questions: that it cannot be shown is known.
    """
    why = Reason("few clusters hold most of the pilot's questions")
    found = replace(PLAN.found, questions=NAN, detectable=NAN, reason=Reason("none"))
    gaps = (Gap("A", "B", 0.0412, NAN, False), Gap("B", "C", 0.0, NAN, False))
    plan = replace(PLAN, found=found, gaps=gaps, need=replace(PLAN.need, reason=why))
    assert "gap" not in findings(plan) and DASH not in findings(plan)
    table = plan_table(plan, "planning-gaps")
    keys = [c.key for c in table.columns]
    assert [row[keys.index("shown")] for row in table.cells] == [DASH, "no"]
    of_nothing = f"Questions for it, {DASH}: no number of questions shows a gap of 0."
    assert table.notes[-1] == of_nothing
    assert of_nothing not in plan_table(replace(plan, gaps=gaps[:1]), "planning-gaps").notes
    assert of_nothing not in plan_table(PLAN, "planning-gaps").notes
    assert table.notes[0].startswith(f"{DASH}: {why}. Can be shown: a true gap of this size would "
                                     "be found with 80% power.")  # fmt: skip
    known = plan_table(replace(plan, found=PLAN.found), "planning-gaps").notes[0]
    assert known.startswith(f"1,204 questions find 3.0 points at 80% power. {DASH}: not known. Can")


def test_one_reason_is_said_once():
    """It stood behind each difference. Clusters of 41.67 questions had digits that say nothing."""
    needs = tuple(replace(n, reason=Reason("too few")) for n in PLAN.needs[:2])
    assert "3 points, 5 points: too few." in plan_table(replace(PLAN, needs=needs),
                                                        "planning-differences").notes  # fmt: skip


def test_rows_of_too_few_clusters_have_one_reason():
    """100 and 200 questions are 2.4 and 4.8 clusters of 41.7; each row had a reason of its own."""
    asked = {"difference": 0.05, "mean": 0.8, "cluster_size": 125 / 3, "icc": 0.05}
    notes = plan_table(plan(asked_of(asked)), "planning-sizes").notes
    assert notes[-1] == (
        f"{DASH}: no power is stated for fewer than 8 clusters, and so few questions in clusters "
        "of 41.7 are fewer."
    )


def test_a_gap_of_nothing_is_none():
    even = (replace(PLAN.gaps[0], difference=0.0, shown=False),)
    assert "have the same score, so that there is no gap to find." in findings(
        replace(PLAN, gaps=even)
    )


def test_findings():
    assert findings(PLAN) == (
        f"{NEEDS} {BRACKETS} {GAPS} The cheapest design for one comparison is 3 answers of "
        "the first model and 2 of the second model to each of 1,104 questions in 276 clusters of "
        "4: it costs 4,140, which saves 6%. For a plan of this design, give epochs = 3 and "
        "epochs_b = 2. For each of 3 comparisons it is 4 answers of the first model and 3 of the "
        "second model to each of 1,304 questions in 326 clusters of 4, which costs 5,151 for the "
        "two models of a comparison."
    )


def test_findings_of_an_eval_that_has_600_questions():
    found = replace(FOUND, questions=600.0, clusters=150.0, detectable=0.0433, adjusted=0.0501,
                    power=0.5123, cost=2190.0)  # fmt: skip
    within = Cheapest(0.03, 8.0, 7.0, 592.0, 148.0, 2412.3)
    limited = replace(PLAN, asked=asked_of({**ASKED, "questions": 600}), found=found, within=within)
    assert findings(limited).startswith(
        "With 80% power, the smallest difference that 600 questions find is 4.3 percentage points "
        "(5.0 percentage points for each of 3 comparisons that share the level); their power for a "
        "true difference of 3 percentage points is 51%; they cost 2,190. "
        f"{GAPS.replace('1,204', '600')} Of the designs with no more than 600 questions, the "
        "cheapest that finds the difference for one comparison is 8 answers of the first model and "
        "7 of the second model to each of 592 questions in 148 clusters of 4: it costs 2,412. For "
        f"a plan of this design, give epochs = 8 and epochs_b = 7. {NEEDS}"
    )
    # with more power than the cheapest design, more cost is no waste: nothing is saved
    sure = replace(limited, found=replace(found, power=0.98, cost=4380.0))
    assert ": it costs 2,412. For a plan" in findings(sure) and "saves" not in findings(sure)
    answers = {t.question: (t.answer, t.value) for t in told(limited)}
    assert answers["What 600 questions cost"] == ("2,190", 2190.0)
    head = "Cheapest design with no more than 600 questions that finds 3 points for one comparison"
    assert answers[head] == (
        "8 answers of the first model and 7 of the second model to each of 592 questions in 148 "
        "clusters of 4; costs 2,412", 8.0,
    )  # fmt: skip
    assert "We use 600 questions in 150 clusters of 4, " in methods_sentence(limited)
    free = replace(limited, within=replace(within, cost=NAN))
    assert (
        "With 8 answers of the first model and 7 of the second model to each, 592 questions in 148 "
        "clusters of 4 find 3 points. For a plan of this design, give epochs = 8 and epochs_b = 7."
    ) in findings(free)
    none = Cheapest(0.03, NAN, NAN, NAN, NAN, NAN, Reason("600 questions do not find it"))
    said = (
        "Whether more answers to each find it with these questions is not known: 600 questions do "
        "not find it."
    )
    assert said in findings(replace(limited, within=none))


FACTS = PilotFacts(
    eval="e", models=("A", "B"), n_questions=50, n_clusters=50, clustered=False, single=False,
    df=38.5, factor_low=0.5, factor_high=1.7, omega2=0.1, sigma2_a=0.05, sigma2_b=0.06,
    omega2_printed=0.11, sigma2_printed_a=0.04, sigma2_printed_b=0.05, questions_low=700.0,
    questions_corrected=1100.0, questions_high=2100.0, questions_printed=1150.0,
    fictional=False,
)  # fmt: skip


def test_a_pilot_in_the_sentence_for_a_methods_section():
    plan = replace(PLAN, pilot=FACTS, asked=asked_of({**ASKED, "comparisons": 1}))
    shows = "from a pilot of 50 questions with 23% answer noise"  # 0.2345 of PLAN
    leaves = f"with 80% power, {shows} (95% range: 812 to 2,310 questions) (Miller"
    assert leaves in methods_sentence(plan)
    leaves = f"{shows} (95% range: 1,080 to 3,070 questions) (Miller 2024"
    assert leaves in methods_sentence(replace(plan, asked=PLAN.asked))
    single = methods_sentence(replace(plan, shape=Shape(1.0, 1.0, 4.0)))
    assert "answer noise" not in single  # which nothing in it then rests on


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (
            {"test": "mcnemar"},
            "So models 3 points apart are taken to differ in fewer questions than "
            "models further apart; the pilot's are 5.8 points apart.",
        ),
        (
            {"test": "t"},
            "So the difference of models 3 points apart is taken to vary less than that of "
            "models further apart; the pilot's are 5.8 points apart.",
        ),
        (
            {"percent": False, "width": 1.0},
            "The number before the brackets allows for this uncertainty.",
        ),  # no end of the scale
    ],
)
def test_what_the_range_of_a_pilot_takes_for_granted(of, said):
    """Models that differ in as many questions as the pilot's, though by less, are found more
    seldom: the words say what is assumed.
    """
    pilot = replace(FACTS, apart=0.0583)
    assumes = told(replace(PLAN, pilot=pilot, **of))[0].assumes
    assert "The pilot's 50 questions show a variance; the true one may be from 0.50 to" in assumes
    assert "0.50 to 1.70 times as large (95% range)" in assumes
    assert assumes.endswith(said)


def test_decimals_follow_the_smallest_difference():
    """3 points and 3.0; 0.3 points and 0.30; 0.03 points and 0.030."""
    for difference, digits in ((0.03, 1), (0.003, 2), (0.0003, 3)):
        plan = replace(PLAN, asked=asked_of({"difference": difference}))
        assert words_of(plan).digits == digits


def test_a_difference_beyond_what_is_planned_has_a_power_of_at_least_so_much():
    """As if no more than 2 points were planned, where 3 are asked for."""
    need = replace(NEED, least=True, adjusted_least=True)
    beyond = replace(PLAN, limits=Limits(33, 9, 0.02), need=need)
    limit = (
        "A difference of more than 2.0 points gets the questions of 2.0 points, and is found at "
        "least as often. How scores vary so far from the expected score, which is near an end of "
        "the scale, is not known."
    )
    assert limit in plan_table(beyond, "planning-differences").notes
    answers = {t.question: t for t in told(beyond)}
    head = "Questions to find a difference of 3 points, with 2 answers to each, for one comparison"
    assert answers[head].assumes.endswith(f" {limit}")
    assert answers[head].answer.endswith(", those of 2.0 points")
    power = answers["Power of 1,204 questions for a difference of 3 points"].answer
    assert power == "81% or more; 65% or more for each of 3 comparisons"
    cells = [row[-2] for row in plan_table(beyond, "planning-sizes").cells]
    assert cells == ["51% or more", "81% or more", DASH]
    assert power_of(beyond, 0.999) == "over 99%"  # which says as much
    assert "a true difference of 3 percentage points with at least 80% power" in findings(beyond)
    assert "3 percentage points with at least 80% power, for" in methods_sentence(beyond)


def test_what_rests_on_answer_noise_that_is_assumed_has_a_wide_range_and_says_so():
    """Its upper end is that of no answer noise, where more answers gain nothing."""
    said = {"difference": 0.04, "mean": 0.8, "cost_question": 6, "cost_answer": 0.01}
    heads = ("Answers to each question that cost least",
             "With next-token probabilities in place of sampled answers")  # fmt: skip
    for noise, marked in (({}, True), ({"noise": 0.3}, False)):
        made = plan(asked_of(said | noise), None, Decisions())
        answers = {t.question: t for t in told(made)}
        every = " ".join(t.assumes for t in told(made))
        assert every.count("answer noise is assumed, and decides this") == marked  # once
        for head in heads:
            range_ = answers[head].answer.split("(")[1].split(")")[0]
            upper = int(range_.split(" to ")[1].replace(",", ""))
            assert (upper == rounded(made.answers[0].high)) is marked
        notes = " ".join(plan_table(made, "planning-epochs").notes)
        assert ("answer noise is assumed" in notes) is marked
        sources = {row[0]: row[2] for row in plan_table(made, "planning-known").cells}
        source = sources["Share of one answer's variance that is answer noise"]
        assert source == ("assumed" if marked else "given")


def test_what_is_not_planned_is_said_of_the_plan_or_of_one_difference():
    """456 questions in 114 clusters are more than the fewest of the plan, 33 in 9."""
    need = next(n for n in PLAN.needs if n.least)
    own = "5 points: fewer questions are not planned."
    whole = "Fewer than 33 questions, or 9 clusters, are not planned."
    fewest = replace(need, questions=36.0, clusters=9.0)
    assert limits_words(PLAN, [need]) == own and limits_words(PLAN, [fewest]) == whole
    assert limits_words(PLAN, [fewest, need]) == f"{whole} {own}"
