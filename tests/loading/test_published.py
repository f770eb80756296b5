"""A published table in a file: every way to print it gives the same records; mistakes are named."""

import pytest
from support.published_tables import refusal

from reportkit.advised import said
from reportkit.analysis import analyse
from reportkit.errors import ReportkitError
from reportkit.loading.demo import demo_scores
from reportkit.loading.published import read_published
from reportkit.loading.published.eval_names import scale_in, with_bare_size
from reportkit.loading.published.heads import read_head
from reportkit.loading.published.numbers import has_decimal_comma, read_cell
from reportkit.published import PERCENT, SHARE, Printed
from reportkit.tables import make_table
from reportkit.tables.writers.render import render_table


def read(folder, text, name="table.csv", **said):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_published(path, said)[0]


def numbers(m):
    """What a row says, without how it is written."""
    found = {k: getattr(m, k) for k in ("mean", "n", "se", "low", "high")}
    return {k: (v.value, v.step) for k, v in found.items() if v is not None}


# Cells --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value, step",
    [
        ("65.5%", 65.5, 0.1),
        ("63.0", 63.0, 0.1),
        (".83", 0.83, 0.01),
        ("**65.5**", 65.5, 0.1),
        ("\\textbf{65.5}\\%", 65.5, 0.1),
        ("+2.5%", 2.5, 0.1),
        ("−3.1%", -3.1, 0.1),
        ("- 3.1", -3.1, 0.1),
        ("1,319", 1319, 1),
        ("14\u202f042", 14042, 1),
        ("10k", 10000, 1000),
        ("86.4% (5-shot)", 86.4, 0.1),
        ("65.5†", 65.5, 0.1),
        ("65.5[^1]", 65.5, 0.1),
    ],
)
def test_one_number(text, value, step):
    cell = read_cell(text)
    assert cell.value.value == pytest.approx(value) and cell.value.step == pytest.approx(step)
    assert (cell.beside, cell.low, cell.plus_minus) == (None, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "65.5% (64.2%, 66.8%)",
        "65.5 [64.2, 66.8]",
        "65.5 [64.2; 66.8]",
        "65.5 (64.2–66.8)",
        "65.5 (64.2 to 66.8)",
        "**65.5** \\[64.2, 66.8\\]",
    ],
)
def test_a_mean_with_its_interval(text):
    cell = read_cell(text)
    assert (cell.value.value, cell.low.value, cell.high.value) == (65.5, 64.2, 66.8)
    assert cell.beside is None


@pytest.mark.parametrize("text", ["(64.2, 66.8)", "[64.2, 66.8]", "64.2–66.8", "64.2 to 66.8"])
def test_an_interval_alone(text):
    cell = read_cell(text)
    assert cell.value is None and (cell.low.value, cell.high.value) == (64.2, 66.8)


def test_an_interval_of_negative_numbers():
    cell = read_cell("(−7.2%, +1.0%)")
    assert (cell.low.value, cell.high.value) == (-7.2, 1.0)
    cell = read_cell("-7.2 to -1.0")
    assert (cell.low.value, cell.high.value) == (-7.2, -1.0)


@pytest.mark.parametrize("text", ["65.5 ± 1.3", "65.5 +/- 1.3", "$65.5 \\pm 1.3$", "65.5 (±1.3)"])
def test_plus_minus(text):
    cell = read_cell(text)
    assert (cell.value.value, cell.plus_minus.value, cell.beside) == (65.5, 1.3, None)


def test_brackets_hold_the_error():
    cell = read_cell("65.5% (.7%)")
    assert (cell.beside.value, cell.beside.step, cell.percent) == (0.7, 0.1, True)
    assert read_cell("65.5 (<0.1)").beside.span("nearest") == pytest.approx((0.0, 0.1), abs=1e-6)


def test_decimal_commas_are_read_where_they_are_declared():
    cell = read_cell("65,5 ± 1,3 (64,2; 66,8)", comma=True)
    assert (cell.value.value, cell.plus_minus.value, cell.high.value) == (65.5, 1.3, 66.8)
    assert read_cell("14.042", comma=True).value.value == 14042
    assert has_decimal_comma("65,5 ± 1,3") and not has_decimal_comma("14,042 (1,319)")


@pytest.mark.parametrize("text", ["", "—", "-", "n/a", "–", "**—**"])
def test_nothing(text):
    assert read_cell(text) is None


