"""Logs of Inspect AI: the shared real ones against the numbers that Inspect itself wrote, and
broken and hostile files.

Expected numbers: expected.json beside the shared logs, copied from `log.results`, which Inspect
computed in the run.
"""

import asyncio
import json
import math
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support import places
from support.inspect_logs import ours, read

from reportkit import read_scores
from reportkit.errors import MissingPackageError
from reportkit.inputs.files import BrokenFile, File
from reportkit.readers import inspect
from reportkit.readers.inspect.fields import p_correct
from reportkit.readers.inspect.values import as_number
from reportkit.scores.selfcheck import computed

LOGS = places.LOGS / "inspect"
EXPECTED = (
    json.loads((LOGS / "expected.json").read_text(encoding="utf-8"))["logs"]
    if LOGS.is_dir()
    else []
)
shared = places.needs(LOGS)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> bytes:
    from support.inspect_fresh_logs import large
    from support.own_thread import own_thread

    path = tmp_path_factory.mktemp("small") / "small.eval"
    own_thread(large)(str(path), 4)
    return path.read_bytes()


@shared
@pytest.mark.parametrize("told", EXPECTED, ids=lambda t: Path(t["file"]).stem[26:])
def test_every_mean_and_error_that_inspect_wrote_comes_out_of_the_rows(told):
    run = read(LOGS / told["file"])
    assert (run.eval, run.model, run.eval_version) == (
        told["task"],
        told["model"],
        str(told["task_version"]),
    )
    assert (run.run_id, run.task_id, run.status) == (
        told["eval_id"],
        told["task_id"],
        told["status"],
    )
    assert run.n_planned == told["total_samples"]
    assert bool(run.limit) == (told["limit"] is not None)
    answered = run.rows.groupby(["question_id", "epoch"]).ngroups
    assert answered == told["n_summaries"]
    # One entry for each scorer, reducer and error; every one is compared, or says why it is not.
    pairs = [
        (s, m) for s in told["scores"] for k, m in s["metrics"].items() if k.startswith("stderr")
    ]
    errors = [h for h in run.harness_metrics if not h.called]
    assert len(errors) == len(pairs)
    for h, (score, metric) in zip(errors, pairs, strict=True):
        assert h.mean == next(
            score["metrics"][k]["value"] for k in ("accuracy", "mean") if k in score["metrics"]
        )
        assert h.se == metric["value"]
        assert h.cluster == (f"metadata.{c}" if (c := metric["params"].get("cluster")) else "")
        assert bool(h.reason) == (score["reducer"] in ("pass_at_2", "mode"))
        assert h.how == (score["reducer"] if h.reason else "mean-cr1" if h.cluster else "mean")
        if not h.reason:
            assert ours(run, h.metric, h.cluster) == pytest.approx((h.mean, h.se), abs=1e-9)
        assert computed(
            run.rows[run.rows["metric"] == h.metric], h.how, h.cluster, inspect.READER.computation
        ) == pytest.approx((h.mean, h.se), abs=1e-9)
        rows = run.rows[run.rows["metric"] == h.metric]
        scored = rows[rows["status"] == "ok"]["question_id"].nunique()
        assert (scored, rows["question_id"].nunique() - scored) == (
            score["scored_samples"],
            score["unscored_samples"],
        )


@shared
def test_a_folder_of_logs_becomes_one_scores_table():
    frame = read_scores(
        LOGS, skipped=lambda path, reason: skipped.append((Path(path).name, reason))
    )
    assert set(frame["model"]) == {"mockllm/alpha", "mockllm/beta", "mockllm/gamma"}
    assert set(frame["eval"]) == {
        "arithmetic",
        "reading",
        "arithmetic_epochs",
        "graded",
        "mcq_logprobs",
    }
    limited = next(
        reason for name, reason in skipped if name.endswith("WrbM7RMfKi4b8Z4joLDtFU.json")
    )
    # the same model's full run of the eval is there
    assert limited.startswith("30 of 60 questions (limit=30)")


skipped: list[tuple[str, str]] = []


@shared
def test_the_same_question_has_the_same_hash_in_each_models_log():
    runs = [read(LOGS / t["file"]) for t in EXPECTED if t["task"] == "mcq_logprobs"]
    hashes = [dict(zip(r.rows["question_id"], r.rows["content_hash"], strict=True)) for r in runs]
    assert len(runs) == 3 and hashes[0] == hashes[1] == hashes[2]
    assert len(set(hashes[0].values())) == 60


def test_logs_are_recognised_without_inspect_ai_which_is_named_where_it_is_needed(
    tmp_path, monkeypatch, small
):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    (tmp_path / "a.bin").write_bytes(small)
    (tmp_path / "b.json").write_text('{\n "version": 2,\n "status": "error",\n "eval": {')
    (tmp_path / "logs.json").write_text('{"a b.eval": {"version": 2, "status": "success"}}')
    (tmp_path / "eval-set.json").write_text('{"eval_set_id": "x", "tasks": []}')
    (tmp_path / "c.json").write_text('{"version": 2, "eval": {}}')
    names = ("a.bin", "b.json", "logs.json", "eval-set.json", "c.json")
    assert [inspect.claims(File(str(tmp_path / n))) for n in names] == [
        "run",
        "run",
        "part",
        "part",
        "",
    ]
    with pytest.raises(MissingPackageError, match=r'pip install -e "\.\[inspect\]"'):
        read(tmp_path / "a.bin")


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_json", ".json"), data)
    return path


