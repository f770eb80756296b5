"""Makes logs with the installed inspect-ai and make-believe models, offline: `python
inspect_fresh_logs.py OUT [killed]`.

Question k of n has the answer "k"; a model answers right where its rule says so. Each log is in a
folder of its own.
"""

import math
import os
import signal
import sys
from pathlib import Path

from inspect_ai import Epochs, Task, eval_set, task
from inspect_ai import eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    ProvenanceData,
    invalidate_samples,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentImage,
    ContentText,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    TopLogprob,
    get_model,
)
from inspect_ai.scorer import Score, accuracy, choice, includes, mean, scorer, std, stderr
from inspect_ai.solver import generate, multiple_choice, solver

# else mockllm counts with a tokenizer it downloads
USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def model(name="alpha", logprobs=None):
    """Says "1" to every question, or, with logprobs, the likeliest letter."""

    def reply(input, tools, tool_choice, config):
        said = ModelOutput.from_content(name, "1")
        if logprobs:
            top = [TopLogprob(token=t, logprob=math.log(p)) for t, p in logprobs.items()]
            message = ChatMessageAssistant(
                content=f"ANSWER: {top[0].token.strip()}", source="generate"
            )
            content = [Logprob(token=top[0].token, logprob=top[0].logprob, top_logprobs=top)]
            said.choices = [
                ChatCompletionChoice(message=message, logprobs=Logprobs(content=content))
            ]
        said.usage = USAGE
        return said

    config = GenerateConfig(temperature=0.25)
    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False, config=config)


def questions(n, ids=True, **more):
    return [
        Sample(
            id=f"q{k}" if ids else None,
            input=f"Question {k}?",
            target=str(k),
            metadata={
                "group": f"g{k // 3}",
                "k": k,
                "even": k % 2 == 0,
                "text": "x" * 500,
                "list": [1],
            },
            **more,
        )
        for k in range(n)
    ]


def number(state):
    return int(state.target.text)


@scorer(metrics=[accuracy(), stderr(), stderr(cluster="group")])
def letters():
    async def score(state, target):
        return (
            Score(value="CPINC"[number(state) % 5]) if number(state) != 7 else Score(value=math.nan)
        )

    return score


@scorer(metrics={"right": [accuracy(), stderr()], "närhet k": [mean(), std(), stderr()]})
def rubric():
    async def score(state, target):
        k = number(state)
        return Score(value={"right": k % 2 == 0, "närhet k": k / 10, "why": "because"})

    return score


@scorer(metrics=[accuracy(), stderr()])
def by_epoch():
    """Right in epoch e of question k where k + e is divisible by 3; the last epoch of q0 is
    unscored.
    """

    async def score(state, target):
        if number(state) == 0 and state.epoch == 4:
            return Score(value=math.nan)
        return Score(value=int((number(state) + state.epoch) % 3 == 0))

    return score


@scorer(metrics=[])
def words():
    async def score(state, target):
        return Score(value="refused" if number(state) else "answered")

    return score


@solver
def fails(at=(), stop=None, once=()):
    """Raises on the questions `at`, once on those of the list `once`; at question 5 the process
    gets the signal `stop`.
    """

    async def solve(state, generate):
        if number(state) in at:
            raise ValueError("no luck")
        if number(state) in once:
            once.remove(number(state))
            raise ValueError("no luck at first")
        if stop and number(state) == 5:
            os.kill(os.getpid(), stop)
        return await generate(state)

    return solve


@task
def graded(n: int = 10, style: str = "plain"):
    return Task(dataset=questions(n), solver=fails(at=(3,)), version=3,
                scorer=[letters(), rubric(), rubric(), includes(), includes()])  # fmt: skip


@task
def repeated():
    return Task(
        dataset=questions(6),
        solver=generate(),
        scorer=by_epoch(),
        epochs=Epochs(4, ["mean", "pass_at_2", "mode"]),
    )


@task
def plain(at=(), stop=None, flaky=False):
    return Task(
        dataset=questions(10),
        solver=fails(at, stop, [3] if flaky else []),
        scorer=includes(),
        version="2-b",
    )


@task
def shuffled(seed=0):
    data = MemoryDataset(questions(8, ids=False))
    data.shuffle(seed)
    return Task(dataset=data, solver=generate(), scorer=includes())


