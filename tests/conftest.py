"""Every run draws the same examples: a failure on one machine is a failure on all."""

import gc
import os
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from reportkit.builds.build import build
from reportkit.kernels import client, provisioner
from reportkit.text.notebooks import light_nbformat

# A build of a test has no server of its own: most notebooks of tests are small, or are forked from
# the one of `warm`. What is said of forked kernels sets it to 1.
os.environ.setdefault("REPORTKIT_FORK", "0")

# Before a test imports jsonschema, which beside JupyterLab builds a grammar of addresses.
light_nbformat()

settings.register_profile("same-every-time", derandomize=True, deadline=None)
settings.load_profile("same-every-time")

# Garbage is looked for seldom, and never among modules and tests, which stay: that took a tenth of
# the time of all tests.
gc.set_threshold(100_000, 10, 10)

# no tests: what tests share, and scripts that run with a harness of their own
collect_ignore = ["support"]


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.fixture(scope="session")
def server():
    """The process that kernels of the tests are forked from, as those of one build are; it begins
    as soon as a test asks for it. None where kernels cannot be forked.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "_can", lambda: sys.platform == "linux")
        with client.serving(["reportkit.documents.make"]) as origin:
            client.join(None)
            patch.undo()
            yield origin
            client.join(origin)


@pytest.fixture(scope="module")
def warm(server):
    """For a module whose builds ask nothing of how a kernel begins: a second instead of six. Where
    a test sets the environment, its kernels are processes of their own as ever.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provisioner, "fork", forked_into)
        client.join(server)
        yield
        client.join(None)


@pytest.fixture(scope="session")
def demo_reports(request, tmp_path_factory) -> Path:
    """Two evals of the demonstration and their suite with all files, for tests that only read: the
    first worker that asks builds them, two at once, and all others find them there.
    """
    top = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent  # of all workers
    out = top / "demonstration"
    with FileLock(top / "demonstration.lock"):
        if not out.exists():
            joined = client._here
            client.join(request.getfixturevalue("server"))
            summary = build(eval="MGSM,HumanEval", out=top / "unfinished", jobs=2)
            client.join(joined)
            assert (summary.failures, summary.status) == ({}, 0)
            (top / "unfinished").rename(out)
    return out


def forked_into(command, env, folder):
    """A server forks kernels of the folder that it began in alone: one of a test's own goes there
    before its first cell.
    """
    if client._here is None:
        return None
    there = f"--IPKernelApp.exec_lines=__import__('os').chdir({folder!r})"
    return client.fork([*command, there], env, client._here.folder)


@pytest.fixture
def cold():
    """For a test of such a module that does ask."""
    joined = client._here
    client.join(None)
    yield
    client.join(joined)
