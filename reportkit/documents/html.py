"""report.html: one page that needs no other file, asks no host and runs its own script alone."""

from dataclasses import replace

from reportkit.documents.document import Document, converted, rendered
from reportkit.documents.offline import offline
from reportkit.documents.page import arrange
from reportkit.text.brought import content_policy, table_script
from reportkit.version import __version__


def write(document: Document) -> str:
    outputs = {i for i, b in enumerate(document.blocks) if b.kind == "text/html"}
    blocks = converted(document, "text/html", "html")
    texts = [offline(b.text, document.folder) if b.kind == "raw" else "" for b in blocks]
    texts, contents = arrange(texts, outputs)
    headed = [i for i, text in enumerate(texts) if text.startswith("<h2 ")]
    return rendered(
        document,
        "html",
        [
            replace(b, text=text) if b.kind == "raw" else b
            for b, text in zip(blocks, texts, strict=True)
        ],
        contents=contents,
        last=headed[-1] if headed else None,
        script=table_script,
        policy=content_policy,
        version=__version__,
    )
