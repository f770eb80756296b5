"""Hostile HTML from a cell, in real Chromium: it asks for nothing and runs nothing, behind either
wall alone.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from reportkit.documents.offline import offline
from reportkit.text.brought import content_policy

pytestmark = pytest.mark.browser

RUN = "window.ran=1"
ADDRESSES = (
    "http://h.example/x",
    "//h.example/x",
    "HTTP://h.example/x",
    " http://h.example/x",
    "ht\ntp://h.example/x",
    "\\\\h.example\\x",
    "/\\h.example/x",
    "x.png",
    "../x.png",
    "/x",
    "http:h.example/x",
    "https:\\\\h.example",
    f"javascript:{RUN}",
    f"JaVaScRiPt:{RUN}",
    f"java\tscript:{RUN}",
    f" javascript:{RUN}",
    "vbscript:x",
    f"&#106;avascript:{RUN}",
    f"java&Tab;script:{RUN}",
    f"data:text/html,<script>parent.{RUN}</script>",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='http://h.example/x'/></svg>",
    "blob:http://h.example/x",
    "file:///etc/hostname",
    "filesystem:http://h.example/x",
    "ws://h.example",
    "#a",
    "",
    "http://h.example/x 2x, //h.example/y 3x",
    f"0;url=javascript:{RUN}",
    "0;url=http://h.example/x",
)
STYLES = (
    "background:url(http://h.example/x)",
    "background:url( '//h.example/x' )",
    "background:\\75rl(http://h.example/x)",
    "background:u\\72 l('http://h.example/x')",
    "background:URL(//h.example/x",
    "list-style:image-set('//h.example/x' 1x)",
    "background:-webkit-image-set(url(//h.example/x) 1x)",
    "background:/**/url(/**/http://h.example/x)",
    "content:url(x.png)",
    "cursor:url(//h.example/x),auto",
    "--a:url(//h.example/x);background:var(--a)",
    "filter:url(http://h.example/x#f)",
    "mask:url(//h.example/x)",
    "behavior:url(//h.example/x)",
    "background:image(url(//h.example/x))",
    "background:cross-fade(url(//h.example/x), url(//h.example/y))",
)
SHEETS = (
    "@import 'http://h.example/x';",
    "@import url(//h.example/x);",
    "@\\69mport '//h.example/x';",
    "@IMPORT '//h.example/x';",
    "@font-face { font-family: f; src: url(//h.example/x) } * { font-family: f }",
    "@charset 'x'; @import '//h.example/x';",
    "* { %s }",
    "@media all { * { %s } }",
    "p::before { content: '\\3c/style><img src=//h.example/x onerror=window.ran=1>' }",
    "<!-- @import '//h.example/x'; -->",
    "* { color: red } } * { %s }",
    "@supports (color:red) { a { &:not(b) { %s } } }",
)
ATTRIBUTES = (
    "src",
    "href",
    "xlink:href",
    "srcset",
    "imagesrcset",
    "data",
    "action",
    "formaction",
    "poster",
    "background",
    "ping",
    "cite",
    "longdesc",
    "content",
    "manifest",
    "codebase",
    "archive",
    "lowsrc",
    "dynsrc",
    "usemap",
    "from",
    "to",
    "values",
    "by",
    "profile",
    "classid",
    "icon",
    "fill",
    "attributeName",
)
EVENTS = (
    "onerror",
    "onload",
    "onclick",
    "onfocus",
    "onbegin",
    "ontoggle",
    "onmouseover",
    "onanimationstart",
    "ONERROR",
)
TAGS = (
    "img",
    "image",
    "script",
    "iframe",
    "object",
    "embed",
    "link",
    "base",
    "meta",
    "form",
    "button",
    "input",
    "video",
    "audio",
    "source",
    "track",
    "svg",
    "use",
    "animate",
    "set",
    "foreignObject",
    "feImage",
    "math",
    "mtext",
    "mglyph",
    "annotation-xml",
    "a",
    "area",
    "table",
    "td",
    "body",
    "html",
    "frameset",
    "frame",
    "template",
    "noscript",
    "style",
    "title",
    "textarea",
    "select",
    "option",
    "details",
    "marquee",
    "portal",
    "picture",
    "p",
    "div",
    "desc",
    "q",
    "keygen",
    "plaintext",
    "xmp",
    "noembed",
    "noframes",
    "applet",
    "bgsound",
    "layer",
    "svg:script",
    "x-y",
    "dialog",
    "slot",
    "fencedframe",
)
TRICKS = (
    "<!--><img src=//h.example/x onerror=window.ran=1>-->",
    "<!--!><script>window.ran=1</script>-->",
    "<![CDATA[><img src=//h.example/x>]]>",
    "<svg><![CDATA[><image href='//h.example/x'/>]]></svg>",
    '<noscript><p title="</noscript><img src=//h.example/x onerror=window.ran=1>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=//h.example/x '
    'onerror=window.ran=1&gt;">',
    "<form><math><mtext></form><form><mglyph><style></math><img src=//h.example/x "
    "onerror=window.ran=1>",
    "<svg><style><img src=//h.example/x onerror=window.ran=1></style></svg>",
    '<svg></p><style><a title="</style><img src=x>">',
    "<svg><desc><style>*{background:url(//h.example/x)}</style></desc></svg>",
    "<textarea><img title='</textarea><img src=//h.example/x>'>",
    "<math><style>&lt;img src=//h.example/x&gt;*{background:url(//h.example/x)}</style></math>",
    "<iframe srcdoc='<script>parent.ran=1</script>'>",
    "<svg><animate xlink:href=#a attributeName=href values=javascript:window.ran=1 /><a "
    "id=a><text>x</text></a></svg>",
    "<template><img src=//h.example/x></template>",
    "<div><template shadowrootmode=open><img src=//h.example/x></template></div>",
    "<img src=x onerror=window.ran=1//",
    "<<img src=//h.example/x>",
    '<a href="data:text/csv,a" ping=//h.example/x>csv</a>',
    "<style>/*<svg><style>*/</style><img src=//h.example/x></svg>",
    "<xmp><p title='</xmp><img src=//h.example/x>'>",
    "<script src=//h.example/x></script>",
    "<p style='background:url(//h.example/x)'>",
    "<b onmouseover=window.ran=1>b</b>",
    "<link rel=preload as=image href=//h.example/x>",
    "<link rel=dns-prefetch href=//h.example>",
    "<base href=//h.example/><img src=y>",
    "<video autoplay src=//h.example/x poster=//h.example/y></video>",
    "<input type=image src=//h.example/x>",
    "<object data='data:text/html,<script>parent.ran=1</script>'></object>",
    "<embed src=//h.example/x>",
    "\x00<scr\x00ipt>window.ran=1</script>",
    "<img data-tex='<img src=//h.example/x onerror=window.ran=1>' src=data:image/png;base64,AAAA>",
    "<details open ontoggle=window.ran=1>",
)
quotes = st.sampled_from(('"', "'", ""))
attribute = st.one_of(
    st.builds(
        lambda n, v, q: f"{n}={q}{v}{q}",
        st.sampled_from(ATTRIBUTES),
        st.sampled_from(ADDRESSES),
        quotes,
    ),
    st.builds(lambda v, q: f"style={q}{v}{q}", st.sampled_from(STYLES), st.sampled_from('"')),
    st.builds(lambda n: f'{n}="{RUN}"', st.sampled_from(EVENTS)),
    st.sampled_from(
        (
            "http-equiv=refresh",
            "rel=stylesheet",
            "rel=preload",
            "autofocus",
            "autoplay",
            "type=image",
            "open",
            "/",
        )
    ),
)
sheet = st.builds(
    lambda s, v: f"<style>{s.replace('%s', v)}</style>",
    st.sampled_from(SHEETS),
    st.sampled_from(STYLES),
)
leaf = st.one_of(
    st.sampled_from(TRICKS), sheet, st.sampled_from(("text", "a &lt; b", f"<script>{RUN}</script>"))
)
page_text = st.recursive(
    leaf,
    lambda inner: st.builds(
        lambda tag, attributes, parts, end: (
            f"<{tag} {' '.join(attributes)}>{''.join(parts)}{f'</{tag}>' if end else ''}"
        ),
        st.sampled_from(TAGS),
        st.lists(attribute, max_size=3),
        st.lists(inner, max_size=3),
        st.booleans(),
    ),
    max_leaves=8,
)


class Watched:
    """A page of which every request, dialog and run of hostile script is seen; nothing leaves the
    machine.
    """

    def __init__(self, page: Page, file: Path):
        self.page, self.file, self.seen = page, file, []
        page.on("dialog", lambda dialog: (self.seen.append(dialog.message), dialog.dismiss()))
        page.on("popup", lambda popup: self.seen.append(popup.url))
        page.on("websocket", lambda socket: self.seen.append(socket.url))
        page.context.route(re.compile(".*"), self._route)

    def _route(self, route) -> None:
        url = route.request.url
        if url == self.file.as_uri():
            route.continue_()
        else:
            self.seen.append(url)
            route.abort()

    def shows(self, html: str) -> list[str]:
        """What a page of this HTML asked for or ran."""
        self.seen.clear()
        self.file.write_text(
            f"<!doctype html><meta charset=utf-8><title>t</title>{html}",
            encoding="utf-8",
            errors="replace",
        )
        self.page.goto(self.file.as_uri())
        self.page.wait_for_load_state("load")
        for event in ("mouseover", "click"):
            self.page.evaluate(
                "for (const e of document.querySelectorAll('b, details')) e.dispatchEvent(new "
                f"Event('{event}'))"
            )
        if self.page.evaluate("window.ran === 1"):
            self.seen.append("ran")
        return [url for url in self.seen if not url.startswith("data:")]


@pytest.fixture(scope="module")
def watched(chromium, tmp_path_factory) -> Iterator[Watched]:
    context = chromium.new_context()
    yield Watched(context.new_page(), tmp_path_factory.mktemp("hostile") / "page.html")
    context.close()


def test_the_watch_sees_what_happens(watched):
    """Without it the tests below could not fail."""
    assert watched.shows("<img src=http://h.example/x>") == ["http://h.example/x"]
    assert watched.shows("<img src=x onerror=window.ran=1>")[1:] == ["ran"]
    assert watched.shows("<style>@import '//h.example/x';</style>") != []
    assert watched.shows("<p style='background:\\75rl(http://h.example/x)'>p") == [
        "http://h.example/x"
    ]


@pytest.mark.parametrize("trick", TRICKS)
def test_no_trick_comes_through(watched, trick, tmp_path):
    assert watched.shows(offline(trick, tmp_path)) == []


@given(st.lists(page_text, min_size=3, max_size=5))
@settings(max_examples=50)
def test_cleaned_html_asks_and_runs_nothing(watched, sources):
    nowhere = watched.file.parent / "nothing"
    cleaned = [offline(html, nowhere) for html in sources]
    assert watched.shows("\n".join(cleaned)) == []
    schemes = watched.page.evaluate(
        "[...document.querySelectorAll('a, area')].map(e => e.protocol ?? e.href.baseVal)"
    )
    assert set(schemes) <= {"http:", "https:", "mailto:", "file:", "data:", ":", "", "#a"}
    # A second cleaning finds nothing more to do: what a browser reads is what was cleaned.
    assert [offline(html, nowhere) for html in cleaned] == cleaned


# No policy keeps a link from being followed or a page from being left; cleaning does.
LEAVES = re.compile("refresh|<(form|a|area|frame|html|body|base)", re.IGNORECASE)


@pytest.mark.slow
@given(st.lists(page_text.filter(lambda html: not LEAVES.search(html)), min_size=1, max_size=3))
@settings(max_examples=40)
def test_the_policy_alone_holds_too(watched, sources):
    policy = f'<meta http-equiv="Content-Security-Policy" content="{content_policy("our own")}">'
    assert watched.shows(policy + "\n".join(sources)) == []


def test_the_policy_keeps_what_pages_need(watched):
    policy = (
        '<meta http-equiv="Content-Security-Policy" '
        f'content="{content_policy("document.title = 1 + 1;")}">'
    )
    pixel = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/%3E"
    html = (
        f"<p style='color: rgb(1, 2, 3)'>p</p><style>p {{ width: 77px }}</style><img "
        f'src="{pixel}">'
    )
    watched.shows(
        policy
        + html
        + "<script>document.title = 1 + 1;</script><script>document.title = 3;</script>"
    )
    assert watched.page.title() == "2"
    assert watched.page.evaluate(
        "[getComputedStyle(document.querySelector('p')).color, "
        "document.querySelector('p').offsetWidth,"
        " document.querySelector('img').naturalWidth]"
    ) == ["rgb(1, 2, 3)", 77, 7]
