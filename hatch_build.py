"""What hatch asks for when reportkit is built: nbconvert's entry points, made from the registry of
document formats.
"""

import sys

from hatchling.metadata.plugin.interface import MetadataHookInterface


class EntryPoints(MetadataHookInterface):
    """Makes the entry points of pyproject.toml, which says that they are dynamic."""

    def update(self, metadata: dict) -> None:
        sys.path.insert(0, self.root)
        try:
            from reportkit.documents import entry_points  # needs the standard library alone
        finally:
            sys.path.remove(self.root)
        metadata["entry-points"] = {"nbconvert.exporters": entry_points()}
