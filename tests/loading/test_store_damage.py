"""Scores folders that a disk, a copy or a killed program has damaged: nothing is read as other
data, and what can be mended is.

What is expected is what the folder gave before it was damaged.
"""

import os
import random
import shutil
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from support.helm_logs import helm

from reportkit import read_scores
from reportkit.cli import commands
from reportkit.errors import ReportkitError, ScoresError
from reportkit.loading import import_work
from reportkit.loading.importing import import_scores
from reportkit.loading.store import contents
from reportkit.loading.store import packs as store_packs
from reportkit.loading.store.files import seal_of
from reportkit.loading.store.repair import repair_scores, verify_scores
from reportkit.publishing.aside import STATE

AT_1 = Path(__file__).parent / "scores_at_1"


def table(path: Path, eval: str, models=("A", "B"), n: int = 6) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{eval},{m},q{k},{(k * 3 + j) % 2},t{k % 2}" for j, m in enumerate(models)
            for k in range(n)]  # fmt: skip
    path.write_text("\n".join(["eval,model,question_id,score,metadata.topic", *rows]) + "\n")


@pytest.fixture
def logs(tmp_path) -> Path:
    helm(tmp_path / "logs/1", "m")
    helm(tmp_path / "logs/2", "k", scores=(1.0, 1.0, 0.0))
    table(tmp_path / "logs/t.csv", "plain")
    helm(tmp_path / "logs/3", "broken").write_text("[{")
    return tmp_path / "logs"


@pytest.fixture
def scores(logs, tmp_path) -> Path:
    import_scores([logs], tmp_path / "scores")
    return tmp_path / "scores"


def told(folder: Path) -> str:
    """All that is read of a folder, as text."""
    unread: list[tuple[str, str]] = []
    frame = read_scores(folder, skipped=lambda path, why: unread.append((path, why)))
    texts = frame.astype(object).to_csv(index=False)
    return f"{texts}{sorted(unread)}{contents(str(folder))[0]!r}"


def parts(folder: Path) -> list[Path]:
    """What is read of a folder."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and STATE not in p.parts)


def flips(folder: Path, n: int, seed: int, but: str = "") -> tuple[int, int]:
    """Flips one bit at a time and reads; how often it was refused, and how often the same was read
    in spite of it.
    """
    whole, rng = told(folder), random.Random(seed)
    files = {p: p.read_bytes() for p in parts(folder) if p.name != but}
    refused = same = 0
    for k in range(n):
        path = list(files)[k % len(files)]
        data = bytearray(files[path])
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            assert told(folder) == whole, f"{path.name} was read as other data"
            same += 1
        except ScoresError as error:
            assert "\n" not in str(error)
            refused += 1
        path.write_bytes(files[path])
    return refused, same


def test_no_flipped_bit_is_read_as_other_data(scores):
    refused, same = flips(scores, 40, seed=1)
    # The mark is one of six files. A flip in it that leaves JSON of a format that is read, as
    # "scores@2", changes nothing.
    assert len(parts(scores)) == 6 and refused + same == 40 and refused >= 32


@pytest.mark.slow
def test_no_flipped_bit_of_400_is_read_as_other_data(scores):
    refused, same = flips(scores, 400, seed=2)
    assert refused + same == 400 and refused >= 330


@pytest.mark.slow
def test_nor_is_one_in_a_folder_of_the_format_before(tmp_path):
    """Its files have hashes for names too. Its list of runs has no seal, so it is left out."""
    folder = Path(shutil.copytree(AT_1, tmp_path / "old"))
    refused, same = flips(folder, 100, seed=3, but="runs.parquet")
    assert refused + same == 100 and refused >= 85


def test_every_byte_of_the_list_of_runs_counts_for_its_seal(scores):
    data = (scores / "runs.parquet").read_bytes()
    assert seal_of(data) is True
    for k in range(len(data)):
        assert not seal_of(data[:k] + bytes([data[k] ^ 16]) + data[k + 1 :])


def said(*command: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(commands, list(command))
    if isinstance(done.exception, ReportkitError):
        return 2, done.stdout, f"{done.stderr}reportkit: {done.exception}\n"
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def flip(path: Path) -> None:
    """One bit in the middle: the size stays."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_verify_names_what_is_damaged_and_mends_it_from_its_log(logs, scores):
    whole = told(scores)
    status, out, _ = said("import", "--verify", "--to", str(scores))
    assert status == 0 and "every byte is as it was written, 4 runs in 4 files" in out
    [rows] = scores.glob("eval=reading/*.parquet")
    flip(rows)
    name = rows.relative_to(scores).as_posix()
    assert list(verify_scores(scores).damaged) == [name]
    status, _, err = said("import", "--verify", "--to", str(scores))
    assert status == 2 and f"damaged {scores}/{name}: its bytes are not those of its name" in err
    assert "lost reading, m: of" in err and "mend it from the logs" in err
    with pytest.raises(ScoresError, match="--verify"):
        read_scores(scores)
    status, out, _ = said("import", str(logs), "--verify", "--to", str(scores))
    assert status == 0 and "0 added, 0 replaced, 3 unchanged" in out
    assert verify_scores(scores).damaged == {} and told(scores) == whole


