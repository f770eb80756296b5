"""The codes of warnings: what each says, for whoever reads results.json."""

CODES = {
    "fictional": "the models are fictional and their scores generated",
    "own-units": "scores are not within 0 and 1, and print in their own units",
    "one-model": "there is nothing to compare the model with",
    "errors-zero": "answers that failed or were not given count as 0",
    "limited": "runs answered only part of the questions",
    "same-file": "two models have the same file, byte for byte",
    "model-left-out": "no run of this model counts, with the reason",
    "same-scores": "models have the same score on every question: copies, perhaps",
    "mixed-units": "some models have scores within 0 and 1, others up to 100: percent, perhaps",
    "failed-rows": "a column such as error or timeout is true in rows whose scores count",
    "other-questions": "means are of other questions than those of most models",
    "many-excluded": "more than 5% of a model's answers are left out",
    "missing-scores": "answers without a score, and errors, are left out and not counted as 0",
    "no-score": "a model has no score at all",
    "one-question": "a model answered one question, so there is no standard error",
    "one-cluster": "all questions are in one cluster, so there is no standard error",
    "no-interval": "the standard error is 0 and says nothing, so there is no interval",
    "too-few": "questions or clusters are too few for an interval",
    "saturated": "every answer of a model is right, or every one is wrong",
    "few-clusters": "standard errors rest on few clusters",
    "overlap": "comparisons use fewer than 95% of a model's questions",
    "no-common-question": "two models have no question in common",
    "low-coverage": "a certified interval holds the truth less often than it says",
}


def reference() -> str:
    """The table of all codes for the guide, in Markdown.

    >>> print(reference().splitlines()[2])
    | `fictional` | the models are fictional and their scores generated |
    """
    rows = ["| code | says |", "| --- | --- |"]
    return "\n".join([*rows, *(f"| `{code}` | {says} |" for code, says in CODES.items())]) + "\n"
