"""The operator's addresses answer with what they promise, and nothing keeps it."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.viz.ui.operating.test_moments import moment
from viz.answers.operating import ServerFacts
from viz.ui.operating import routes_operating
from viz.ui.operating.moments import PastMoments
from viz.ui.operating.routes_operating import operating_routes
from viz.ui.wire.routes.routes_assets import asset_routes


@pytest.fixture
def operator() -> Iterator[TestClient]:
    """Asks as the operator does; the door is not in between."""
    with TestClient(Starlette(routes=[*operating_routes(), *asset_routes()])) as client:
        yield client


def test_prometheus_reads_the_counts(operator: TestClient) -> None:
    """By its own parser, from an answer of its own type."""
    found = operator.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain; version=")
    assert found.headers["cache-control"] == "no-store"
    names = {family.name for family in text_string_to_metric_families(found.text)}
    assert {"layerglass_sessions", "layerglass_queue_waiting", "layerglass_memory_bytes"} <= names


def test_the_page_gets_the_moments_that_it_does_not_have(
    operator: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each field is in the struct; a time that is none gets all of them."""
    past = PastMoments()
    monkeypatch.setattr(routes_operating, "PAST", past)
    for at in (100.0, 103.0):
        past.note(moment(at))
    assert [each.at for each in told(operator, "").moments] == [100.0, 103.0]
    assert [each.at for each in told(operator, "?after=100").moments] == [103.0]
    assert [each.at for each in told(operator, "?after=never").moments] == [100.0, 103.0]


def told(operator: TestClient, query: str) -> ServerFacts:
    """Return the facts that the page is told, read strictly."""
    return msgspec.json.decode(operator.get(f"/operator.json{query}").content, type=ServerFacts)


def test_the_page_names_a_script_that_is_there(operator: TestClient) -> None:
    """At the address of this version, with everything that it imports; nothing from elsewhere."""
    page = operator.get("/operator").text
    (script,) = re.findall(r'<script type="module" src="\.(/[^"]+)"', page)
    found = operator.get(script)
    assert found.status_code == 200
    assert "javascript" in found.headers["content-type"]
    for name in re.findall(r'from "\./([^"]+)"', found.text):
        assert operator.get(f"{script.rpartition('/')[0]}/{name}").status_code == 200
    named = re.findall(r'(?:src|href|url)[=(]"?([^")]*)', page)
    assert [each for each in named if "//" in each] == []
