"""The guide's files as they are: links, pictures, and what they tell to install. The site that is
built from them is asked more by test_site.py.
"""

import re
from urllib.parse import urlsplit

from support.guide import PAGES, page_id
from support.places import ROOT


def test_links_of_the_sources_lead_to_files_of_the_repository():
    """A reader of the files themselves, in a repository's browser, can follow them too."""
    broken = []
    for source in PAGES:
        # links in code are no links
        text = re.sub(r"^```.*?^```$", "", source.read_text("utf-8"), flags=re.M | re.S)
        for url in re.findall(r"\]\(([^)\s]+)\)", text):
            path = urlsplit(url).path
            if not urlsplit(url).scheme and path and not (source.parent / path).exists():
                broken.append(f"{page_id(source)}: {url}")
    assert broken == []


def test_the_readme_is_short_and_shows_what_comes_out_first():
    """At most 120 lines; a picture of a table and one of a figure in the first screen."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 120
    pictures = [n for n, line in enumerate(lines) if line.startswith("![")]
    assert len(pictures) == 2 and pictures[-1] < 20


def test_pictures_are_small():
    """Each is below 100 KB, so that the repository stays light."""
    sizes = {p.name: p.stat().st_size for p in (ROOT / "docs/images").glob("*.png")}
    assert sizes and [name for name, size in sizes.items() if size > 100_000] == []


def test_nobody_is_told_to_install_what_has_the_name_on_pypi():
    """It is another project's: an extra is added in a checkout, or from a repository's address."""
    told = [
        f"{path.relative_to(ROOT)}: {match}"
        for path in (*PAGES, *(ROOT / "reportkit").rglob("*.py"), *(ROOT / "notebooks").iterdir())
        for match in re.findall(
            r"pip install [\\\"']*reportkit(?!\[\w+\] @ git)\b.*", path.read_text("utf-8")
        )
        if "does not install this one" not in match
    ]
    assert told == []
