"""HTML that asks no host for anything and runs nothing: cleaned by nh3 (a browser's own parser, and
lists of what may stay).

What stays is listed here; the page's Content-Security-Policy is a second wall behind it. What comes
after nh3 works on its text, in which every tag is closed and every attribute quoted, and parses it
no second time: Beautiful Soup's parsers read HTML otherwise than a browser, and write viewBox and
clipPath in small letters, which no browser takes for SVG.
"""

import base64
import html
import mimetypes
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import nh3
import tinycss2

_TEXT = """
    a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup
    data dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header
    hr i img input ins kbd label li main mark ol p picture pre q rp rt ruby s samp section small
    source span strike strong style sub summary sup table tbody td tfoot th thead time tr tt u
    ul var wbr audio video track
"""
_MATH = """
    math annotation maction menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom
    mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder
    munderover semantics
"""
_SVG = """
    svg circle clipPath defs desc ellipse filter g image line linearGradient marker mask path
    pattern polygon polyline radialGradient rect stop switch symbol text textPath title tspan
    use view
"""
_ANY = """
    align alt aria class colspan dir headers height hidden id lang open role rowspan scope start
    summary tabindex title type valign value width border cellpadding cellspacing bgcolor color
    face size span style datetime reversed checked disabled for download srcset controls loop
    muted kind label media href src poster xlink:href nowrap
"""
_MATH_ATTRIBUTES = """
    accent accentunder columnalign columnlines columnspacing columnspan depth display
    displaystyle encoding fence form frame framespacing linethickness lspace mathbackground
    mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines
    rowspacing rspace scriptlevel separator stretchy symmetric voffset xmlns
"""
_SVG_ATTRIBUTES = """
    clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity
    fill-rule font-family font-size font-style font-weight fx fy gradientTransform gradientUnits
    letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask
    offset opacity orient patternTransform patternUnits points preserveAspectRatio r refX refY
    rotate rx ry spreadMethod stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor
    textLength transform vector-effect viewBox x x1 x2 y y1 y2 version xmlns
"""
_WITH_CONTENT = {
    "script",
    "noscript",
    "iframe",
    "object",
    "template",
    "frameset",
    "noembed",
    "noframes",
    "xmp",
    "plaintext",
}
# Attributes that a browser reads as CSS, where url() could load.
_CSS = {
    "style",
    "fill",
    "stroke",
    "clip-path",
    "mask",
    "filter",
    "marker-start",
    "marker-mid",
    "marker-end",
}
_PICTURE = re.compile(r"data:(image|audio|video)/", re.IGNORECASE)
_MISSING = "data:reportkit-missing,"


def data_uri(name: str, data: bytes) -> str:
    """A file as the address that holds it."""
    mime = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def offline(source: str, folder: Path) -> str:
    """The same HTML, well-formed, without scripts, forms and loads; images below `folder` become
    data URIs.

    >>> here = Path(".")
    >>> offline('<p onclick="x()">a<script src="//b"></script><img src="//b/c.png" alt="d">', here)
    '<p>a<a href="//b/c.png">d</a></p>'
    >>> svg = '<svg><style>a { fill: url(//b/c) }</style><use href="//b#d"/></svg>'
    >>> offline(f'{svg}<a href="javascript:x()">e', here)
    '<svg><use></use></svg><a>e</a>'
    """
    folder = folder.resolve()

    def kept(tag: str, name: str, value: str) -> str | None:
        if name in ("href", "xlink:href", "src", "srcset", "poster"):
            return _address(tag, name, value, folder)
        return clean_css(value) if name in _CSS else value

    cleaned = nh3.clean(
        source,
        tags=set(f"{_TEXT} {_MATH} {_SVG}".split()),
        clean_content_tags=_WITH_CONTENT,
        attributes={"*": set(f"{_ANY} {_MATH_ATTRIBUTES} {_SVG_ATTRIBUTES}".split())},
        generic_attribute_prefixes={"data-", "aria-"},
        # a field to type in would be dead
        set_tag_attribute_values={"input": {"type": "checkbox"}},
        attribute_filter=kept,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel=None,
    )
    cleaned = _styles(cleaned)
    return _images(cleaned)


