"""A server that is gone for good, and another one in its place that shares its visits: nothing is lost."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.machine import patience

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from tests.browser.steps import (
    choose_in_tree,
    drawing,
    expect_another_picture,
    expect_calm,
    settle,
    subject,
    visit,
)
from tests.browser.test_interruptions import CONNECTED
from tests.browser.test_restart import Restarted
from tests.browser.test_server_gone import bring, expect_own_maps
from tests.hostile.visitor import ask

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.ray]

KEPT = "40"  # seconds that a page without a connection is kept; a visit without a server has its lease for 60


@pytest.fixture
def shared(tmp_path: Path, ray_cluster: dict[str, str]) -> Iterator[Restarted]:
    """A server on a cluster; the next one at its address shares the secret, and nothing else."""
    server = Restarted(
        tmp_path,
        LAYERGLASS_ENGINE="ray",
        LAYERGLASS_REPLICA_CPUS="1",
        LAYERGLASS_SECRET="a secret of one server and the next",
        STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL=KEPT,
        **ray_cluster,
    )
    yield server
    server.end()
    assert "Traceback" not in server.log.read_text(errors="replace")


def test_a_page_whose_server_has_gone_goes_on_with_its_own_picture_at_another(
    page: Page, shared: Restarted
) -> None:
    """By the token at first; and after the lease, because the other server has taken the visit over."""
    visit(page, shared.address, model="lenet", layer="conv1")
    bring(page, "conv1")
    before, drawn = subject(page), drawing(page)
    shared.restart()
    page.locator(CONNECTED).wait_for()
    choose_in_tree(page, "conv2")
    expect_another_picture(page, drawn)
    expect_own_maps(page, "conv2")
    expect_calm(page)
    expect(page.locator(".lg-stage")).not_to_have_attribute(
        "data-subject", before, timeout=1000 * patience(60)
    )
    settle(page)
    expect_own_maps(page, "conv2")
    until = time.monotonic() + patience(90)
    while ask(shared.address, f"/maps/{before}/tree.json").status == 200 and time.monotonic() < until:
        time.sleep(1)
    assert ask(shared.address, f"/maps/{before}/tree.json").status == 410
    choose_in_tree(page, "conv1")
    expect_own_maps(page, "conv1")
    expect_calm(page)
