"""What real data are asked about, and that sound data are asked nothing.

Expected numbers: counted here with pandas from the files, and `no_answer` of MMLU-Pro as its .json
beside it explains it (no extracted letter counts as 0).
"""

import numpy as np
import pandas as pd
import pytest
from support.places import DATA, needs

from reportkit.analysis import analyse
from reportkit.analysis.copies import copies
from reportkit.analysis.questions import common_means, other_questions
from reportkit.loading.demo import EVALS, demo_scores
from reportkit.scores.select import select
from reportkit.tables import make_table

shared = needs(DATA)
ASKED = {"same-scores", "failed-rows", "other-questions"}
KINDS = {"copies", "flagged", "other questions", "apart"}


def table_of(name: str) -> pd.DataFrame:
    """A data file as a user's frame; of LiveBench the first of repeated rows."""
    path = next(DATA.glob(f"{name}.*[tz]"))
    frame = pd.read_csv(path) if path.suffix == ".gz" else pd.read_parquet(path)
    if name.startswith("livebench"):
        frame = frame.drop_duplicates(["model", "question_id", "sample"])
    return frame


@pytest.mark.parametrize("eval", EVALS)
def test_the_demonstration_is_asked_nothing(eval):
    result, warnings = analyse(demo_scores([eval]))
    assert not ASKED & {w.code for w in warnings}
    for kind in ("means", "differences"):
        assert not KINDS & {getattr(n, "kind", "") for n in make_table(result, kind).notes}


# name -> column, rows in which it is true, rows; none elsewhere. Left alone are tatqa_pot, where
# 9 of 1,667 rows of one model are flagged, and BFCL's error_type, which is there for each wrong
# answer and for no other.
FLAGGED = {"mmlu_pro": ("no_answer", 32_697, 347_215)}
SOUND = (
    "alpaca_eval_2 bbh_codex boolq_next_token gsm8k_openai_solutions kaenguruen livebench_2025_01 "
    "lambada_next_token langchain_tool_use routellm_gsm8k swebench_verified_bash_only tatqa_pot "
    "tau_bench_airline_gpt4o tot_game24 wildbench gsm_symbolic_eng_dan bfcl_v1 mmlu_pro"
)


@shared
@pytest.mark.parametrize("name", SOUND.split())
def test_real_data_are_asked_what_they_should_be(name):
    frame = table_of(name)
    for eval, rows in frame.groupby("eval", sort=False):
        e = select(rows, str(eval))
        # Models of equal scores are there (gsm_symbolic_eng_dan, kaenguruen), but all wrong or with
        # one right answer.
        assert copies(e) == ()
        flagged = [(f.column, f.n_flagged, f.n_scored) for f in e.flagged]
        assert flagged == ([FLAGGED[name]] if name in FLAGGED else [])
        _check_questions(e, rows)


def _check_questions(e, rows: pd.DataFrame) -> None:
    """Marks and common means against a pivot table."""
    wide = rows.dropna(subset="score").pivot_table(
        index="question_id", columns="model", values="score"
    )
    common = wide.dropna()
    found = common_means(e)
    assert found.n == len(common)
    if len(common):
        np.testing.assert_allclose(
            found.means, common.mean().reindex(list(e.models)), rtol=0, atol=1e-12
        )
    has = wide.notna()
    sets = {m: frozenset(has.index[has[m]]) for m in has.columns}
    sizes = pd.Series(list(sets.values())).value_counts()
    usual = max(sizes.index, key=lambda s: (sizes[s], len(s)))
    if sizes[usual] == 1:
        usual = frozenset(has.index)
    expected = {
        m: (len(usual), len(s & usual), len(s - usual)) for m, s in sets.items() if s != usual
    }
    assert {o.model: (o.n_usual, o.n_shared, o.n_more) for o in other_questions(e)} == expected


@shared
def test_a_copy_among_25_models_is_found():
    frame = table_of("swebench_verified_bash_only")
    name = frame["model"].iloc[0]
    copy = frame[frame["model"] == name].assign(model="another name")
    e = select(pd.concat([frame, copy], ignore_index=True))
    [found] = copies(e)
    assert found.models == (name, "another name") and found.n_questions == 500


@pytest.mark.slow
@shared
def test_mmlu_pro_says_what_it_is_asked():
    """DeepSeek-Coder-V2 has 10,351 of 12,032 questions; all 29 models have 10,326."""
    result, warnings = analyse(table_of("mmlu_pro"))
    told = {w.code: w.message for w in warnings}
    assert ASKED & set(told) == {"failed-rows", "other-questions"}
    assert "DeepSeek-Coder-V2 10,351 of 12,032" in told["other-questions"]
    assert result.n_common == 10_326
    notes = " ".join(make_table(result, "means").notes)
    assert "gemini-1.5-pro-002 12,020 of 12,032" in notes and "32,697 of 347,215 rows" in notes