def test_what_no_log_can_mend_is_told_and_taken_out_by_repair(logs, scores):
    [rows] = scores.glob("eval=reading/*.parquet")
    flip(rows)
    shutil.rmtree(logs / "1")
    status, _, err = said("import", str(logs), "--verify", "--to", str(scores))
    assert status == 2 and "what is damaged could not be read from its logs again" in err
    status, out, err = said("import", "--repair", "--to", str(scores))
    assert status == 0 and "holds 3 runs; 1 run lost" in out and "lost reading, m: of" in err
    assert list(read_scores(scores)["model"].unique()) == ["A", "B", "k"]
    assert verify_scores(scores).damaged == {} and not rows.exists()


@pytest.mark.parametrize("damage", ["flipped", "gone", "mark", "both gone"])
def test_the_list_of_runs_is_made_again_from_the_files(scores, damage):
    frame, runs = read_scores(scores), contents(str(scores))[0]
    names = {"mark": ["_reportkit.json"], "both gone": ["_reportkit.json", "runs.parquet"]}
    for name in names.get(damage, ["runs.parquet"]):
        if damage == "flipped":
            flip(scores / name)
        else:
            (scores / name).unlink()
    if damage != "both gone":  # then nothing says that it is a scores folder
        with pytest.raises(ScoresError):
            read_scores(scores)
    found = repair_scores(scores)
    assert (found.runs, found.lost) == (4, [])
    pd.testing.assert_frame_equal(read_scores(scores), frame)
    again = contents(str(scores))[0]
    assert [(e.source, e.run, e.content, e.columns) for e in again] == [
        (e.source, e.run, e.content, e.columns) for e in runs
    ]


def test_after_a_repair_the_next_import_reads_each_log_again_and_changes_nothing(logs, scores):
    whole, names = told(scores), parts(scores)
    flip(scores / "runs.parquet")
    status, out, err = said("import", str(logs), "--repair", "--to", str(scores))
    assert status == 0 and "0 added, 0 replaced, 3 unchanged, 1 skipped" in out
    assert "holds 4 runs; 0 runs lost" in out and "damaged" in err
    assert parts(scores) == names and told(scores) == whole


