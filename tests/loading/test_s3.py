"""Scores in a bucket: a real server of the S3 protocol on this machine, with credentials that are
right, wrong or missing, lines that break, and objects that are cut.
"""

import hashlib
import os
import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import boto3
import fsspec
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from moto.server import ThreadedMotoServer
from support.small_notebooks import small_notebook

from reportkit import read_scores
from reportkit.cli import commands, main
from reportkit.errors import OutputError, ReportkitError, ScoresError
from reportkit.loading import import_work
from reportkit.loading.importing import import_scores
from reportkit.loading.store import remote as store_remote

BUCKET = "s3://bucket"
MARK = "_reportkit.json"


class Server:
    """A server with one bucket. use(url): where programs of this test reach it."""

    def __init__(self, url: str, monkeypatch: pytest.MonkeyPatch):
        self.url, self._monkeypatch = url, monkeypatch
        self.client = boto3.client("s3", endpoint_url=url)
        self.use(url)

    def use(self, url: str, **environment: str) -> None:
        fsspec.get_filesystem_class("s3").clear_instance_cache()  # each has a session of its own
        for name, value in {"AWS_ENDPOINT_URL": url, **environment}.items():
            self._monkeypatch.setenv(name, value)

    def put(self, name: str, data: bytes) -> None:
        self.client.put_object(Bucket="bucket", Key=name, Body=data)

    def get(self, name: str) -> bytes:
        return self.client.get_object(Bucket="bucket", Key=name)["Body"].read()

    def names(self) -> list[str]:
        return [o["Key"] for o in self.client.list_objects_v2(Bucket="bucket").get("Contents", [])]

    def delete(self, name: str) -> None:
        self.client.delete_object(Bucket="bucket", Key=name)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3(address, monkeypatch, tmp_path) -> Iterator[Server]:
    for name in [n for n in os.environ if n.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "someone")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # a broken line is tried again, with pauses: twice is enough to see it
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr("s3fs.S3FileSystem.retries", 2)
    server = Server(address, monkeypatch)
    server.client.create_bucket(Bucket="bucket")
    yield server
    for name in server.names():
        server.delete(name)
    server.client.delete_bucket(Bucket="bucket")


def table(questions: int = 40) -> bytes:
    rows = [
        f"{m},q{k},{(k * n) % 3 % 2}" for n, m in ((1, "A"), (2, "B")) for k in range(questions)
    ]
    return ("\n".join(["model,question_id,score", *rows]) + "\n").encode()


def local_copy(folder: Path, names: tuple[str, ...] = ("e.csv", "f.csv")) -> str:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(table())
    return str(folder)


def said(*command: str) -> tuple[int, str]:
    """Status and stderr of a command."""
    result = CliRunner().invoke(commands, list(command))
    if isinstance(result.exception, ReportkitError):
        return 2, f"reportkit: {result.exception}\n"
    return result.exit_code, result.stderr


def sentence(*command: str) -> str:
    """The one sentence with which a command ends with status 2."""
    status, told = said(*command)
    assert status == 2, (status, told)
    lines = [line for line in told.splitlines() if not line.startswith(("reading ", "skipped "))]
    assert len(lines) == 1 and lines[0].startswith("reportkit: "), told
    return lines[0].removeprefix("reportkit: ")


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    return one.astype(str).equals(other.astype(str))


# Reading ------------------------------------------------------------------------------------------


def test_a_file_a_folder_and_a_glob_are_what_they_are_here(s3, tmp_path):
    here = local_copy(tmp_path / "in")
    for name in ("e.csv", "f.csv"):
        s3.put(f"in/{name}", table())
    assert same(read_scores(f"{BUCKET}/in/e.csv"), read_scores(f"{here}/e.csv"))
    for source in (f"{BUCKET}/in", f"{BUCKET}/in/*.csv"):
        assert same(read_scores(source), read_scores(here))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (f"{BUCKET}/gone.csv", "no such file or folder"),
        ("s3://nobucket/x.csv", "no such file or folder"),
    ],
)
def test_what_is_not_there(s3, source, why):
    assert sentence("check", source) == f"{source}: cannot be read: {why}"


