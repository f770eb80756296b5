"""What an installed reportkit tells other tools, for a process that runs the checkout."""

import os
from pathlib import Path

from reportkit.documents import entry_points
from reportkit.kernels import ENTRY_POINTS
from support.places import ROOT


def environment(folder: Path) -> dict[str, str]:
    """The environment of a process that finds reportkit and its entry points."""
    about = folder / "reportkit_entry-0.dist-info"
    about.mkdir(parents=True)
    groups = {"nbconvert.exporters": entry_points(), **ENTRY_POINTS}
    lines = []
    for group, named in groups.items():
        lines += [f"[{group}]", *(f"{k} = {v}" for k, v in named.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: reportkit-entry\nVersion: 0\n")
    paths = [str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
