"""Whether scores are in memory. Paths are asked without loading what reads tables."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import TypeIs

    from reportkit.scores.scores import Scores


def is_frame(scores: object) -> "TypeIs[pd.DataFrame | Scores]":
    """Whether scores are a DataFrame or Scores, and not paths.

    >>> import pandas as pd
    >>> is_frame(pd.DataFrame()), is_frame("scores.csv"), is_frame("")
    (True, False, False)
    """
    if "pandas" not in sys.modules:  # so that nobody has made one
        return False
    import pandas as pd

    from reportkit.scores.scores import Scores

    return isinstance(scores, pd.DataFrame | Scores)