@task
def letters_of(**how):
    data = [
        Sample(
            id=f"c{k}",
            input="Which one?",
            choices=["red", f"blue {k}", "green"],
            target="ABC"[k % 3],
            metadata={"subject": f"s{k % 3}"},
        )
        for k in range(6)
    ]
    return Task(dataset=data, solver=multiple_choice(**how), scorer=choice(),
                metrics=[accuracy(), stderr(), stderr(cluster="subject")],
                config=GenerateConfig(logprobs=True, top_logprobs=3, temperature=0.0))  # fmt: skip


@task
def long_texts():
    data = [Sample(id=w, input="word " * 2000 + w, target="1") for w in ("first?", "second?")]
    return Task(dataset=data, solver=generate(), scorer=includes())


@task
def images():
    seen = [ContentText(text="What is this?"), ContentImage(image=PIXEL)]
    asked = {
        "image": seen,
        "words": [ContentText(text="What is this?"), ContentText(text="(Image)")],
    }
    data = [Sample(id=k, input=[ChatMessageUser(content=v)], target="1") for k, v in asked.items()]
    return Task(dataset=data, solver=generate(), scorer=includes())


@task
def unscored():
    return Task(dataset=questions(3), solver=generate(), scorer=words())


def large(path: str, n: int) -> None:
    """A log of n samples, written without a run."""
    text = "A question of some length, as they are, with two sentences. What is the answer to it? "
    samples = [
        EvalSample(
            id=f"q{k}",
            epoch=1,
            input=f"{text * 3}{k}",
            target=str(k),
            metadata={"subject": f"s{k % 50}"},
            scores={"match": Score(value="CI"[k % 2], answer=str(k), explanation=text)},
        )
        for k in range(n)
    ]
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="large",
        model="mockllm/alpha",
        config=EvalConfig(),
        dataset=EvalDataset(samples=n, sample_ids=[s.id for s in samples]),
    )
    write_eval_log(EvalLog(status="success", eval=spec, samples=samples), path)


def main(out: Path, killed: bool) -> None:
    same = {"display": "none", "log_model_api": False, "max_samples": 1}

    def to(name, made, **more):
        return run(
            made,
            **{
                "model": model(),
                "log_dir": str(out / name),
                "fail_on_error": False,
                **same,
                **more,
            },
        )

    if killed:
        to("killed", plain(stop=signal.SIGKILL), log_buffer=1)
    to("graded", graded(n=9, style="of, k=v"))
    to("json", graded(), log_format="json")
    to("score_on_error", plain(at=(1, 2)), score_on_error=True)
    to("repeated", repeated())
    for seed in (1, 2):
        to(f"shuffled{seed}", shuffled(seed), model=model(f"m{seed}"))
    to("choices", letters_of(), model=model(logprobs={"A": 0.5, " B": 0.2, "B": 0.1, "C": 0.1}))
    to("choices_few", letters_of(), model=model(logprobs={"A": 0.5, "B": 0.2}))
    to(
        "choices_shuffled",
        letters_of(shuffle=True),
        model=model(logprobs={"A": 0.5, "B": 0.2, "C": 0.1}),
    )
    to(
        "choices_several",
        letters_of(multiple_correct=True),
        model=model(logprobs={"A": 0.5, "B": 0.2, "C": 0.1}),
    )
    to("long", long_texts())
    to("images", images())
    to("limit", plain(), limit=(2, 6))
    to("named", plain(), sample_id=["q1", "q2"])
    to("unscored", unscored())
    [log] = to("invalidated", plain())
    whole = read_eval_log(log.location)
    edited = invalidate_samples(
        whole, [whole.samples[0].uuid], ProvenanceData(author="a", reason="b")
    )
    write_eval_log(edited, log.location)
    again = {
        "retry_attempts": 2,
        "retry_wait": 0.01,
        "retry_cleanup": False,
        "retry_immediate": False,
    }
    eval_set(
        [plain(flaky=True)],
        log_dir=str(out / "set"),
        model=model(),
        fail_on_error=True,
        **again,
        **same,
    )
    to("cancelled", plain(stop=signal.SIGINT))


if __name__ == "__main__":
    # a parent that ignores interrupts, as nohup does, would have them ignored here too
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(Path(sys.argv[1]), sys.argv[2:] == ["killed"])
