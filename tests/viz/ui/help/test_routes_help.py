"""Addresses of the documents, asked as a browser asks."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from viz.ui.help.contents import documents
from viz.ui.help.routes_help import help_routes


@pytest.fixture(scope="module")
def client() -> TestClient:
    """A browser at a server with these routes alone."""
    return TestClient(Starlette(routes=help_routes()))


@pytest.fixture(scope="module")
def fetched(client: TestClient) -> Callable[[str], Any]:
    """Fetches a path below ``/help/`` once."""
    return cache(lambda path: client.get(f"/help/{path}"))


@pytest.mark.parametrize("name", documents())
def test_every_link_of_every_document_leads_somewhere(fetched: Callable[[str], Any], name: str) -> None:
    """To pages, places within them, pictures and programs."""
    made = fetched("" if name == "index" else name)
    assert made.headers["content-type"].startswith("text/html")
    for link in re.findall(r'(?:href|src)="(\./[^"]*)"', made.text):
        path, _, place = link.removeprefix("./").partition("#")
        assert fetched(path).status_code == 200, link
        assert not place or f'id="{place}"' in fetched(path).text, link


def test_the_address_without_a_stroke_leads_to_the_contents(client: TestClient) -> None:
    """Else links beside it would lead elsewhere."""
    there = client.get("/help", follow_redirects=False)
    assert (there.status_code, there.headers["location"]) == (307, "./help/")


def test_what_is_not_there_is_said(client: TestClient) -> None:
    """In one sentence, with the way to all documents."""
    there = client.get("/help/nothing")
    assert (there.status_code, there.text) == (
        404,
        "There is no such document: the contents of the help list all.",
    )


def test_pictures_and_programs_have_their_types(client: TestClient) -> None:
    """A browser shows the one and saves the other."""
    assert client.get("/help/pictures/page.png").headers["content-type"] == "image/png"
    assert client.get("/help/gallery/first_capture.py").headers["content-type"].startswith("text/x-python")


def test_programs_find_every_document_as_plain_text(client: TestClient) -> None:
    """By the links of the list that is made for them."""
    listed = client.get("/help/llms.txt")
    assert listed.headers["content-type"].startswith("text/plain")
    links = re.findall(r"\]\(([^)]+)\)", listed.text)
    assert {link.removesuffix(".md") for link in links} == set(documents()) - {"index"}
    assert all(client.get(f"/help/{link}").text.startswith("# ") for link in links)
    assert client.get("/help/index.md").status_code == 404


def test_a_search_is_fetched_once(client: TestClient) -> None:
    """A browser that has it is told so."""
    there = client.get("/help/search.json")
    assert there.json()[0].keys() == {"page", "heading", "address", "text", "aside"}
    again = client.get("/help/search.json", headers={"if-none-match": there.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