def test_a_file_that_is_cut_off_empty_or_no_log_is_one_sentence(tmp_path, small):
    head = b'{\n "version": 2,\n "status": "success",\n "eval": {"task": "t"'
    files = {
        "cut.eval": small[: len(small) // 2],
        "empty.eval": b"",
        "half.json": head,
        "not.json": head + b"}, 1: []}",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    zipped(tmp_path / "other.eval", readme=b"hello")
    zipped(tmp_path / "hollow.eval", header_json=b'{"version": 2}', summaries_json=b"[]")
    zipped(tmp_path / "lists.eval", header_json=b"[1]", summaries_json=b"{}")
    for name in (*files, "other.eval", "hollow.eval", "lists.eval"):
        file = File(str(tmp_path / name))
        assert inspect.claims(file) == "run"
        with pytest.raises(BrokenFile) as error:
            inspect.read(file)
        assert str(error.value).startswith(f"{file.path}: ") and "\n" not in str(error.value)


def test_a_member_that_claims_or_unpacks_to_gigabytes_is_refused_before_it_is_unpacked(
    tmp_path, monkeypatch
):
    claims = zipped(tmp_path / "claims.eval", header_json=b"{}", summaries_json=b"[]")
    data = bytearray(claims.read_bytes())
    entry = data.index(b"PK\x01\x02")
    # uncompressed size in the zip's directory
    data[entry + 24 : entry + 28] = (3 * 2**30).to_bytes(4, "little")
    claims.write_bytes(data)
    lies = zipped(tmp_path / "lies.eval", header_json=bytes(2**22), summaries_json=b"[]")
    data = bytearray(lies.read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (2).to_bytes(4, "little")
    lies.write_bytes(data)
    with pytest.raises(BrokenFile, match="unpacks to more than 64 MB"):
        read(claims)
    monkeypatch.setattr(inspect, "FREE", 2**21)
    with pytest.raises(BrokenFile, match="unpacks to more than"):
        read(lies)


def test_names_in_the_zip_are_no_paths(tmp_path, small):
    inner = tmp_path / "in" / "logs"
    inner.mkdir(parents=True)
    path = inner / "a.eval"
    path.write_bytes(small)
    with zipfile.ZipFile(path, "a") as archive:
        for name in ("../../evil.json", "/evil.json", "samples/../../../evil_epoch_1.json"):
            archive.writestr(name, "{}")
    assert read(path).rows["question_id"].tolist() == ["q0", "q1", "q2", "q3"]
    assert [p.name for p in tmp_path.rglob("*")] == ["in", "logs", "a.eval"]


@pytest.mark.parametrize("name", ["a b%20c [1] é.eval", "no suffix", "log.zip"])
def test_a_log_is_read_whatever_its_name(tmp_path, small, name):
    (tmp_path / name).write_bytes(small)
    assert len(read(tmp_path / name).rows) == 4
    assert set(read_scores(tmp_path)["eval"]) == {"large"}


def test_a_log_is_read_from_a_url_and_within_a_notebooks_loop(tmp_path, small):
    import fsspec

    with fsspec.open("memory://logs/a.eval", "wb") as out:
        out.write(small)
    assert len(read("memory://logs/a.eval").rows) == 4
    (tmp_path / "a.eval").write_bytes(small)

    async def cell():
        return read(tmp_path / "a.eval")

    assert len(asyncio.run(cell()).rows) == 4


@pytest.mark.parametrize(
    "value, number",
    # value_to_float of inspect-ai, but for text, lists and infinities, of which that says 0
    [
        ("C", 1),
        ("I", 0),
        ("P", 0.5),
        ("N", 0),
        (True, 1),
        ("YES", 1),
        ("false", 0),
        ("0.25", 0.25),
        (3, 3),
    ],
)
def test_values_are_numbers_as_inspect_has_them(value, number):
    from inspect_ai.scorer import value_to_float

    assert as_number(value) == value_to_float()(value) == number


@pytest.mark.parametrize("value", ["refused", "c", [1.0], "inf", None])
def test_text_and_lists_are_no_score(value):
    assert as_number(value) is None


def test_unscored_is_nan():
    assert math.isnan(as_number(math.nan)) and np.isnan(as_number(np.nan))


def test_half_a_character_in_a_log_is_its_escape(tmp_path, small):
    (tmp_path / "small.eval").write_bytes(small)
    with (
        zipfile.ZipFile(tmp_path / "small.eval") as before,
        zipfile.ZipFile(tmp_path / "odd.eval", "w") as after,
    ):
        for name in before.namelist():
            text = before.read(name).decode()
            for part in ("mockllm/alpha", '"q1', '"s1', '"match'):
                text = text.replace(part, part + r"\ud800")
            after.writestr(name, text)
    run = read_scores(tmp_path / "odd.eval")
    assert run["model"].unique() == [r"mockllm/alpha\ud800"] and run["metric"].unique() == [
        r"match\ud800"
    ]
    assert (
        run["question_id"].to_list() == ["q0", r"q1\ud800", "q2", "q3"]
        and run["metadata.subject"][1] == r"s1\ud800"
    )


# The probability of the right choice --------------------------------------------------------------

LETTERS = {" A": 0.01, " B": 0.97, " C": 0.01, " D": 0.01}
# letters among the likeliest, none of them said
BARE = {"ANSWER": 0.9, "A": 0.04, "B": 0.001, "C": 0.001, "D": 0.001}


def share(*tokens, target="B"):
    """p_correct of four choices for an answer whose tokens are given, each with the probabilities
    of the likeliest.
    """
    from inspect_ai.log import EvalSample
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        Logprob,
        Logprobs,
        ModelOutput,
        TopLogprob,
    )

    content = [
        Logprob(token=said, logprob=math.log(top.get(said, 1e-9)),
                top_logprobs=[TopLogprob(token=t, logprob=math.log(p)) for t, p in top.items()])
        for said, top in tokens
    ]  # fmt: skip
    message = ChatMessageAssistant(content="".join(said for said, _ in tokens))
    output = ModelOutput(
        choices=[ChatCompletionChoice(message=message, logprobs=Logprobs(content=content))]
    )
    return p_correct(
        EvalSample(id=1, epoch=1, input="?", choices=list("wxyz"), target=target, output=output)
    )


def one(token):
    return token, {token: 1.0}


@pytest.mark.parametrize(
    "tokens",
    [
        [("ANSWER", BARE), one(":"), (" B", LETTERS)],
        [("ANSWER", BARE), one(": "), (" B", LETTERS)],
        [("ANSWER", BARE), one(":"), one(" "), (" B", LETTERS), one("."), one("\n")],
        # after reasoning
        [one("A"), one(" sum"), one(".\n"), one("ANSWER"), one(":"), (" B", LETTERS)],
        # Inspect reads the last
        [one("ANSWER: A"), one(", no.\n"), one("Answer"), one(":"), (" B", LETTERS)],
        [("\n", BARE), (" B", LETTERS)],  # nothing says ANSWER:
        [(" B", LETTERS), one(")"), one(" x")],
        [
            ("ANSWER", BARE),
            one(":"),
            ("ĠB", {k.replace(" ", "Ġ"): p for k, p in LETTERS.items()}),
            one("<|im_end|>"),
        ],
    ],
)
def test_the_probability_is_that_of_the_token_which_is_the_answer(tokens):
    assert share(*tokens) == pytest.approx(0.97, abs=1e-12)  # of the four letters' 1.00 in LETTERS


@pytest.mark.parametrize(
    "tokens",
    [
        [("ANSWER", BARE), one(":")],  # cut off
        [("ANSWER", BARE), one(":"), ("**", {"**": 0.9} | LETTERS)],  # the answer is a later token
        [("ANSWER", BARE), one(": B")],
        [("The", BARE), one(" answer")],
        [("B", BARE), one("ecause")],  # a word that begins as a letter
        [("A", BARE), one(" good"), one(" one")],
        # C is unknown, and with it the whole
        [(" B", {k: p for k, p in LETTERS.items() if k != " C"})],
        [],
    ],
)
def test_where_the_answers_token_is_not_known_the_probability_is_not(tokens):
    assert share(*tokens) is None


def test_a_small_letter_is_the_letter_as_it_is_for_inspect():
    top = {"b": 0.90, "A": 0.04, "a": 0.02, "B": 0.01, "C": 0.01, "D": 0.01}
    assert share(("b", top)) == pytest.approx(0.91 / 0.99)  # b and B of all but what is no letter
    assert share(("b", top), target="A") == pytest.approx(0.06 / 0.99)


def test_what_was_drawn_counts_where_it_is_not_among_the_likeliest():
    top = {"A": 0.5, "C": 0.2, "D": 0.2}
    assert share(("B", top)) == pytest.approx(1e-9 / (0.9 + 1e-9))  # share() gives it 1e-9


@pytest.mark.parametrize("odd", [math.nan, 1e9, 1.0])
def test_log_probabilities_that_are_none_give_no_probability(odd):
    from types import SimpleNamespace as Odd  # math.log of no number gives these

    top = [
        Odd(token=t, logprob=lp) for t, lp in (("A", odd), ("B", -1.0), ("C", -2.0), ("D", -2.0))
    ]
    logprobs = Odd(content=[Odd(token="B", logprob=-1.0, top_logprobs=top)])
    assert (
        p_correct(
            Odd(target="B", choices=list("wxyz"), output=Odd(choices=[Odd(logprobs=logprobs)]))
        )
        is None
    )
