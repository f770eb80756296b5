"""Which fonts cover a text: those that come as wheels first, a font of the machine only for what
they lack.
"""

import functools
import importlib.util
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

# Characters that Typst's own fonts have (a test reads DejaVu Sans Mono, one of them): for these
# nothing is opened.
PLAIN = (
    (0x20, 0x7E),
    (0xA0, 0x1C3),
    (0x1FC, 0x221),
    (0x250, 0x2B9),
    (0x300, 0x33F),
    (0x3A3, 0x3CE),
    (0x3F0, 0x45F),
    (0x2010, 0x2015),
    (0x2018, 0x201E),
    (0x2020, 0x2022),
    (0x2074, 0x208E),
    (0x2190, 0x2213),
    (0x2241, 0x2269),
)
# What is not meant to be seen: joiners, marks of direction, variation selectors.
_UNSEEN = {
    0xAD,
    0x61C,
    0x200B,
    0x200C,
    0x200D,
    0x200E,
    0x200F,
    0x2060,
    0xFEFF,
    *range(0xFE00, 0xFE10),
}
_UNSEEN |= {
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xE0020, 0xE0080),
    *range(0xE0100, 0xE01F0),
}
_WHEEL_FONTS = (
    # Arabic, Hebrew, Armenian, Georgian, symbols
    ("matplotlib", "mpl-data/fonts/ttf/DejaVuSans.ttf"),
    ("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc"),  # Chinese, Japanese, Korean
)
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "%WINDIR%/Fonts",
)


def fonts_for(text: str) -> list[Path]:
    """Font files needed for `text` beyond those inside Typst, in the order in which they are to be
    tried.

    >>> fonts_for("Galleon −2.1%"), [path.name for path in fonts_for("نموذج 中文")]
    ([], ['DejaVuSans.ttf', 'NotoSansCJK-Regular.ttc'])
    """
    return list(_cover(_special(text))[0])


def uncovered(text: str) -> set[str]:
    r"""Characters that no font here has, to be shown as their code points; a private one is in
    none.

    >>> uncovered("a中\ue000")
    {'\ue000'}
    """
    return set(_cover(_special(text))[1])


def wheel_fonts() -> list[Path]:
    """The fonts that every installation has, in the order to try them; none is opened."""
    files = [package_file(module, name) for module, name in _WHEEL_FONTS]
    return [path for path in files if path is not None]


@functools.cache
def characters(font: Path) -> frozenset[int]:
    """Code points that a font has; none when it cannot be read."""
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(font, fontNumber=0, lazy=True) as file:
            return frozenset(file.getBestCmap() or ())
    except (TTLibError, OSError, KeyError, AssertionError, ValueError):
        return frozenset()


def _special(text: str) -> frozenset[str]:
    return frozenset(
        c for c in set(text) if c > "\x7e" and not _plain(ord(c)) and ord(c) not in _UNSEEN
    )


def _plain(code: int) -> bool:
    return any(first <= code <= last for first, last in PLAIN)


@functools.lru_cache(maxsize=64)
def _cover(wanted: frozenset[str]) -> tuple[tuple[Path, ...], frozenset[str]]:
    """The fonts that cover the characters, and those left over."""
    left = {ord(c) for c in wanted if unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp", "Zs")}
    used = []
    for font in _candidates(left):
        if not left:
            break
        if found := left & characters(font):
            used.append(font)
            left -= found
    return tuple(used), frozenset(map(chr, left))


def _candidates(left: set[int]) -> Iterator[Path]:
    yield from wheel_fonts()
    # About private characters no two fonts agree: they are not worth a search.
    if any(unicodedata.category(chr(code)) != "Co" for code in left):
        yield from system_fonts()


def system_fonts() -> list[Path]:
    """Fonts of the machine by name, Noto's first, so that two machines with the same fonts choose
    alike.
    """
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in Path(os.path.expandvars(folder)).expanduser().rglob("*"):
            if path.suffix.lower() in (".ttf", ".otf", ".ttc", ".otc") and not path.name.startswith(
                "LastResort"
            ):
                found.setdefault(path.name, path)
    # The plain weight before the bold one of the same family.
    order = sorted(
        found, key=lambda name: (not name.startswith("Noto"), "Regular" not in name, name)
    )
    return [found[name] for name in order]


def package_file(module: str, name: str) -> Path | None:
    """A file of an installed package, without importing the package."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / name
    return path if path.is_file() else None