def test_two_versions_of_a_source_are_neither_chosen(logs, scores):
    """As an import leaves them that is killed before it sweeps, in a folder whose list is lost."""
    old = {p: p.read_bytes() for p in scores.glob("eval=reading/*.parquet")}
    helm(logs / "1", "m", scores=(0.0, 0.0, 0.0))
    import_scores([logs / "1", logs / "2"], scores)
    for path, data in old.items():
        path.write_bytes(data)
    (scores / "runs.parquet").unlink()
    found = repair_scores(scores)
    assert {e.run.model for e in found.lost} == {"m", "k"} and found.runs == 2
    import_scores([logs / "1", logs / "2"], scores)
    frame = read_scores(scores, evals=["reading"])
    assert frame[frame["model"] == "m"]["score"].tolist() == [0.0, 0.0, 0.0]


def test_files_of_an_older_version_say_nothing_of_their_runs_and_are_left_alone(tmp_path):
    folder = Path(shutil.copytree(AT_1, tmp_path / "scores"))
    before = {p: p.read_bytes() for p in parts(folder)}
    (folder / "runs.parquet").write_bytes(b"PAR1")
    with pytest.raises(ScoresError, match="5 files of an older version.*into a new folder"):
        repair_scores(folder)
    (folder / "runs.parquet").write_bytes(before[folder / "runs.parquet"])
    assert {p: p.read_bytes() for p in parts(folder)} == before


def test_a_folder_of_another_tool_is_no_scores_folder(scores, tmp_path):
    """Repaired, its files would be taken for damaged ones and removed."""
    frame = read_scores(scores)[["eval", "model", "score"]].astype(object)
    frame.to_parquet(tmp_path / "hive", partition_cols=["eval"])
    before = parts(tmp_path / "hive")
    with pytest.raises(ScoresError, match="no scores folder is there"):
        repair_scores(tmp_path / "hive")
    (tmp_path / "hive/runs.parquet").write_bytes(b"")
    with pytest.raises(ScoresError, match="no file that an import wrote"):
        repair_scores(tmp_path / "hive")
    assert [p for p in parts(tmp_path / "hive") if p.suffix == ".parquet"][:-1] == before


def test_where_nothing_is_left_nothing_is_removed(scores):
    for path in [*scores.glob("eval=*/*.parquet"), scores / "runs.parquet"]:
        flip(path)
    before = parts(scores)
    with pytest.raises(ScoresError, match="and so is every file of answers"):
        repair_scores(scores)
    assert parts(scores) == before


def test_no_scores_folder_is_a_sentence(tmp_path):
    for way in ("--verify", "--repair"):
        status, _, err = said("import", way, "--to", str(tmp_path))
        assert status == 2 and "no scores folder is there" in err
    assert list(tmp_path.iterdir()) == []


# Written durably, in few files ------------------------------------------------------------


def test_files_and_folders_are_on_the_disk_before_the_list_names_them(logs, tmp_path, monkeypatch):
    """As the system sees it: each file is flushed before it gets its name, the folder after that,
    and the list of runs comes last.
    """
    done: list[tuple[str, str]] = []
    fsync, replace = os.fsync, os.replace

    def seen(number: int) -> None:
        done.append(("fsync", os.readlink(f"/proc/self/fd/{number}")))
        fsync(number)

    def moved(source, target) -> None:
        assert ("fsync", str(source)) in done
        done.append(("move", str(target)))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", seen)
    monkeypatch.setattr(os, "replace", moved)
    import_scores([logs / "1", logs / "t.csv"], tmp_path / "new/scores")
    moves = [k for k, (what, _) in enumerate(done) if what == "move"]
    assert len(moves) == 7  # list and mark of an empty folder, four files, the list
    for k in moves:
        assert done[k + 1] == ("fsync", str(Path(done[k][1]).parent))
    assert done[moves[-1]][1].endswith("scores/runs.parquet")
    # each new folder stands in the folder above it
    assert {("fsync", str(tmp_path / "new/scores")), ("fsync", str(tmp_path / "new"))} <= {*done}


def rows_of(folder: Path) -> list[int]:
    return [pq.read_metadata(p).num_rows for p in sorted(folder.glob("eval=*/*.parquet"))]


