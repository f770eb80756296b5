"""The file of a Word document: what pandoc writes otherwise than readers of the format need it, and
the same bytes each time.
"""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from types import MappingProxyType

from reportkit.documents.docx_tables import APART, HANG


def stable(made: bytes) -> bytes:
    """The file without the time it was made at, its tables as wide as their columns. Paragraphs of
    rows that stay with the next say so themselves: LibreOffice does not read it from their style.
    Text does not touch the number before it. A line of a row's name that goes on is set in. A row
    is whole, and so are "SHA-256" and an option in prose. Captions count themselves, as those that
    Word inserts.
    """

    def width(match: re.Match[str]) -> str:
        total = sum(int(n) for n in re.findall(r'<w:gridCol w:w="(\d+)"', match[3]))
        return f'{match[1]}<w:tblW w:type="dxa" w:w="{total}" />{match[2]}{match[3]}'

    def change(name: str, text: str) -> str:
        if name == "word/document.xml":
            text = text.replace("<wp:inline>", _INLINE)
            text = _KEPT.sub(r"\g<0><w:keepNext />", text)
            text = _NEXT.sub(rf'\1<w:ind w:left="{round(20 * APART)}" />', text)
            text = _NAMES.sub(lambda row: _NAME.sub(_SET_IN, row[0]), text)
            text = _ROW.sub(r"<w:tr><w:trPr><w:cantSplit />\1</w:trPr>", text)
            text = _NOTES.sub(rf"<w:tc><w:tcPr>\1{_BELOW}</w:tcPr>\2", text)
            text = _WHOLE.sub(_in_one, text)
            return _counted(_OPENED.sub(_ALONE, _WIDTH.sub(width, text)))
        if name == "docProps/core.xml":
            return re.sub(r"<dcterms:(created|modified)\b.*?</dcterms:\1>", "", text)
        return text

    return changed(made, change)


def _counted(text: str) -> str:
    """The document with the numbers of its captions as Word's own fields, which a cross-reference
    and a list of figures need; as they are where they are not in order: Word would change them.
    """
    for kind in ("Table", "Figure"):
        caption = re.compile(_CAPTION.replace("KIND", kind), re.DOTALL)
        numbers = [int(m["number"]) for m in caption.finditer(text)]
        if numbers == list(range(1, len(numbers) + 1)):
            text = caption.sub(_FIELD.replace("KIND", kind), text)
    return text


_CAPTION = (
    r'(?P<before><w:pStyle w:val="(?:Table|Image)Caption" />(?:(?!</w:p>|<w:t[ >]).)*)'
    r'<w:r><w:t xml:space="preserve">KIND (?P<number>[1-9]\d*)(?=: )'
)
_MARK = '<w:r><w:fldChar w:fldCharType="{}" /></w:r>'
_FIELD = (
    r'\g<before><w:r><w:t xml:space="preserve">KIND </w:t></w:r>'
    + _MARK.format("begin")
    + r'<w:r><w:instrText xml:space="preserve"> SEQ KIND \\* ARABIC </w:instrText></w:r>'
    + _MARK.format("separate")
    + r"<w:r><w:t>\g<number></w:t></w:r>"
    + _MARK.format("end")
    + '<w:r><w:t xml:space="preserve">'
)
# The notes of a long table are its last row, below the line that ends the table.
_NOTES = re.compile(
    r"<w:tc><w:tcPr(?: />|>((?:(?!</w:tcPr>).)*)</w:tcPr>)"
    r'(<w:p><w:pPr><w:pStyle w:val="TableNote" />)'
)
_BELOW = (
    '<w:tcBorders><w:top w:val="single" w:sz="8" w:space="0" w:color="1C1D1F" />'
    '<w:bottom w:val="nil" /></w:tcBorders>'
)
_ROW = re.compile(r"<w:tr>(?:<w:trPr>(.*?)</w:trPr>)?")
# What a line of LibreOffice ended within. Of code in prose the hyphens of an option: a command
# keeps its own, which are copied.
_CODE = '<w:r><w:rPr><w:rStyle w:val="VerbatimChar" /></w:rPr><w:t xml:space="preserve">'
_WHOLE = re.compile(
    rf"SHA-256(?=[^<]*</w:t>)|(?<=</w:t></w:r>{re.escape(_CODE)})--[a-z][a-z-]*(?=[ <])"
)


def _in_one(match: re.Match[str]) -> str:
    return match[0].replace("-", '</w:t><w:noBreakHyphen /><w:t xml:space="preserve">')


# Without it LibreOffice moves a figure by an eighth of an inch, out of the text's line.
_INLINE = '<wp:inline distT="0" distB="0" distL="0" distR="0">'
# A bracket that pandoc takes for all that a sum is of: LibreOffice misses the one that closes it.
_OPENED = re.compile(r"<m:e>(<m:r>(?:(?!</m:r>).)*<m:t>[(\[]</m:t></m:r>)</m:e></m:nary>")
_ALONE = "<m:e><m:r><m:t>\u200b</m:t></m:r></m:e></m:nary>\\1"
_KEPT = re.compile(r'<w:pStyle w:val="Table(Head|Text)(Small|Smaller)?" />')
# The paragraph of a cell that starts at the left, behind one that ends at the right.
_NEXT = re.compile(
    r'(<w:jc w:val="right" /></w:pPr>(?:(?!<w:pPr>).)*</w:tc><w:tc>(?:(?!<w:pPr>).)*<w:pPr>'
    r'(?:(?!</w:pPr>).)*)(?=<w:jc w:val="left" />)'
)
# The cells of text that a row begins with, and the paragraphs in them that are names.
_NAMES = re.compile(r'<w:tr>(?:(?!</w:tr>|<w:jc w:val="(?:right|center)" />).)*')
_NAME = re.compile(
    r'<w:pStyle w:val="Table(?:Text|Row)(?:Small|Smaller)?" />(?:(?!</w:pPr>).)*'
    r'(?=<w:jc w:val="left" />)'
)
_IN = round(20 * HANG)
_SET_IN = rf'\g<0><w:ind w:left="{_IN}" w:hanging="{_IN}" />'
_WIDTH = re.compile(
    r'(<w:tblPr>(?:(?!</w:tblPr>).)*)<w:tblW w:type="pct" w:w="\d+" />(.*?</w:tblPr>)'
    r"(<w:tblGrid>.*?</w:tblGrid>)"
)


def changed(
    archive: bytes,
    change: Callable[[str, str], str],
    added: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    """The archive with its XML changed, its files in the order of their names, of no date."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in sorted({*old.namelist(), *added}):
            data = added[name] if name in added else old.read(name)
            if name.endswith((".xml", ".rels")):
                data = change(name, data.decode("utf-8")).encode()
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            new.writestr(entry, data, compress_type=zipfile.ZIP_DEFLATED)
    return out.getvalue()
