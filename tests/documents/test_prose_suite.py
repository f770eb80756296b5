"""Warnings of several evals, told once."""

from reportkit.documents.prose_suite import together
from reportkit.results import Warning


def test_a_warning_names_its_evals_whatever_they_are_called():
    few = "a model has few answers"
    told = together([Warning("few", "a", "m", few), Warning("few", "b", "m", few)], 3)
    assert [w.message for w in told] == [f"a and b: {few}"]
    own = "eval 'a' has too few answers"
    assert [w.message for w in together([Warning("few", "a", "m", own)], 3)] == [own]
    every = [Warning("few", name, "m", few) for name in ("a", "b", "c")]
    assert [w.message for w in together(every, 3)] == [few]
