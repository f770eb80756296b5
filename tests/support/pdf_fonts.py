"""The fonts in a PDF."""

import subprocess
from pathlib import Path


def embedded(path: Path) -> set[str]:
    """Names of the fonts of a PDF, and that each is inside the file."""
    lines = subprocess.run(
        ["pdffonts", path], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert all(line.split()[-5] == "yes" for line in lines), lines
    return {line.split()[0].partition("+")[2] for line in lines}
