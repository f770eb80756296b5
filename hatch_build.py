"""What hatch asks for when reportkit is built: the entry points, those of nbconvert made from the
registry of document formats, and the schema of results.json, made from the records.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


@contextmanager
def importable(root: str) -> Iterator[None]:
    """The package as it lies here; what is imported needs the standard library alone."""
    sys.path.insert(0, root)
    try:
        yield
    finally:
        sys.path.remove(root)


class EntryPoints(MetadataHookInterface):
    """Makes the entry points of pyproject.toml, which says that they are dynamic."""

    def update(self, metadata: dict) -> None:
        with importable(self.root):
            from reportkit.documents import entry_points
            from reportkit.kernels import ENTRY_POINTS
        metadata["entry-points"] = {"nbconvert.exporters": entry_points(), **ENTRY_POINTS}


class ResultsSchema(BuildHookInterface):
    """Puts results.schema.json into the wheel; of an editable install, beside the code."""

    def initialize(self, version: str, build_data: dict) -> None:
        with importable(self.root):
            from reportkit.schema import results_schema
        text = json.dumps(results_schema(), indent=1) + "\n"
        self.folder = tempfile.TemporaryDirectory()
        if version == "editable":
            Path(self.root, "reportkit", "results.schema.json").write_text(text, encoding="utf-8")
            return
        path = Path(self.folder.name, "results.schema.json")
        path.write_text(text, encoding="utf-8")
        build_data["force_include"][str(path)] = "reportkit/results.schema.json"

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        self.folder.cleanup()
