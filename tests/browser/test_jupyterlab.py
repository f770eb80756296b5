"""The template in a real JupyterLab: all its cells run, tables and figures are seen."""

import contextlib
import io
import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.installed import environment

from reportkit.documents import FORMATS
from reportkit.text.assets import asset

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WAIT = 120_000  # milliseconds, for a machine with other work


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """JupyterLab on this machine alone, without a token, in a folder with the template."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copy(asset("notebooks", "template.ipynb"), folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.root_dir": folder,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": "",
        "LabApp.extension_manager": "readonly",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    homes = {
        name: str(folder / ".home")
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR")
    }
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *(f"--{k}={v}" for k, v in options.items())],
            cwd=folder, env=environment(folder / ".installed") | homes, stdout=log, stderr=log,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            assert process.poll() is None, (folder / "log").read_text()[-2000:]
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}/api", timeout=5).read()
                break
            time.sleep(0.25)
        yield address, folder
    finally:
        process.terminate()
        process.wait(30)


def got(page: Page, address: str) -> bytes:
    """As the page asks for it: the server answers no other."""
    answer = page.context.request.get(address, headers={"Referer": page.url}, timeout=WAIT)
    assert answer.status == 200, answer.text()[-500:]
    return answer.body()


def holds_outputs(notebook: Path) -> bool:
    """Whether the saved notebook has outputs; not yet, while the server still writes it."""
    try:
        cells = json.loads(notebook.read_text())["cells"]
    except json.JSONDecodeError:
        return False
    return any(cell.get("outputs") for cell in cells)


def test_the_template_runs_and_shows_tables_and_figures(server, chromium):
    address, folder = server
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    asked: list[str] = []
    try:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/lab/tree/template.ipynb", timeout=WAIT)
        page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for(timeout=WAIT)
        # before its kernel is ready, the page would ask which one to take
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=WAIT)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        notebook = page.locator(".jp-NotebookPanel")
        said = notebook.locator(".jp-OutputArea-output", has_text="No document was made")
        said.wait_for(state="attached", timeout=WAIT)
        page.keyboard.press("Control+s")
        saved = folder / "template.ipynb"
        deadline = time.monotonic() + 60
        while not holds_outputs(saved):
            assert time.monotonic() < deadline, "the notebook was not saved"
            time.sleep(0.25)
        assert notebook.locator(".jp-OutputArea-output[data-mime-type$=stderr]").count() == 0
        # Miller 2024, Table 2: MATH of Galleon 65.5% (0.7%), of Dreadnought 63.0% (0.7%).
        means = notebook.locator("figure.rk-table", has_text="65.5% (0.7%)").first
        means.scroll_into_view_if_needed()
        expect(means).to_be_visible()
        expect(means).to_contain_text("63.0% (0.7%)")
        drawn = notebook.locator("figure.rk-figure img").first
        drawn.scroll_into_view_if_needed()
        expect(drawn).to_be_visible()
        assert drawn.evaluate("i => i.decode().then(() => i.naturalWidth)") > 100
        # what "Save and Export Notebook As" lists, and does
        listed = json.loads(got(page, f"{address}/api/nbconvert"))
        ours = {name for name in listed if name.startswith("reportkit")}
        assert ours == {f"reportkit_{name}" for name in FORMATS}
        html = got(page, f"{address}/nbconvert/reportkit_html/template.ipynb").decode()
        assert "<title>MATH</title>" in html and "65.5% (0.7%)" in html
        assert "No document was made" not in html
        zipped = io.BytesIO(got(page, f"{address}/nbconvert/reportkit_md/template.ipynb"))
        with zipfile.ZipFile(zipped) as archive:
            text = archive.read("template.md").decode()
            shown = re.findall(r"!\[[^\]]*\]\(\./([^)]+)\)", text)
            assert shown and set(shown) <= set(archive.namelist())
        page.screenshot(path=str(folder / "seen.png"))
    finally:
        context.close()
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {address.split("/")[2]}
    cells = json.loads(saved.read_text())["cells"]
    assert not any(o.get("output_type") == "error" for c in cells for o in c.get("outputs", []))
    assert (folder / "reports" / "MATH" / "tables" / "means.tex").is_file()
    assert not (folder / "reports" / "MATH" / "report.html").exists()
