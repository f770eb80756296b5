"""The built guide as a reader opens it: from the file system, without a network."""

import pytest
from support.guide import built_site

pytestmark = [pytest.mark.browser, pytest.mark.slow]  # the site alone takes a minute


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site(tmp_path_factory.mktemp("site"))


def test_search_finds_a_page_and_nothing_is_asked_of_a_host(chromium, site):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((site / "index.html").as_uri())
    box = page.get_by_role("textbox", name="Search")
    box.click()
    page.get_by_text("Type to start searching").wait_for()  # the index is read
    box.press_sequentially("longtable")  # the theme listens to keys
    found = page.locator(".md-search-result__link")
    found.first.wait_for()
    # docs/paper.md is the page that explains longtable
    assert any("paper.html" in link.get_attribute("href") for link in found.all())
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []
    assert wrong == []
