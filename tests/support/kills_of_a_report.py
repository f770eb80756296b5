"""Kills the making of an eval's report at each of its changes: `python FILE FOLDER`.

It is a process of its own, and runs no report itself: what is killed is forked from it, and Typst's
threads, once they were begun here, would be missing there.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from reportkit.kernels import server
from reportkit.report import Report
from support.kills import every_kill, killed, whole


def make(out: Path, level: float) -> None:
    report = Report(eval="MGSM", out=str(out), level=level)
    report.figure("means", "column")
    report.finish(documents=False)


def main(folder: Path) -> None:
    out = folder / "reports" / "MGSM"

    def made(level: float) -> list[str]:
        return killed(lambda: make(out, level), folder, 10**6)

    server.prepare(())
    server.without_threads()
    assert made(0.95)
    old = whole(out)
    found, kills = set(), -1
    for _ in every_kill(lambda: make(out, 0.9), folder, lambda: made(0.95)):
        found.add(whole(out))
        kills += 1
        assert len(found) <= 2 and found & {old}
    assert len(found) == 2 and kills > 100, kills
    assert made(0.95)
    assert whole(out) == old
    print(kills)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