@pytest.mark.slow
def test_without_credentials_and_without_a_server(s3):
    s3.put("e.csv", table())
    s3.use("http://127.0.0.1:1")
    assert "Could not connect to the endpoint" in sentence("check", f"{BUCKET}/e.csv")
    s3.use(s3.url, AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")
    assert "Unable to locate credentials" in sentence("check", f"{BUCKET}/e.csv")
    assert "Unable to locate credentials" in sentence(
        "import", f"{BUCKET}/e.csv", "--to", f"{BUCKET}/scores"
    )


@contextmanager
def only_for(key: str, s3: Server) -> Iterator[None]:
    """The server behind a door that asks for the access key, as each request signs it."""

    def change(request: bytes) -> bytes | None:
        if f"Credential={key}/".encode() in request:
            return None
        body = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
        return (
            b"HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        )

    with door(s3, answer=change):
        yield


@contextmanager
def door(
    s3: Server, answer=lambda _request: None, cut=lambda _request: -1
) -> Iterator[list[bytes]]:
    """Between the programs and the server. answer: to a request, in the server's place, or None.
    cut: after how many bytes of the answer to a request the line breaks; -1: never. Yields the
    requests' first lines.
    """
    seen: list[bytes] = []
    host, port = s3.url.removeprefix("http://").split(":")

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            request = head(self.request)
            if not request:
                return
            seen.append(request.split(b"\r\n", 1)[0])
            instead = answer(request)
            if instead is not None:
                rest_of(self.request, request)
                self.request.sendall(instead)
                return
            left = cut(request)
            if left == 0:
                return
            # one request a connection, so that each is looked at
            request = re.sub(rb"(?im)^connection:[^\r]*\r\n", b"", request)
            request = request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            with socket.create_connection((host, int(port))) as server:
                server.sendall(request + rest_of(self.request, request))
                while block := server.recv(65536):
                    if 0 <= left <= len(block):
                        self.request.sendall(block[:left])
                        return
                    self.request.sendall(block)
                    left -= len(block) if left > 0 else 0

    class Door(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Door(("127.0.0.1", 0), Handler) as here:
        threading.Thread(target=here.serve_forever, daemon=True).start()
        s3.use(f"http://127.0.0.1:{here.server_address[1]}")
        try:
            yield seen
        finally:
            here.shutdown()
            s3.use(s3.url)


def head(line: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        block = line.recv(65536)
        if not block:
            return b""
        data += block
    return data


def rest_of(line: socket.socket, request: bytes) -> bytes:
    """What of a request's body has not been read."""
    top, _, body = request.partition(b"\r\n\r\n")
    if b"100-continue" in top.lower():
        line.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    length = re.search(rb"(?im)^content-length: (\d+)", top)
    rest, left = b"", (int(length[1]) if length else 0) - len(body)
    while left > len(rest):
        block = line.recv(65536)
        if not block:
            break
        rest += block
    return rest


@pytest.mark.slow
def test_credentials_that_are_wrong_and_right(s3):
    s3.put("e.csv", table())
    with only_for("someone", s3):
        assert len(read_scores(f"{BUCKET}/e.csv")) == 80
    with only_for("another", s3):
        told = sentence("check", f"{BUCKET}/e.csv")
        assert re.search("cannot be read: .*; check the credentials, and what they allow$", told)
        told = sentence("import", f"{BUCKET}/e.csv", "--to", f"{BUCKET}/scores")
        assert "check the credentials" in told
    assert s3.names() == ["e.csv"]


@pytest.mark.slow
def test_one_who_may_read_but_not_write_hears_it_before_anything_is_there(s3, tmp_path):
    here = local_copy(tmp_path / "in")

    def read_only(request: bytes) -> bytes | None:
        if not request.startswith(b"PUT "):
            return None
        return b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

    with door(s3, answer=read_only):
        told = sentence("import", here, "--to", f"{BUCKET}/scores")
    assert re.search("s3://bucket/scores/runs.parquet: cannot be written: .*credentials", told)
    assert s3.names() == []


def is_get(request: bytes, name: bytes) -> bool:
    return request.startswith(b"GET ") and name + b" HTTP" in request.split(b"\r\n", 1)[0]


@pytest.mark.slow
@pytest.mark.parametrize("after", (0, 400))
def test_a_line_that_breaks_in_the_middle(s3, tmp_path, after):
    """Once: the file system tries again. Every time: one sentence, and nothing half-written."""
    s3.put("in/e.csv", table(4000))
    breaks = iter([after])
    once = lambda r: next(breaks, -1) if is_get(r, b"e.csv") else -1  # noqa: E731
    with door(s3, cut=once):
        assert len(read_scores(f"{BUCKET}/in/e.csv")) == 8000
    assert next(breaks, None) is None
    with door(s3, cut=lambda r: after if is_get(r, b"e.csv") else -1) as seen:
        told = sentence("check", f"{BUCKET}/in/e.csv")
        assert told.startswith(f"{BUCKET}/in/e.csv: cannot be read: ")
        assert sum(line.startswith(b"GET ") and b"e.csv" in line for line in seen) > 1
        out = tmp_path / "r"
        assert sentence("build", f"{BUCKET}/in/e.csv", "--out", str(out)) == told
        assert not out.exists()
        sentence("import", f"{BUCKET}/in/e.csv", "--to", f"{BUCKET}/scores")
    assert s3.names() == ["in/e.csv"]


# Scores folders -----------------------------------------------------------------------------------


def test_an_import_into_a_bucket_is_the_folder_that_one_here_is(s3, tmp_path):
    here = local_copy(tmp_path / "in")
    import_scores([here], tmp_path / "scores")
    done = import_scores([here], f"{BUCKET}/scores")
    assert (len(done.added), done.runs, done.rows, done.folder) == (2, 4, 160, f"{BUCKET}/scores")
    written = {n.removeprefix("scores/"): s3.get(n) for n in s3.names()}
    for name, data in written.items():
        assert data == (tmp_path / "scores" / name).read_bytes(), name
        if name.startswith("eval="):
            assert Path(name).stem == hashlib.sha256(data).hexdigest()[:24]
    files = [p for p in (tmp_path / "scores").rglob("*") if p.is_file()]
    assert len(written) == len([p for p in files if ".reportkit" not in p.parts])
    assert same(read_scores(f"{BUCKET}/scores"), read_scores(tmp_path / "scores"))
    again = import_scores([here], f"{BUCKET}/scores")
    assert (len(again.unchanged), again.added, again.replaced) == (2, [], [])
    (tmp_path / "in/e.csv").write_bytes(table(60))
    changed = import_scores([here], f"{BUCKET}/scores")
    assert (len(changed.replaced), len(changed.unchanged), changed.rows) == (1, 1, 200)
    assert len(read_scores(f"{BUCKET}/scores", evals=["e"])) == 120
    with pytest.raises(ScoresError, match="a scores folder already"):
        import_scores([f"{BUCKET}/scores"], f"{BUCKET}/other")


@pytest.mark.slow
def test_a_build_from_a_bucket_has_the_numbers_of_one_from_here(s3, tmp_path, monkeypatch):
    import_scores([local_copy(tmp_path / "in")], f"{BUCKET}/scores")
    cell = (
        "from reportkit.loading.handover import read_handover\nrows = read_handover().scores.rows"
    )
    last = "print(rows.drop(columns='run_id', errors='ignore').to_csv())"
    notebook = str(small_notebook(tmp_path / "m.ipynb", cell, last))
    options = ("--formats", "md", "--notebook", notebook)
    assert (
        said("build", f"{BUCKET}/scores", "--eval", "e", "--out", str(tmp_path / "r"), *options)[0]
        == 0
    )
    text = (tmp_path / "r/e/report.md").read_text()
    assert text.count(",ok") == 80


@pytest.mark.slow
def test_what_is_not_a_scores_folder_is_left_alone(s3, tmp_path):
    here = local_copy(tmp_path / "in")
    s3.put("mine/notes.txt", b"hello")
    with pytest.raises(OutputError, match=r"no scores folder, and it holds 'notes.txt'"):
        import_scores([here], f"{BUCKET}/mine")
    with pytest.raises(OutputError, match="cannot be written"):
        import_scores([here], "s3://nobucket/scores")
    with pytest.raises(OutputError, match="of this machine or of an object store"):
        import_scores([here], "https://127.0.0.1/scores")
    (tmp_path / "empty").mkdir()
    status, told = said("import", str(tmp_path / "empty"), "--to", f"{BUCKET}/new")
    assert status == 2 and "no scores could be read" in told
    assert s3.names() == ["mine/notes.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("cut", ("half", "empty", "gone"))
@pytest.mark.parametrize("which", ("eval=e/", "runs.parquet", MARK))
def test_an_object_that_was_cut_is_one_sentence(s3, tmp_path, which, cut):
    """As by a tool that copies a folder and is stopped: what is cut is never read as scores."""
    import_scores([local_copy(tmp_path / "in")], f"{BUCKET}/scores")
    [name] = [n for n in s3.names() if which in n][:1]
    data = s3.get(name)
    s3.delete(name) if cut == "gone" else s3.put(name, data[: len(data) // 2 * (cut == "half")])
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    told = sentence("table", "means", f"{BUCKET}/scores", "--eval", "e")
    assert f"{BUCKET}/scores" in told
    assert re.search("damaged|gone|import the logs|part of|no such|scores folder", told), told
    if which == "eval=e/":
        out = tmp_path / "r"
        assert "damaged or gone" in sentence(
            "build", f"{BUCKET}/scores", "--eval", "e", "--out", str(out)
        )
        assert not out.exists()
        assert len(read_scores(f"{BUCKET}/scores", evals=["f"])) == 80  # the other eval is whole


@pytest.mark.slow
def test_a_flipped_bit_is_found(s3, tmp_path):
    """By the checksums of the pages. The answers of this file fill most of it."""
    rng = np.random.default_rng(1)
    rows = [f"A,q{k},{v:.6f}" for k, v in enumerate(rng.random(3000))]
    (tmp_path / "e.csv").write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    import_scores([str(tmp_path / "e.csv")], f"{BUCKET}/scores")
    [name] = [n for n in s3.names() if "/eval=e/" in n and "questions" not in n]
    data = s3.get(name)
    for at in rng.integers(200, len(data) // 2, 10):
        flipped = bytearray(data)
        flipped[at] ^= 1 << int(rng.integers(8))
        s3.put(name, bytes(flipped))
        assert "damaged or gone" in sentence("table", "means", f"{BUCKET}/scores")


@pytest.mark.slow
@pytest.mark.parametrize("stop", (1, 2, 3, 4, 5, 6))
def test_an_import_that_is_cut_off_leaves_what_was_listed(s3, tmp_path, stop):
    """At each of its writes: the one that is not done, and all after it."""
    here = local_copy(tmp_path / "in")
    if stop % 2:  # an import before it
        import_scores([f"{here}/e.csv"], f"{BUCKET}/scores")
        before = read_scores(f"{BUCKET}/scores")
    n_writes = 0

    def broken(request: bytes) -> int:
        nonlocal n_writes
        n_writes += request.startswith(b"PUT ")
        return 0 if n_writes >= stop and request.startswith(b"PUT ") else -1

    with door(s3, cut=broken) as seen:
        (tmp_path / "in/e.csv").write_bytes(table(60))
        status, told = said("import", here, "--to", f"{BUCKET}/scores")
    if n_writes < stop:
        assert status == 0
        return
    assert status == 2 and "cannot be written" in told and "Traceback" not in told, (told, seen)
    if stop % 2:
        assert same(read_scores(f"{BUCKET}/scores"), before)
    import_scores([here], f"{BUCKET}/scores")
    assert len(read_scores(f"{BUCKET}/scores")) == 120 + 80


@pytest.mark.slow
def test_two_imports_at_once_lose_nothing(s3, tmp_path, monkeypatch):
    """The one that commits last, of what it saw before the other, does not."""
    here = local_copy(tmp_path / "in")
    import_scores([f"{here}/e.csv"], f"{BUCKET}/scores")
    real = import_work.part_of

    def meanwhile(*arguments):
        monkeypatch.setattr(import_work, "part_of", real)
        (tmp_path / "g.csv").write_bytes(table())
        import_scores([str(tmp_path / "g.csv")], f"{BUCKET}/scores")
        return real(*arguments)

    monkeypatch.setattr(import_work, "part_of", meanwhile)
    with pytest.raises(
        OutputError, match="another import has changed it meanwhile; .*import again"
    ):
        import_scores([here], f"{BUCKET}/scores")
    assert sorted(read_scores(f"{BUCKET}/scores")["eval"].unique()) == ["e", "g"]
    import_scores([here], f"{BUCKET}/scores")
    assert sorted(read_scores(f"{BUCKET}/scores")["eval"].unique()) == ["e", "f", "g"]


@pytest.mark.slow
def test_what_nothing_lists_goes_when_it_is_old(s3, tmp_path, monkeypatch):
    here = local_copy(tmp_path / "in")
    import_scores([here], f"{BUCKET}/scores")
    left = "scores/eval=e/0123456789abcdef.parquet"
    s3.put(left, b"of an import that was cut off")
    import_scores([here], f"{BUCKET}/scores")
    assert left in s3.names()  # an import may be at work on it
    monkeypatch.setattr(store_remote, "OLD", store_remote.timedelta(seconds=-60))
    import_scores([here], f"{BUCKET}/scores")
    assert left not in s3.names() and len(read_scores(f"{BUCKET}/scores")) == 160


@pytest.mark.slow
def test_a_process_sees_what_others_replaced(s3, tmp_path):
    """File systems keep listings; a scores folder is looked at anew."""
    here = local_copy(tmp_path / "in")
    import_scores([here], f"{BUCKET}/scores")
    assert len(read_scores(f"{BUCKET}/scores")) == 160
    other = f"{tmp_path}/other"
    (tmp_path / "in/e.csv").write_bytes(table(60))
    import_scores([here], other)
    for path in Path(other).rglob("*.parquet"):
        s3.put(f"scores/{path.relative_to(other).as_posix()}", path.read_bytes())
    assert len(read_scores(f"{BUCKET}/scores")) == 200


@pytest.mark.slow
def test_main_ends_with_status_2(s3, capsys):
    with pytest.raises(SystemExit) as end:
        main(["check", f"{BUCKET}/gone"])
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        f"reportkit: {BUCKET}/gone: cannot be read: no such file or folder\n"
    )
    assert "no scores could be read" in sentence("import", f"{BUCKET}/gone", "--to", f"{BUCKET}/s")
    assert s3.names() == []
