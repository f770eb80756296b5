"""report.md: Markdown as GitHub reads it, its images in figures/."""

import re

from markupsafe import Markup

from reportkit.documents.document import Document, changed, converted, rendered
from reportkit.documents.pandoc import github_math
from reportkit.text.escaping import isolated_names

# A link to the page of another report of the same build: GitHub shows the source of a page, and
# the Markdown beside it as text.
_PAGE = re.compile(r"(?<!\\)(\]\(\.\./[^()\s]+/report)\.html\)")


def write(document: Document) -> str:
    blocks = changed(converted(document, "text/markdown", "md"), github_math)
    blocks = changed(blocks, lambda text: _PAGE.sub(r"\1.md)", text))
    return isolated_names(rendered(document, "md", blocks, fence=_fence))


def _fence(text: str) -> Markup:
    """A fence longer than any in the text."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    return Markup("`" * (longest + 1))
