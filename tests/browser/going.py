"""Going from look to look on a page that stays: nine tenths of a load are Streamlit's own scripts."""

import re
from urllib.parse import parse_qsl, urlencode

from playwright.sync_api import Page

from tests.browser.waiting import until
from viz.request.look import Look

LOOK = frozenset(Look.__struct_fields__)
BY_ITSELF = {"weights": "pretrained", "sample": "cat"}  # what the page writes into an address that names none
UNSAID = {"lang": "en"}  # what it leaves out of one that does
GO = """query => {
    history.pushState(history.state, "", `?${query}`);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
CHECKED = re.compile(r"/look\.json")  # the server says what the model has of a look
DRAWN = "() => new Promise((said) => requestAnimationFrame(() => setTimeout(said)))"
SUBJECT = "document.querySelector('.lg-stage').dataset.subject"


def stands(page: Page, server: str) -> bool:
    """Return whether the page has come to a look at this server."""
    return page.url.startswith(server) and page.locator(".lg-stage[data-subject]").count() == 1


def go_to(page: Page, asked: dict[str, str]) -> None:
    """Go to a look or another subject as Back and Forward do, and wait until the page has taken it."""
    before = dict(parse_qsl(page.evaluate("location.search.slice(1)")))
    asked = {name: value for name, value in asked.items() if UNSAID.get(name) != value}
    if before.get("model") == asked.get("model"):
        asked = {name: value for name, value in before.items() if BY_ITSELF.get(name) == value} | asked
    subject = page.evaluate(SUBJECT)
    ask(page, asked)
    # Runs cannot be counted: one that is asked for while another goes on begins without an end in between.
    if of_subject(asked | {"lang": ""}) != of_subject(before | {"lang": ""}):
        until(page, f"before => {SUBJECT} !== before", subject)
    if asked.get("lang") != before.get("lang"):
        until(page, "spoken => document.documentElement.lang.startsWith(spoken)", asked.get("lang", "en"))
    page.evaluate(DRAWN)


def ask(page: Page, asked: dict[str, str]) -> None:
    """Change the address; what it says of the look is then checked by the server."""
    if not LOOK & asked.keys():
        page.evaluate(GO, urlencode(asked))
        return
    with page.expect_response(CHECKED) as answer:
        page.evaluate(GO, urlencode(asked))
    answer.value.finished()


def of_subject(asked: dict[str, str]) -> dict[str, str]:
    """Return the part of the address beside the look: the model, the picture, the language."""
    return {name: value for name, value in asked.items() if name not in LOOK}
