"""Kills the saving of an eval's report at each of its changes: `python FILE FOLDER`.

It is a process of its own, and saves no report itself: what is killed is forked from it, and
Typst's threads, once they were begun here, would be missing there. The numbers are made once.
"""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from reportkit.kernels import server
from reportkit.publishing.aside import turn
from reportkit.report import Report
from support.kills import every_kill, killed, left_over, whole


def nothing_left(home: Path) -> bool:
    with turn(home):  # whatever starts next
        return left_over(home) == []


def main(folder: Path) -> None:
    out = folder / "reports" / "MGSM"

    def made(level: float) -> Callable[[], None]:
        report = Report(eval="MGSM", out=str(out), level=level)

        def save() -> None:
            report.figure("means", "column")
            report.finish(documents=False)

        return save

    def before() -> None:
        shutil.rmtree(folder / "reports", ignore_errors=True)
        shutil.copytree(folder / "good", folder / "reports")

    server.prepare(())
    first, second = made(0.95), made(0.9)
    server.without_threads()
    assert killed(first, folder, 10**6)
    shutil.copytree(folder / "reports", folder / "good")
    old = whole(out)
    found, kills = set(), -1
    for kill in every_kill(second, folder, before):
        found.add(whole(out))
        assert len(found) <= 2 and old in found, kill
        assert nothing_left(out.parent) and whole(out) in found, kill
        kills += 1
    assert len(found) == 2 and kills > 100, kills
    assert killed(first, folder, 10**6)
    assert whole(out) == old and nothing_left(out.parent)
    print(kills)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
