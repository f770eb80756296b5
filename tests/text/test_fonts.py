"""Which fonts cover a text: wheels first, the machine's own only for what they lack, and a code
point for the rest.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from support import pdfs
from support.pdfs import embedded
from support.programs import font, program

from reportkit.documents.pdf import pdf
from reportkit.text import fonts
from reportkit.text.fonts import PLAIN, characters, fonts_for, system_fonts, uncovered, wheel_fonts

HEAD = '#set document(title: "T", date: none)\n#set text(font: rk-fonts, lang: "en")\n'


@pytest.fixture
def no_system_fonts(monkeypatch):
    monkeypatch.setattr(fonts, "_FOLDERS", ())
    fonts._cover.cache_clear()
    yield
    fonts._cover.cache_clear()


def page(text: str, folder: Path) -> str:
    (folder / "t.pdf").write_bytes(pdf(HEAD + text, folder))
    return "\n".join(pdfs.pages(folder / "t.pdf"))


def test_plain_characters_are_in_a_font_that_typst_brings():
    # the same release as the one inside Typst
    mono = characters(wheel_fonts()[0].with_name("DejaVuSansMono.ttf"))
    assert not [hex(c) for first, last in PLAIN for c in range(first, last + 1) if c not in mono]


def test_plain_text_opens_no_font():
    code = (
        "import sys\nfrom reportkit.text.fonts import *\nassert not fonts_for('Łódź −2.1% – "
        "“a” α β Ж') and not uncovered('é')\n"
    )
    code += "print({'fontTools', 'matplotlib', 'noto_cjk_sans_otc'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


@pytest.mark.parametrize(
    "text,family",
    [
        ("نموذج", "DejaVuSans"),
        ("⟦✓⟧", "DejaVuSans"),
        *[(text, "NotoSansCJKsc-Regular") for text in ("中文", "日本語ひ", "한국어")],
    ],
)
def test_scripts_show_in_fonts_that_come_as_wheels(text, family, tmp_path, no_system_fonts):
    assert not uncovered(text)
    assert text in page(f"Model {text} 12%", tmp_path).translate(
        {0x202A: None, 0x202B: None, 0x202C: None}
    )
    assert any(name.startswith(family) for name in embedded(tmp_path / "t.pdf"))


def test_without_a_font_the_code_point_shows(tmp_path, no_system_fonts):
    assert uncovered("a🚀ก") == {"🚀", "ก"}
    assert "rocket U+1F680 U+0E01 end" in page("rocket 🚀 ก end", tmp_path)


def test_an_emoji_shows_where_the_machine_has_one(tmp_path):
    font("ColorEmoji")
    assert "🚀👨‍👩‍👧🇩🇪 end" in page("rocket 🚀👨‍👩‍👧🇩🇪 end", tmp_path)
    assert "Type3" in {found.kind for found in pdfs.fonts(tmp_path / "t.pdf")}


def test_what_wheels_cover_has_the_same_bytes_on_every_machine(tmp_path, monkeypatch):
    text = HEAD + "Łódź 中文 نموذج 😀 −2.1%"
    here = pdf(text, tmp_path)
    monkeypatch.setattr(
        fonts, "system_fonts", lambda: pytest.fail("the machine's fonts were asked for")
    )
    fonts._cover.cache_clear()
    assert pdf(text, tmp_path) == here


def test_private_characters_are_in_no_font():
    assert uncovered("\ue000") == {"\ue000"} and not fonts_for("\ue000")


def test_system_fonts_are_ordered_by_name(tmp_path, monkeypatch):
    for name in (
        "b.ttf",
        "NotoB-Bold.otf",
        "NotoA-Regular.ttf",
        "a.ttc",
        "no.txt",
        "LastResort.ttf",
    ):
        (tmp_path / name).touch()
    monkeypatch.setattr(fonts, "_FOLDERS", (str(tmp_path), str(tmp_path / "absent")))
    assert [p.name for p in system_fonts()] == [
        "NotoA-Regular.ttf",
        "NotoB-Bold.otf",
        "a.ttc",
        "b.ttf",
    ]
    assert not characters(tmp_path / "b.ttf")  # not a font at all: passed over


def test_arabic_is_shaped_and_leaves_the_numbers_beside_it(tmp_path):
    """Numbers stay right of the name, in their order; joined letters are narrower than letters each
    by itself.
    """
    page("نموذج 12% (3%)", tmp_path)
    out = subprocess.run(
        [program("pdftotext"), "-bbox", tmp_path / "t.pdf", "-"], capture_output=True, text=True
    ).stdout
    boxes = {
        w.split(">")[1].split("<")[0]: float(w.split('"')[1])
        for w in out.splitlines()
        if "<word" in w
    }
    name = next(x for word, x in boxes.items() if "ن" in word)
    assert name < boxes["12%"] < boxes["(3%)"]
