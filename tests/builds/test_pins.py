"""What the two commands of README install, on every Python that the project allows."""

import tomllib
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from support.places import ROOT


def pins():
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line.strip() and not line.startswith("#")]


def test_each_pin_can_be_installed_by_the_lowest_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lowest = project["requires-python"].removeprefix(">=") + ".0"
    read, refused = 0, []
    for pin in pins():
        try:
            found = distribution(pin.name)
        except PackageNotFoundError:  # of an extra that is not installed here
            continue
        needs = SpecifierSet(found.metadata.get("Requires-Python") or "")
        if found.version in pin.specifier:
            read += 1
            if lowest not in needs:
                refused.append(f"{pin} needs Python {needs}")
    assert read > 100
    assert not refused