def test_many_small_logs_become_one_file_and_so_do_later_ones(tmp_path, monkeypatch):
    for k in range(12):
        table(tmp_path / f"logs/{k:02d}.csv", "plain", models=(f"m{k}",))
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    assert rows_of(tmp_path / "scores") == [72]
    monkeypatch.setattr(store_packs, "FEW", 2)
    for k in (12, 13):  # night after night
        table(tmp_path / f"logs/{k:02d}.csv", "plain", models=(f"m{k}",))
        import_scores([tmp_path / "logs"], tmp_path / "scores")
    assert rows_of(tmp_path / "scores") == [84]
    import_scores([tmp_path / "logs"], tmp_path / "again")
    pd.testing.assert_frame_equal(read_scores(tmp_path / "scores"), read_scores(tmp_path / "again"))
    # the same bytes, whatever the way there
    assert [p.name for p in parts(tmp_path / "scores") if p.parent.name == "eval=plain"] == [
        p.name for p in parts(tmp_path / "again") if p.parent.name == "eval=plain"
    ]


def test_files_are_full_at_so_many_rows_and_full_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(store_packs, "FULL", 20)
    monkeypatch.setattr(store_packs, "FEW", 1)
    monkeypatch.setattr(import_work, "WAITING", 30)
    for k in range(9):
        table(tmp_path / f"logs/{k}.csv", "plain", models=(f"m{k}",))
    import_scores([tmp_path / "logs"], tmp_path / "scores")
    assert sorted(rows_of(tmp_path / "scores")) == [18, 18, 18]
    expected = read_scores(tmp_path / "logs")[["model", "question_id", "score"]]
    found = read_scores(tmp_path / "scores")[["model", "question_id", "score"]].astype(object)
    pd.testing.assert_frame_equal(found, expected.astype(object), check_dtype=False)


def test_runs_whose_columns_differ_share_a_file_where_their_types_allow(tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    heads = {"a": "topic", "b": "other", "c": "topic", "d": "n_tokens"}
    values = {"a": ("x", "y"), "b": ("u", "v"), "c": ("y", "z"), "d": ("1", "2")}
    for m, column in heads.items():
        rows = [f"e,{m},q{k},{k % 2},{values[m][k]}" for k in range(2)]
        text = "\n".join([f"eval,model,question_id,score,{column}", *rows])
        (logs / f"{m}.csv").write_text(text)
    (logs / "e.csv").write_text("eval,model,question_id,epoch,score\ne,z,q0,first,1\n")
    import_scores([logs], tmp_path / "scores")
    assert sorted(rows_of(tmp_path / "scores")) == [1, 8]  # epochs that are names, in one
    direct, stored = read_scores(logs), read_scores(tmp_path / "scores")
    columns = [*direct.columns]
    assert {*columns} <= {*stored.columns}
    for frame in (direct, stored):
        frame["key"] = frame["model"].astype(str) + frame["question_id"].astype(str)
    for column in columns:
        pairs = [dict(zip(f["key"], f[column].astype(str), strict=True)) for f in (direct, stored)]
        assert pairs[0] == pairs[1] or column in ("topic", "other", "cluster_id"), column
        texts = [{k: v for k, v in p.items() if v not in ("None", "nan")} for p in pairs]
        assert texts[0] == texts[1], column


def test_hidden_state_is_in_one_place_and_swept(scores, logs):
    dead = scores / STATE / "work" / "files-dead"
    (dead / "new").mkdir(parents=True)
    (dead / "part-1").write_bytes(b"half")
    import_scores([logs / "1"], scores)
    hidden = sorted(p.relative_to(scores).as_posix() for p in (scores / STATE).rglob("*"))
    assert set(hidden) <= {f"{STATE}/{n}" for n in (".gitignore", "lock", "turn", "work")}
    assert [p.name for p in scores.iterdir() if p.name.startswith(".")] == [STATE]