@pytest.mark.parametrize("text", ["abc", "65.5.1", "65.5 66.5", "65 (1) (2) (3)", "6e9x", "0x10"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError):
        read_cell(text)


# Rounding -----------------------------------------------------------------------------------------


def test_a_printed_number_stands_for_all_that_it_may_have_been():
    """65.5: 65.45 to 65.55 rounded; 65.5 up to 65.6 cut off. −3.1 cut off: −3.2 to −3.1."""
    x = Printed("65.5", 65.5, 0.1)
    assert x.span("nearest") == pytest.approx((65.45, 65.55))
    assert x.span("cut") == pytest.approx((65.5, 65.6))
    assert x.span() == pytest.approx((65.45, 65.6))
    assert Printed("−3.1", -3.1, 0.1).span("cut") == pytest.approx((-3.2, -3.1))
    assert Printed("0.0", 0.0, 0.1).span("cut") == pytest.approx((-0.1, 0.1))
    assert x.span("nearest")[1] > 65.55  # 65.55 itself, in spite of binary fractions


# Layouts ------------------------------------------------------------------------------------------

LONG = 'eval,model,mean,n,se\nQA,A,65.5%,"5,000",0.7%\nQA,B,63.0%,"5,000",0.7%\n'
SAME = {
    "long.csv": LONG,
    "tabs.csv": LONG.replace(",", "\t").replace('"5\t000"', "5000"),
    "wide.md": "| Eval | # Questions | A | B |\n|:--|--:|--:|--:|\n"
    "| QA | 5,000 | **65.5%** (0.7%) | 63.0% (.7%) |\n",
    "bare.md": "Eval | n | A | B\n--|--|--|--\nQA | 5000 | 65.5% (0.7%) | 63.0% (0.7%)\n",
    "models_down.md": "| Model | QA (n=5000) |\n|--|--|\n| A | 65.5% (0.7%) |\n"
    "| B | 63.0% (0.7%) |\n",
    "size_row.md": "| Model | QA |\n|--|--|\n| # Questions | 5,000 |\n| A | 65.5% (0.7%) |\n"
    "| B | 63.0% (0.7%) |\n",
    "columns.csv": "eval,n,A,A SE,B,B SE\nQA,5000,65.5%,0.7%,63.0%,0.7%\n",
    "rows.toml": '[[means]]\neval="QA"\nmodel="A"\nmean="65.5%"\nn=5_000\nse=0.7\n'
    '[[means]]\neval="QA"\nmodel="B"\nmean="63.0%"\nn=5000\nse=0.7\n',
}


@pytest.mark.parametrize("name", SAME)
def test_every_layout_says_the_same(name, tmp_path):
    table = read(tmp_path, SAME[name], name)
    assert [(m.eval, m.model) for m in table.means] == [("QA", "A"), ("QA", "B")]
    wanted = [{"mean": (m, 0.1), "n": (5000, 1), "se": (0.7, 0.1)} for m in (65.5, 63.0)]
    assert [numbers(m) for m in table.means] == wanted
    assert {m.scale for m in table.means} == {PERCENT}


def test_several_tables_keep_their_names_and_lines(tmp_path):
    text = "Table 1: ours\n\n|eval|model|mean|\n|-|-|-|\n|QA|A|0.5|\n\n"
    text += "**Table 2**\n\n|eval|A|B|\n|-|-|-|\n|QA|0.6|0.7|\n"
    table = read(tmp_path, text, "t.md")
    assert [(m.place.table, m.place.line, m.model) for m in table.means] == [
        ("Table 1: ours", 5, "A"), ("Table 2", 11, "A"), ("Table 2", 11, "B"),
    ]  # fmt: skip


def test_a_column_of_differences_is_the_first_model_minus_the_second(tmp_path):
    table = read(tmp_path, "|Eval|A|B|Difference|\n|-|-|-|-|\n|QA|65.5%|63.0%|+2.5%|\n", "t.md")
    [d] = table.differences
    assert (d.model, d.baseline, d.difference.value, d.scale) == ("A", "B", 2.5, PERCENT)


def test_an_empty_cell_is_a_model_that_was_not_run_and_a_merged_eval_goes_on(tmp_path):
    table = read(tmp_path, "eval,A,B\nQA,65.5%,—\n", "t.csv")
    assert [m.model for m in table.means] == ["A"]
    table = read(tmp_path, "eval,model,mean\nQA,A,1%\n,B,2%\n", "t.csv")
    assert [m.eval for m in table.means] == ["QA", "QA"]


def test_heads():
    assert read_head("95% CI").level == 0.95 and read_head("95% CI").key == "ci"
    assert read_head("Mean (SE)").key == "mean" and not read_head("Mean (SE)").percent
    assert read_head("Accuracy (%)").percent and read_head("Clustered SE").clustered
    assert read_head("Model − Baseline").key == "difference"


# Scales, and what the user says -------------------------------------------------------------------


def test_shares_are_read_as_shares_and_that_is_said(tmp_path):
    table = read(tmp_path, "eval,model,mean\nQA,A,0.655\nQA,B,.630\n")
    assert {m.scale for m in table.means} == {SHARE}
    assert table.read_as == (
        "All printed means of QA lie between 0 and 1: they are read as shares.",
    )


def test_an_unknown_scale_stays_unknown_until_it_is_said(tmp_path):
    text = "eval,model,mean\nQA,A,65.5\nQA,B,63.0\n"
    assert not any(m.scale.known for m in read(tmp_path, text).means)
    assert {m.scale for m in read(tmp_path, text, scale="percent").means} == {PERCENT}
    assert read(tmp_path, text, scale="1,100").means[0].scale.low == 1.0


def test_shares_beside_percentages_of_the_same_eval_are_made_percentages(tmp_path):
    text = "|eval|A|\n|-|-|\n|QA|65.5%|\n\nTwo\n\n|eval|B|\n|-|-|\n|QA|0.630|\n"
    table = read(tmp_path, text, "t.md")
    assert [m.mean.value for m in table.means] == [65.5, pytest.approx(63.0)]
    assert table.means[1].mean.step == pytest.approx(0.1)


def test_the_number_of_questions_can_be_said(tmp_path):
    text = "eval,A,B\nQA,65.5%,63.0%\nMath,50%,40%\n"
    table = read(tmp_path, text, questions=("QA=5000",))
    assert [m.n and m.n.value for m in table.means] == [5000, 5000, None, None]
    with pytest.raises(ReportkitError, match="no eval 'qa' in the table; did you mean 'QA'"):
        read(tmp_path, text, questions=("qa=1",))


def test_an_eval_is_named_without_its_remark(tmp_path):
    table = read(tmp_path, "eval,A,B\nQA (0-shot),65.5%,63.0% 5-shot\n", questions="QA=200")
    assert [m.n.value for m in table.means] == [200, 200]
    assert table.means[1].mean.value == 63.0


def test_one_eval_with_models_down_has_the_columns_of_its_row(tmp_path):
    """500 questions: sqrt(.624 * .376 / 500) = 2.17 points, so ± is a standard error."""
    table = read(tmp_path, "Model,Resolved (%),n\nA,62.4 ± 2.2,500\nB,58.8 ± 2.2,300\n")
    assert [(m.eval, m.n.value, m.se.value) for m in table.means] == [
        ("Resolved (%)", 500, 2.2), ("Resolved (%)", 300, 2.2),
    ]  # fmt: skip


def test_a_harness_table_lacks_the_model(tmp_path):
    head = "|Tasks|Version|Filter|n-shot|Metric| |Value| |Stderr|"
    rows = "|-|-|-|-|-|-|-|-|-|\n|arc|1|none|25|acc|↑|0.5512|±|0.0145|\n"
    with pytest.raises(ReportkitError, match="no column 'model'; .*add one"):
        read(tmp_path, f"{head}\n{rows}", "t.md")
    added = rows.replace("|arc", "|A|arc").replace("|-|-|", "|-|-|-|", 1)
    [m] = read(tmp_path, f"|Model{head}\n{added}", "t.md").means
    assert (m.eval, m.model, m.mean.value, m.se.value, m.scale) == (
        "arc",
        "A",
        0.5512,
        0.0145,
        SHARE,
    )


def test_a_question_about_plus_minus_names_its_line_and_asks_for_the_scale_too(tmp_path):
    """1.9 is an error of 75.2% of 500 questions; of 75.2 on a scale that nobody says, it may be
    anything.
    """
    rows = "eval,model,mean,n\nQA,A,75.2 ± 1.9,500\n"
    said = "line 2: what stands after ± in .± 1.9. is not said, .* may tell with --scale percent"
    with pytest.raises(ReportkitError, match=said):
        read(tmp_path, rows)
    (m,) = read(tmp_path, rows, scale="percent").means
    assert m.se.value == 1.9
    with pytest.raises(ReportkitError, match="for half an interval$"):
        read(tmp_path, rows.replace("1.9", "3.0"), scale="percent")


def test_a_name_with_a_bar_is_a_name_of_csv(tmp_path):
    table = read(tmp_path, 'eval,model,mean\n"a|b",A,1%\n"#c|d",B,2%\n# a remark\n')
    assert [m.eval for m in table.means] == ["a|b", "#c|d"]


@pytest.mark.parametrize(
    "half, meant", [("0.7", "standard error"), ("1.3", "half of the interval")]
)
def test_what_stands_after_plus_minus_is_told_by_the_numbers(half, meant, tmp_path):
    """sqrt(.655 * .345 / 5000) = .67 points, and 1.96 times that 1.32."""
    table = read(tmp_path, f"eval,model,mean,n\nQA,A,65.5% ± {half}%,5000\n")
    assert any(meant in line for line in map(said, table.read_as))
    assert (table.means[0].se is not None) == (half == "0.7")


def test_where_they_do_not_tell_it_is_asked_for(tmp_path):
    text = "eval,model,mean\nQA,A,65.5% ± 1.0%\n"
    with pytest.raises(ReportkitError, match="say --plus-minus se .* or --plus-minus interval"):
        read(tmp_path, text)
    m = read(tmp_path, text, plus_minus="interval").means[0]
    assert m.se is None and (m.low.value, m.high.value) == (64.5, 66.5)


def test_toml_brings_options_and_the_user_beats_them(tmp_path):
    text = (
        'scale = "1,10"\nlevel = 0.9\n[[means]]\neval="Q"\nmodel="A"\nmean=7.50\nci=[7.1, 7.90]\n'
    )
    path = tmp_path / "t.toml"
    path.write_text(text)
    table, options = read_published(path, {"level": 0.99})
    assert options.level == 0.99 and table.means[0].scale.high == 10.0
    assert table.means[0].mean.step == pytest.approx(0.01)  # 7.50 keeps its last digit
    assert table.means[0].high.step == pytest.approx(0.01)


# Mistakes -----------------------------------------------------------------------------------------

WRONG = {
    "empty": ("", {}, "is empty"),
    "no table": ("hello\nworld\n", {}, "is no table"),
    "heads alone": ("eval,model,mean\n", {}, "line 1: heads without a row"),
    "slip of a column": ("eval,model,mean,qestions\nQ,A,1,2\n", {}, "did you mean 'questions'"),
    "slip of model": ("eval,modle,mean\nQ,A,1\n", {}, "no column 'modle' .*did you mean 'model'"),
    "no model": ("eval,name,mean\nQ,A,1\n", {}, "no column 'model'; there are 'eval', 'name'"),
    "no number": ("eval,model,mean\nQ,A,good\n", {}, "line 2: 'good' below 'mean' is no number"),
    "decimal comma": ("eval;model;mean\nQ;A;65,5\n", {}, "line 2: '65,5' .*say --decimal comma"),
    "comma not quoted": ("eval,model,mean,n\nQ,A,1,5,000\n", {}, "line 2: 5 cells below 4 heads"),
    "no count": ("eval,model,mean,n\nQ,A,1,12.5\n", {}, "line 2: 12.5 questions are no count"),
    "quotes": ('eval,model,mean\nQ,A,"1\n', {}, "no CSV"),
    "no baseline": ("eval,model,difference\nQ,A,1\n", {}, "add a column 'baseline'"),
    "nameless": ("eval,model,mean\nQ,,1\n", {}, "line 2: the row names no model"),
    "choice": ("eval,model,mean\nQ,A,1\n", {"scores": "binry"}, "give one of binary, fractional"),
    "correlations": ("eval,model,mean\nQ,A,1\n", {"correlations": "0.7,0.3"}, "smaller first"),
    "level": ("eval,model,mean\nQ,A,1\n", {"level": 95}, "between 0 and 1"),
    "scale": ("eval,model,mean\nQ,A,1\n", {"scale": "10,1"}, "smallest and the largest"),
    "questions": ("eval,model,mean\nQ,A,1\n", {"questions": ("Q",)}, "EVAL=NUMBER"),
    "option": ("eval,model,mean\nQ,A,1\n", {"scal": "1"}, "did you mean 'scale'"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_one_sentence_with_its_line(name, tmp_path):
    text, said, message = WRONG[name]
    with pytest.raises(ReportkitError, match=message) as caught:
        read(tmp_path, text, **said)
    assert "\n" not in str(caught.value)


def test_a_wrong_toml_names_the_key(tmp_path):
    with pytest.raises(ReportkitError, match=r"no \[\[means\]\]; did you mean 'means'"):
        read(tmp_path, '[[mean]]\neval="Q"\n', "t.toml")
    with pytest.raises(ReportkitError, match="no TOML"):
        read(tmp_path, "a = \n", "t.toml")


def test_a_file_that_is_not_there_or_is_no_text(tmp_path):
    (tmp_path / "table.md").write_text("x")
    with pytest.raises(ReportkitError, match="is not there; did you mean 'table.md'"):
        read_published(tmp_path / "tabel.md")
    with pytest.raises(ReportkitError, match="is a folder"):
        read_published(tmp_path)
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReportkitError, match="UTF-8"):
        read_published(tmp_path / "b.csv")


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_read_or_refused_in_words(seed, tmp_path):
    """Characters changed at random: a message of ours, never another error."""
    import random

    rng = random.Random(seed)
    for text in SAME.values():
        letters = list(text)
        for _ in range(rng.randint(1, 8)):
            letters[rng.randrange(len(letters))] = rng.choice('|,;\n"%()±-9.:#=[]x\x00é')
        try:
            read(tmp_path, "".join(letters), rng.choice(["t.md", "t.csv", "t.toml"]))
        except ReportkitError as error:
            assert str(error)


# Never read by a guess ----------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["Method", "Approach", ""])
def test_a_first_column_that_says_neither_evals_nor_models_is_refused(head, tmp_path):
    """CoT and PoT would be the evals, MATH and GSM8K the models that are compared."""
    text = "| {} | MATH | GSM8K |\n|---|---|---|\n| CoT | 50.1 | 80.2 |\n| PoT | 55.3 | 82.0 |\n"
    told = refusal(tmp_path, text.format(head), "t.md")
    assert "evals or models; call the first column eval or model" in told
    assert (repr(head) if head else "an empty head") in told
    rows = read(tmp_path, text.format("System"), "t.md").means
    assert [(m.eval, m.model) for m in rows[:2]] == [("MATH", "CoT"), ("GSM8K", "CoT")]


def test_two_columns_of_means_are_refused(tmp_path):
    """The second one was left out without a word."""
    text = "eval,model,F1,EM,n\nSQuAD,A,88.1,81.0,10570\nSQuAD,B,86.4,79.2,10570\n"
    told = refusal(tmp_path, text, "t.csv")
    assert "2 columns hold means ('F1', 'EM'); leave one of them" in told


@pytest.mark.parametrize(
    "text, asked",
    [
        ("eval,model,mean,n\nHLE,A,1.24%,2500\nHLE,B,0.84,2500\n", "--scale percent"),
        ("|Eval|A|\n|-|-|\n|GSM8K|0.923 (0.7%)|\n", "--scale"),
        ("eval,model,mean,se\nX,A,65.5%,0.0131\n", "--scale"),
        ("eval;model;mean;se\nX;A;0,655;0,013\n", "--decimal comma"),
        ("|Eval|Questions|A|\n|-|-|-|\n|X|10 x 30|63.3%|\n", "line 3: '10 x 30'"),
        ("|Eval|Questions|A|\n|-|-|-|\n|X|2 M|63.3%|\n", "line 3: '2 M'"),
        ("|Eval|A|\n|-|-|\n|X|65.5% (std 1.2%)|\n", "line 3"),
        ("|Eval|A|\n|-|-|\n|X|58.8% (−1.2)|\n", "a change"),
        ("|Eval|A|A std|\n|-|-|-|\n|X|65.5%|47.5%|\n", "'A std'"),
        ("|Eval|Alpha|Beta|Delta|\n|-|-|-|-|\n|X|60.0%|62.5%|70.1%|\n", "'Delta'"),
    ],
)
def test_what_may_mean_two_things_is_refused(text, asked, tmp_path):
    with pytest.raises(ReportkitError) as refused:
        read(tmp_path, text, "t.md")
    assert asked in str(refused.value)


def test_an_error_named_in_its_brackets_is_read(tmp_path):
    m = read(tmp_path, "|Eval|n|A|\n|-|-|-|\n|X|1000|65.5% (SE 3.1)|\n", "t.md").means[0]
    assert m.se.value == 3.1


@pytest.mark.parametrize(
    "text",
    [
        "|Eval|A|\n|-|-|\n|MMLU|86.4 (0.3)|\n|HLE|0.8 (0.18)|\n",
        "eval,model,mean,n,se\nLAMBADA loss,A,0.83,1000,0.03\n",
    ],
)
def test_a_number_below_1_is_no_share_beside_larger_ones_or_of_a_loss(text, tmp_path):
    assert not any(m.scale.known for m in read(tmp_path, text).means)


def test_a_comma_between_semicolons_is_not_read_by_a_guess(tmp_path):
    """65,512 may be 65.512 or 65512; counts have no decimals."""
    text = "eval;model;mean;n;se\nX;A;65,512;1,319;1,309\nX;B;60,100;1,319;1,349\n"
    with pytest.raises(ReportkitError, match=r"line 2: the comma of '65,512' may part"):
        read(tmp_path, text)
    assert numbers(read(tmp_path, text.replace("1,319", "1319"), decimal="comma").means[0]) == {
        "mean": (65.512, 0.001), "n": (1319.0, 1.0), "se": (1.309, 0.001),
    }  # fmt: skip
    assert read(tmp_path, text, decimal="point").means[0].mean.value == 65512.0


@pytest.mark.parametrize(
    "text, why",
    [
        ("|Eval|A|A std|B|\n|-|-|-|-|\n|X|65.5|1.2|60.1|\n", "line 1: the column 'A std'"),
        ("|Eval|A|B|Delta|\n|-|-|-|-|\n|X|65.5|60.1|5.4|\n", "line 3: 'Delta' may be"),
    ],
)
def test_a_column_that_may_be_two_things_is_named_with_its_line(text, why, tmp_path):
    with pytest.raises(ReportkitError, match=f"t.md, {why}"):
        read(tmp_path, text, "t.md")


def test_a_row_of_question_counts_says_that_evals_stand_across(tmp_path):
    text = "\n".join(
        [
            "| | MMLU-Pro | GPQA |",
            "|---|---|---|",
            "| # questions | 12,032 | 198 |",
            "| **Nimbus** | 75.9 | 59.1 |",
            "| Heron | 72.6 | 49.9 |",
        ]
    )
    found = read(tmp_path, text, "table.md", scale="percent").means
    assert [(m.eval, m.model, m.mean.value, m.n.value) for m in found] == [
        ("MMLU-Pro", "Nimbus", 75.9, 12032),
        ("GPQA", "Nimbus", 59.1, 198),
        ("MMLU-Pro", "Heron", 72.6, 12032),
        ("GPQA", "Heron", 49.9, 198),
    ]


def test_a_head_that_names_its_brackets_names_the_model_without_them(tmp_path):
    text = "eval,n,Nimbus (SE),Heron (± s.e.)\nMATH,5000,65.5 (0.7),63.0 (0.7)"
    found = read(tmp_path, text).means
    assert [(m.model, m.mean.value, m.se.value) for m in found] == [
        ("Nimbus", 65.5, 0.7),
        ("Heron", 63.0, 0.7),
    ]


# Names and columns of tables as they are pasted ---------------------------------------------------


def test_models_whose_names_begin_alike_are_all_read(tmp_path):
    """Words behind a digit are a remark in a cell, and part of a name in a head."""
    text = "|Eval|n|GPT-4|GPT-4 Turbo|Claude 3 Opus|Claude 3 Haiku|X (0-shot)|X (5-shot)|\n"
    text += "|-|-|-|-|-|-|-|-|\n|QA|500|92.0%|93.0%|95.0%|88.0%|60.0%|61.0%|\n"
    assert [(m.model, m.mean.value) for m in read(tmp_path, text, "t.md").means] == [
        ("GPT-4", 92.0), ("GPT-4 Turbo", 93.0), ("Claude 3 Opus", 95.0), ("Claude 3 Haiku", 88.0),
        ("X (0-shot)", 60.0), ("X (5-shot)", 61.0),
    ]  # fmt: skip


ALIKE = {
    "models, SE each": "|Eval|A|SE|B|SE|\n|-|-|-|-|-|\n|QA|65.5%|0.7%|63.0%|0.2%|\n",
    "models, named": "|Eval|A|A std. err.|B|B SE|\n|-|-|-|-|-|\n|QA|65.5%|0.7%|63.0%|0.2%|\n",
    "evals, named": "|LLM|QA (n=500)|QA SE|\n|-|-|-|\n|A|65.5%|0.7%|\n|B|63.0%|0.2%|\n",
    "evals, mean": "|Model|QA mean|QA stderr|\n|-|-|-|\n|A|65.5%|0.7%|\n|B|63.0%|0.2%|\n",
    "evals, SE alone": "|Model|QA|SE|\n|-|-|-|\n|A|65.5%|0.7%|\n|B|63.0%|0.2%|\n",
}


@pytest.mark.parametrize("name", ALIKE)
def test_each_error_is_of_the_name_beside_it(name, tmp_path):
    found = read(tmp_path, ALIKE[name], "t.md").means
    assert [(m.eval, m.model, m.mean.value, m.se.value) for m in found] == [
        ("QA", "A", 65.5, 0.7), ("QA", "B", 63.0, 0.2),
    ]  # fmt: skip


def test_errors_of_several_evals_across_are_each_their_own(tmp_path):
    text = "Model,QA,SE,QB,SE\nA,0.655,0.007,0.830,0.029\nB,0.630,0.008,0.867,0.026\n"
    found = read(tmp_path, text).means
    assert [(m.eval, m.model, m.se.value) for m in found] == [
        ("QA", "A", 0.007), ("QB", "A", 0.029), ("QA", "B", 0.008), ("QB", "B", 0.026),
    ]  # fmt: skip


def test_the_interval_of_a_model_or_of_the_difference_is_read(tmp_path):
    text = "|Eval|A|A 95% CI|B|B 95% CI|Difference|95% CI|\n|-|-|-|-|-|-|-|\n"
    text += "|QA|65.5%|[64.2, 66.8]|63.0%|61.7, 64.3|+2.5%|(+1.2%, +3.8%)|\n"
    table = read(tmp_path, text, "t.md")
    assert [(m.model, m.low.value, m.high.value, m.level) for m in table.means] == [
        ("A", 64.2, 66.8, 0.95), ("B", 61.7, 64.3, 0.95),
    ]  # fmt: skip
    (d,) = table.differences
    assert (d.low.value, d.high.value) == (1.2, 3.8)


def test_a_model_named_high_is_no_end_of_an_interval(tmp_path):
    text = "|Eval|o9|o9 high|\n|-|-|-|\n|QA|65.5%|70.1%|\n"
    assert [m.model for m in read(tmp_path, text, "t.md").means] == ["o9", "o9 high"]


@pytest.mark.parametrize(
    "text, said",
    [
        ("|Eval|A|B|SE|\n|-|-|-|-|\n|QA|65%|63%|1%|\n", "may be of any of A, B"),
        ("|Eval|A|A|\n|-|-|-|\n|QA|65%|63%|\n", "two columns are named 'A'"),
        ("|Model|X|X|\n|-|-|-|\n|A|65%|63%|\n", "two columns are named 'X'"),
        ("|Model|X|\n|-|-|\n|A|65%|\n||63%|\n", "line 4: the row names no model"),
        ("eval,model,mean (SD),n\nX,A,65% (48%),100\n", "a standard deviation stands beside"),
        ("eval,model,mean ± std,n\nX,A,65% ± 48%,100\n", "a standard deviation stands beside"),
        ("eval,model,mean,n\nX,A,0.864,500\nX,B,85.1,500\n", "'0.864' may be a share"),
        ("eval,model,mean,n\nX,A,0.864,500\nX,B,85%,500\n", "write 86.4% if it is a share"),
        ("eval,model,mean,n\nX,A,\"56,8\",500\nX,B,85.1,500\n", "write it with a point, or say"),
        (",,,\n,,,\n", "holds no table"),
        ("# a\n# b\n", "holds no table"),
    ],
)  # fmt: skip
def test_what_would_be_a_guess_is_refused(text, said, tmp_path):
    assert said in refusal(tmp_path, text, "t.md" if text.startswith("|") else "t.csv")


def test_a_head_says_what_stands_behind_plus_minus(tmp_path):
    text = "eval,model,accuracy ± SE,n\nX,A,65.5 ± 4.0,100\n"
    (m,) = read(tmp_path, text, scale="none").means  # of unknown scores the numbers do not tell
    assert (m.mean.value, m.se.value) == (65.5, 4.0)


ROW = '[[means]]\neval = "QA"\nmodel = "A"\nmean = 65.5\n'


def test_toml_names_numbers_of_questions_in_either_way(tmp_path):
    for line in ("questions = {QA = 500}", 'questions = ["QA=500"]', 'questions = "QA=500"'):
        (m,) = read(tmp_path, f"{line}\n{ROW}", "t.toml").means
        assert m.n.value == 500
    with pytest.raises(ReportkitError, match="'500': give EVAL=NUMBER"):
        read(tmp_path, f"questions = 500\n{ROW}", "t.toml")


# Tables that reportkit writes ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_table():
    """The means of the demonstration's MGSM, of 2,500 questions in 250 clusters, at 90%."""
    scores = demo_scores(["MGSM"])
    return make_table(analyse(scores, "MGSM", level=0.9)[0], "means")


@pytest.mark.parametrize("format", ["csv", "md", "tex", "html"])
def test_a_table_of_our_own_is_read_in_each_format(format, own_table, tmp_path):
    """The numbers of Table 3 of Miller 2024, which the demonstration is made to print."""
    text = render_table(own_table, format)
    means = read(tmp_path, text, f"means.{format}", eval="MGSM").means
    unit = 100.0 if format == "csv" else 1.0
    assert [(m.eval, m.model, round(m.mean.value * unit, 1)) for m in means] == [
        ("MGSM", "Galleon", 75.3), ("MGSM", "Dreadnought", 78.0), ("MGSM", "Frigate", 69.8),
    ]  # fmt: skip
    assert [round(m.se.value * unit, 1) for m in means] == [1.6, 1.5, 1.6]
    assert {m.level for m in means} == {0.9}


def test_differences_of_our_own_are_read_from_markdown(tmp_path):
    """Markdown guards a plus sign at the head of a cell: a list would begin there."""
    row = "|A|B|\\+2.5 (0.7)|\n|A|C|\\-1.5 (0.7)|"
    text = f"|Model|Baseline|Difference (SE)|\n|-|-|-|\n{row}\n"
    found = read(tmp_path, text, "d.md", eval="QA").differences
    assert [(d.difference.value, d.se.value) for d in found] == [(2.5, 0.7), (-1.5, 0.7)]


def test_the_eval_of_a_table_that_names_none_is_said(tmp_path):
    text = "model,mean\nA,65.5%\nB,63.0%\n"
    assert {m.eval for m in read(tmp_path, text, eval="QA").means} == {"QA"}
    assert "fill in its eval, or say --eval NAME" in refusal(tmp_path, text, "t.csv")
    assert "line 2: the row names no eval" in refusal(
        tmp_path, "eval,model,mean\n,A,65.5%\n", "t.csv", eval="QA"
    )  # a column of evals has an empty cell, which may be anything


@pytest.mark.parametrize("name", ["IFEval", "C-Eval", "QAEval", "MTEval"])
def test_an_eval_across_is_no_slip_of_the_word_eval(name, tmp_path):
    text = f"model,{name},GPQA\nA,65.5%,50%\nB,63.0%,40%\n"
    assert {m.eval for m in read(tmp_path, text).means} == {name, "GPQA"}


def test_a_level_column_is_of_intervals_where_each_cell_is_one(tmp_path):
    text = "eval,model,mean,low,high,level\nQA,A,65%,60%,70%,{}\nQA,B,60%,55%,65%,90%\n"
    assert [m.level for m in read(tmp_path, text.format("0.95")).means] == [0.95, 0.9]
    of_maths = read(tmp_path, "eval,model,level,mean\nMATH,A,1,65%\nMATH,A,5,25%\n").means
    assert [m.eval for m in of_maths] == ["MATH (1)", "MATH (5)"]


def test_all_digits_of_a_program_are_no_more_exact_than_its_sums():
    """0.0047136077631737... is the largest SE of k/n = 3201/3498, which a sum of squares gives but
    for its last bits.
    """
    cell = read_cell("0.004713607763173719")
    low, high = cell.value.span()
    assert low < 0.0047136077631736 and high > 0.0047136077631738
    assert read_cell("0.65").value.step == 0.01


@pytest.mark.parametrize(
    ("name", "size"),
    [("X (29)", ""), ("X (30)", "30"), ("X (1989)", "1989"), ("X (1990)", ""), ("X (2050)", "")]
    + [("X (2051)", "2051"), ("X (100)", "")],
)
def test_a_bare_number_of_questions_is_30_or_more_and_no_year(name, size):
    """5 and 25 may be shots, 2024 is a year, and 100 the end of a scale."""
    assert with_bare_size(name)[1] == size


@pytest.mark.parametrize(
    ("highest", "known"),
    [(2, True), (10, True), (11, False), (100, True), (50, False), (200, False)],
)
def test_the_highest_scores_of_judges(highest, known):
    """0 to 2, to 10 and to 100 are scales; of 0 to 11 the numbers may be those of problems."""
    assert scale_in(f"X (0-{highest})").known is known
