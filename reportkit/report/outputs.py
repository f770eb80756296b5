"""manifest.json's last part: each file that a report left, with its hash."""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

# What a report writes. Its folder may be the user's own and hold other files.
OWN = (
    "results.json",
    "numbers.tex",
    "numbers.md",
    "reportkit-preamble.tex",
    "report.*",
    "tables/*",
    "figures/*",
)


def record_outputs(folder: Path, patterns: Iterable[str] = OWN) -> None:
    """Write `outputs` into the folder's manifest.json: the sha256 of each file by its path there.

    Called when the last document is made; called again, it replaces what it wrote. The manifest
    itself and hidden files are no outputs.
    """
    path = folder / "manifest.json"
    found = {p for pattern in patterns for p in folder.glob(pattern) if p.is_file()}
    hashes = {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in found
        if p != path and not p.name.startswith(".")
    }
    made = json.loads(path.read_text(encoding="utf-8"))
    made["outputs"] = dict(sorted(hashes.items()))
    aside = path.with_name(".manifest.json.part")
    text = json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False)
    aside.write_text(text + "\n", encoding="utf-8", errors="replace", newline="\n")
    os.replace(aside, path)
