"""Where the checkout lies, and the real data beside it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
LOGS = DATA / "logs"


def needs(folder: Path) -> pytest.MarkDecorator:
    """The mark of tests that read real data: they are skipped where the folder is not there."""
    name = folder.relative_to(ROOT.parent).as_posix()
    return pytest.mark.skipif(
        not folder.is_dir(), reason=f"the real data (../{name}) are not beside this checkout"
    )
