"""A table in shares has the findings of the same table in percent, with each number a hundredth."""

import re

import pytest
from support.published_tables import PAPER, checked

ROWS = "eval,model,mean,se,n,ci_low,ci_high\n"
DIFFERENCES = "\n|eval|model|baseline|difference|se|correlation|\n|-|-|-|-|-|-|\n"
PAIR = f"|eval|n|A|B|\n|-|-|-|-|\n|QA|5000|65.5% (0.7%)|63.0% (0.7%)|\n{DIFFERENCES}|QA|A|B|"
PERCENT = re.compile(r"([+\-−]?)(\d*\.?\d+)(%| points)")


def in_shares(text: str) -> str:
    """Each percentage, or number of points, as a share with two more digits."""

    def share(found: re.Match[str]) -> str:
        digits = len(found[2].partition(".")[2]) + 2
        return f"{found[1]}{float(found[2]) / 100:.{digits}f}"

    return PERCENT.sub(share, text)


def test_in_shares():
    assert in_shares("+2.5 points, (.9%)") == "+0.025, (0.009)"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"{ROWS}QA,A,65.5%,2.0%,1000,,\n", ["se-maximum"]),
        (f"{ROWS}QA,A,65.51%,,100,,\n", ["mean-count"]),
        (f"{ROWS}QA,A,48.1%,,164,,\n", ["mean-cut"]),
        (f"{ROWS}QA,A,65.5%,-0.7%,5000,,\n", ["se-negative"]),
        (f"{ROWS}QA,A,65.52%,0.67%,5000,64.00%,66.10%\n", ["interval-uneven"]),
        (f"{ROWS}QA,A,65.52%,0.67%,5000,66.00%,67.00%\n", ["interval-outside"]),
        (f"{ROWS}QA,A,65.52%,0.67%,5000,66.80%,64.20%\n", ["interval-ends"]),
        (f"{ROWS}QA,A,65.52%,0.67%,5000,64.42%,66.62%\n", ["interval-error"]),
        (f"{ROWS}QA,A,65.5%,,1000,60.0%,71.0%\n", ["interval-wide"]),
        (f"{ROWS}QA,A,95.0%,5.0%,20,85.2%,100.0%\n", []),
        # the most is t of 9 degrees, 2.262, times sqrt(.25 / 9), and a tenth: .4147
        (f"{ROWS}QA,A,50.0%,,10,8.7%,91.3%\n", []),
        (f"{ROWS}QA,A,50.0%,,10,8.2%,91.8%\n", ["interval-wide"]),
        (f"{PAIR}+2.8%|||\n", ["difference-means"]),
        (f"{PAIR}+2.6%|1.0%||\n", []),
        ("eval,model,mean,n,scores\nQA,A,87.20%,500,binary\nQA,B,87.21%,500,binary\n",
         ["mean-count"]),
    ],
)  # fmt: skip
def test_the_unit_decides_nothing(text, codes, tmp_path):
    name = "t.md" if "|" in text else "t.csv"
    percent, share = (checked(tmp_path, t, name).findings for t in (text, in_shares(text)))
    assert [f.code for f in percent] == [f.code for f in share] == codes
    assert all("points" not in f.message for f in share)
    for one, other in zip(percent, share, strict=True):
        assert (one.severity, in_shares(one.unless)) == (other.severity, in_shares(other.unless))
        said = in_shares(one.message).replace("0 to 100", "0 to 1")
        assert said == in_shares(other.message)


def test_the_paper_in_shares(tmp_path):
    percent, share = (checked(tmp_path, t, "t.md") for t in (PAPER, in_shares(PAPER)))
    for one, other in zip(percent.findings, share.findings, strict=True):
        assert (one.code, one.severity, one.line) == (other.code, other.severity, other.line)
    assert [p.settled for p in percent.pairs] == [p.settled for p in share.pairs]
    for found in ("difference", "se", "ci_low", "ci_high", "newcombe_low", "se_paired_high"):
        numbers = [getattr(p, found) for p in share.pairs]
        assert [getattr(p, found) / 100 for p in percent.pairs] == pytest.approx(
            numbers, nan_ok=True
        )
    for found in ("p_value", "p_adjusted", "correlation_needed", "z", "fisher_p", "odds_high"):
        numbers = [getattr(p, found) for p in share.pairs]
        assert [getattr(p, found) for p in percent.pairs] == pytest.approx(numbers, nan_ok=True)
