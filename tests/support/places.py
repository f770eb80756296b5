"""Where the checkout lies, and the real data beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
LOGS = DATA / "logs"