def _styles(cleaned: str) -> str:
    """Style elements with their CSS cleaned; those within SVG or MathML go, as there a browser
    reads entities first.
    """
    depth = 0

    def piece(match: re.Match[str]) -> str:
        nonlocal depth
        if match["css"] is None:
            depth += -1 if match[0].startswith("</") else 1
            return match[0]
        return "" if depth else match["open"] + clean_css(match["css"]) + "</style>"

    return re.sub(
        r"</?(?:svg|math)\b|(?P<open><style\b[^>]*>)(?P<css>.*?)</style>",
        piece,
        cleaned,
        flags=re.DOTALL,
    )


def _address(tag: str, name: str, value: str, folder: Path) -> str | None:
    """What an attribute that links or loads may say; None drops it."""
    plain = re.sub(r"[\x00-\x20]", "", value)
    if tag in ("a", "area") and name == "href":
        return (
            value
            if not plain.lower().startswith("data:") or plain.lower().startswith("data:text/csv")
            else None
        )
    if tag == "use":
        return value if plain.startswith("#") else None
    if tag not in ("img", "image", "source", "audio", "video", "track"):
        return None
    if _PICTURE.match(plain):
        return plain
    path = local_file(value, folder)
    if path:
        return data_uri(path.name, path.read_bytes())
    return _MISSING + quote(value) if tag == "img" else None


def _images(cleaned: str) -> str:
    """Image elements that have something to show; a link in place of a remote one; a word in place
    of none.
    """
    linked = False

    def piece(match: re.Match[str]) -> str:
        nonlocal linked
        if not match[0].startswith("<img"):
            linked = match[0] != "</a>"
            return match[0]
        attributes = {
            k: html.unescape(v) for k, v in re.findall(r'\s([^\s=>]+)="([^"]*)"', match[0])
        }
        source = attributes.get("src", "")
        if _PICTURE.match(source):
            return (
                match[0]
                if "alt" in attributes
                else match[0].replace("<img", '<img alt="Figure"', 1)
            )
        url = unquote(source.removeprefix(_MISSING))
        text = html.escape(attributes.get("alt") or url or "image")
        if not re.match(r"(?:https?:)?//", url):
            return f"<em>[{text}: no such image]</em>"
        # no link within a link
        return text if linked else f'<a href="{html.escape(url)}">{text}</a>'

    return re.sub(r'<(?:img|a)\b(?:\s[^\s=>]+="[^"]*")*\s*/?>|</a>', piece, cleaned)


def clean_css(source: str) -> str:
    r"""CSS without what could load: @import, and every url() that is neither data nor a part of
    this page.

    >>> clean_css("@import 'x'; p { color: red; background: \\75rl(http://a/b); mask: url(#m) }")
    '@none "x"; p { color: red; background: none; mask: url(#m) }'
    """
    if not re.search(r"[@\\]|url|src|image|cross-fade", source, re.IGNORECASE):
        return source
    tokens = tinycss2.parse_component_value_list(source)
    # A string could spell the end of its own element.
    return tinycss2.serialize(_tame(tokens)).replace("</", "<\\/")


def _tame(tokens: list[Any]) -> list[Any]:
    return [_tame_one(t) for t in tokens]


def _tame_one(token: Any) -> Any:
    none = tinycss2.parse_one_component_value("none")
    kind = token.type
    if kind == "at-keyword" and token.lower_value in ("import", "namespace"):
        return tinycss2.parse_one_component_value("@none")
    if kind == "url":
        return token if _stays(token.value) else none
    if kind == "error":
        return none
    if kind == "function":
        loads = token.lower_name in (
            "url",
            "src",
            "image",
            "image-set",
            "-webkit-image-set",
            "cross-fade",
        )
        if loads and not all(_stays(t.value) for t in token.arguments if t.type == "string"):
            return none
        token.arguments = _tame(token.arguments)
    elif kind in ("() block", "[] block", "{} block"):
        token.content = _tame(token.content)
    return token


def _stays(url: str) -> bool:
    return url.startswith("#") or bool(re.match(r"data:(image|font)/", url.strip(), re.IGNORECASE))


def local_file(name: str, folder: Path) -> Path | None:
    """The file that a relative name means, if it is there."""
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", name):
        return None
    path = (folder / name).resolve()
    try:
        return path if path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError):
        return None
