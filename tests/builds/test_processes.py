"""What a process of --jobs imports before its first report."""

import subprocess
import sys

CODE = """
import sys
from pathlib import Path
import nbformat
from reportkit.builds import run
from reportkit.builds.job import Job, Output
from reportkit.decisions import Decisions

run._begin(None)
import papermill

def executed(source, target, **_):
    shown = nbformat.v4.new_output("display_data", {"text/plain": "65.5%"})
    cells = [nbformat.v4.new_code_cell("1", outputs=[shown])]
    for name in ("results.json", "manifest.json"):
        Path(target).with_name(name).write_text("{}")
    return nbformat.v4.new_notebook(cells=cells)

papermill.execute_notebook = executed
aside = Path(sys.argv[1])
job = Job("template.ipynb", Decisions(), ("MATH",), "MATH", "MATH", {}, Output())
run.write_report(job, aside)
assert (aside / "report.pdf").is_file()
print(*sorted({"pandas", "scipy", "matplotlib", "gcsfs", "nbconvert"} & set(sys.modules)))
"""


def test_it_imports_nothing_that_makes_numbers(tmp_path):
    """Kernels do that: it took 1.4 of 2.3 seconds of processor time of its start, with papermill's
    clients of clouds.
    """
    command = [sys.executable, "-c", CODE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
