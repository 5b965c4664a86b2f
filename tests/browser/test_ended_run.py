"""An operator's own model that ends its run with ``SystemExit``, on a real server."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from models.own.own_model_name import SETTING
from tests.browser.serving import serving
from tests.browser.steps import choose, expect_calm, maps, visit
from tests.hostile.leaving_model import leaving_model

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_model_that_leaves_is_a_sentence_and_the_next_one_is_shown(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same visitor can go on with another model and later with this one; the log has the traceback."""
    leave = leaving_model(tmp_path, "leaving", "Leaving", "SystemExit(3)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(SETTING, "leaving:Leaving")
    with pytest.raises(RuntimeError, match="SystemExit: 3"):
        leave_and_go_on(page, tmp_path, leave)


def leave_and_go_on(page: Page, home: Path, leave: Path) -> None:
    """Serve the model, let it exit, and look at another model and then at this one again."""
    with serving(home) as server:
        visit(page, server, model="Leaving", layer="conv")
        leave.touch()
        choose(page, "sample", "A cup of coffee")
        expect(page.locator(".lg-reason")).to_contain_text("ended its run by SystemExit")
        expect(page.locator(".lg-reason a")).to_have_attribute("href", "help/own-model")
        expect_calm(page)
        choose(page, "model", "lenet")
        maps(page, "conv1").wait_for()
        expect_calm(page)
        leave.unlink()
        choose(
            page, "sample", "A cat"
        )  # the browser does not repeat requests that were refused for the other picture
        choose(page, "model", "Leaving")
        maps(page, "conv").wait_for()
        expect_calm(page)
