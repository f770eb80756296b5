"""HTML that asks no host for anything: scripts and remote loads go, local images move into the page."""

import base64
import html
import mimetypes
import re
from html.parser import HTMLParser
from pathlib import Path

_DROP = {"script", "iframe", "object", "noscript", "frame", "frameset", "applet", "portal"}
_DROP_VOID = {"link", "base", "meta", "embed"}
# What the start of a table's part ends: HTML lets authors leave these end tags out, and pandoc then sees no table.
_CELLS, _ROWS = ("td", "th"), ("td", "th", "tr")
_PARTS = (*_ROWS, "thead", "tbody", "tfoot")
_ENDS = dict.fromkeys(_CELLS, _CELLS) | {"tr": _ROWS} | dict.fromkeys(_PARTS[3:], _PARTS)
_LOADS = {"src", "srcset", "poster", "background", "data", "href", "xlink:href", "imagesrcset"}
_REMOTE_CSS = re.compile(r"@import[^;]*;?|url\(\s*['\"]?\s*(?:[a-z]+:)?//[^)]*\)", re.IGNORECASE)


def data_uri(path: Path) -> str:
    mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"data:{mime};base64,{base64.b64encode(path.read_bytes()).decode()}"


def offline(source: str, folder: Path) -> str:
    """The same HTML without scripts and remote loads; images below `folder` become data URIs.

    >>> offline('<p onclick="x()">a<script src="http://b/c.js"></script><img src="//b/c.png" alt="d"></p>', Path("."))
    '<p>a<a href="//b/c.png">d</a></p>'
    >>> offline("<table><tr><th>a<td>b<tr><td>c</table>", Path("."))
    '<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>'
    """
    parser = _Offline(folder)
    parser.feed(source)
    parser.close()
    return "".join(parser.out)


class _Offline(HTMLParser):
    def __init__(self, folder: Path) -> None:
        super().__init__(convert_charrefs=False)
        self.folder = folder.resolve()
        self.out: list[str] = []
        self.dropping: list[str] = []
        self.tables: list[str] = []  # the parts of tables that are open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROP:
            self.dropping.append(tag)
        if self.dropping or tag in _DROP_VOID:
            return
        self._end_parts(_ENDS.get(tag, ()))
        if tag == "table" or tag in _PARTS:
            self.tables.append(tag)
        raw = self.get_starttag_text() or ""
        kept = [(k, self._load(tag, k, v)) for k, v in attrs if not k.startswith("on")]
        if kept == attrs:
            self.out.append(_REMOTE_CSS.sub("", raw))
            return
        wanted = dict(attrs)
        if tag == "img" and not any(k == "src" and v for k, v in kept):
            self._instead(wanted.get("src") or "", wanted.get("alt") or "")
            return
        text = "".join(
            f" {k}" if v is None else f' {k}="{html.escape(_REMOTE_CSS.sub("", v))}"'
            for k, v in kept
            if not (v is None and k in _LOADS)
        )
        self.out.append(f"<{tag}{text}>")
        if raw.endswith("/>") and tag not in ("img", "source"):
            self.out.append(f"</{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _DROP:
            self.handle_starttag(tag, attrs)

    def _load(self, tag: str, name: str, value: str | None) -> str | None:
        """What a loading attribute may say: data, a fragment, or a local image as data; None drops it."""
        if name not in _LOADS or value is None or tag == "a" or tag == "area":
            return value
        if value.startswith(("data:", "#")):
            return value
        path = local_file(value, self.folder)
        return data_uri(path) if path and tag in ("img", "image", "source") else None

    def _instead(self, url: str, alt: str) -> None:
        text = html.escape(alt or url or "image")
        remote = re.match(r"(?:https?:)?//", url)
        self.out.append(f'<a href="{html.escape(url)}">{text}</a>' if remote else f"<em>[{text}: no such image]</em>")

    def handle_endtag(self, tag: str) -> None:
        if self.dropping:
            if tag == self.dropping[-1]:
                self.dropping.pop()
            return
        if tag == "table":
            self._end_parts(_PARTS)
        elif tag in _PARTS and tag in self.tables:
            while self.tables[-1] in _PARTS and self.tables[-1] != tag:
                self.out.append(f"</{self.tables.pop()}>")
        if self.tables and self.tables[-1] == tag:
            self.tables.pop()
        if tag not in _DROP | _DROP_VOID:
            self.out.append(f"</{tag}>")

    def _end_parts(self, parts: tuple[str, ...]) -> None:
        while self.tables and self.tables[-1] in parts:
            self.out.append(f"</{self.tables.pop()}>")

    def _keep(self, text: str) -> None:
        if not self.dropping:
            self.out.append(text)

    def handle_data(self, data: str) -> None:
        self._keep(_REMOTE_CSS.sub("", data) if self.cdata_elem == "style" else data)

    def handle_entityref(self, name: str) -> None:
        self._keep(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._keep(f"&#{name};")


def local_file(name: str, folder: Path) -> Path | None:
    """The file that a relative name means, if it is there."""
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", name):
        return None
    path = (folder / name).resolve()
    try:
        return path if path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError):
        return None
