"""Runs the installed lm-eval on the tasks of a folder, with a model made up here: lm_eval_run.py
TASKS OUT NAME [arguments].
"""

import functools
import hashlib
import sys


def share(*of: object) -> float:
    """A number in [0, 1) that depends on the names alone."""
    return int(hashlib.sha256(repr(of).encode()).hexdigest()[:12], 16) / 16**12


def run(tasks: str, out: str, model: str, *further: str) -> None:
    import lm_eval
    import lm_eval.tasks
    from lm_eval.__main__ import cli_evaluate
    from lm_eval.api.model import LM
    from lm_eval.api.registry import register_model

    @register_model("made-up")
    class MadeUp(LM):
        def __init__(self, model="m", **_):
            super().__init__()
            self.model = model

        def loglikelihood(self, requests, disable_tqdm=False):
            return [(-4 * share(self.model, *r.args), False) for r in requests]

        def generate_until(self, requests, disable_tqdm=False):
            """Right, right with words before it, or wrong."""
            answers = []
            for request in requests:
                right, kind = request.doc["answer"], int(3 * share(self.model, request.args[0]))
                answers.append((right, f"It is {right}", "none")[kind])
            return answers

        def loglikelihood_rolling(self, requests, disable_tqdm=False):
            return [-10 * share(self.model, r.args[0]) for r in requests]

    # Most of a run would read the 13,000 tasks that come with lm-eval; ours stand in a folder of
    # their own.
    lm_eval.tasks.TaskManager = functools.partial(lm_eval.tasks.TaskManager, include_defaults=False)
    # What mcc would bootstrap for minutes is not what we look at.
    lm_eval.simple_evaluate = functools.partial(lm_eval.simple_evaluate, bootstrap_iters=10)
    sys.argv = [
        "lm_eval",
        "run",
        "--model",
        "made-up",
        "--model_args",
        f"model={model}",
        "--include_path",
        tasks,
        "--output_path",
        out,
        "--log_samples",
        *further,
    ]
    cli_evaluate()


if __name__ == "__main__":
    run(*sys.argv[1:])
