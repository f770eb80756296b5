"""What several browser tests ask a page."""

from playwright.sync_api import Page

WIDTHS = {"phone": 360, "tablet": 768, "desk": 1280}


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.innerText ?? ''").strip()


def tab_to(page: Page, text: str) -> None:
    """Presses Tab until the control with this text has the focus."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if focused(page) == text:
            return
    raise AssertionError(f"Tab never came to {text!r}")


def comes_true(page: Page, expression: str, seconds: float = 10.0) -> bool:
    """Whether an expression of a page's own comes true in time. Playwright's wait_for_function
    would evaluate it in the page, which the page's Content-Security-Policy forbids.
    """
    for _ in range(int(seconds * 20)):
        if page.evaluate(expression):
            return True
        page.wait_for_timeout(50)
    return False


def order(page: Page, table: int = 0) -> list[str]:
    """The first cell of each body row, top to bottom."""
    return page.evaluate(
        "n => [...document.querySelectorAll('.rk-table')[n].querySelectorAll('tbody tr')].map(r "
        "=> r.cells[0].innerText)",
        table,
    )


def sorted_by(page: Page) -> list[list[str]]:
    """Head and aria-sort of every column of the page that has one."""
    return page.evaluate(
        "[...document.querySelectorAll('[aria-sort]')].map(h => [h.innerText.trim(), h.ariaSort])"
    )
