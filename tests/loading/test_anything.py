"""What a user may give as scores, and what is said of what cannot be."""

import pandas as pd
import pyarrow as pa
import pytest

from reportkit.errors import ScoresError
from reportkit.loading.anything import any_scores

FRAME = pd.DataFrame({"model": ["a", "b"], "question_id": ["q", "q"], "score": [1, 0]})


def test_a_table_of_another_library_is_told_how_to_be_given():
    with pytest.raises(ScoresError, match=r"a Table of pyarrow: give its to_pandas\(\)"):
        any_scores(pa.Table.from_pandas(FRAME))
    assert len(any_scores(pa.Table.from_pandas(FRAME).to_pandas()).rows) == 2


def test_numbers_alone_are_told_what_is_missing():
    with pytest.raises(ScoresError, match="a ndarray: give paths; or give a row for each score"):
        any_scores(FRAME.to_numpy())
