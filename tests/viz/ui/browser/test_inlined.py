"""Modules as text for a page without a server; ``tests/browser/test_take_home.py`` opens such a page."""

import re
from types import MappingProxyType

import pytest

from viz.ui.browser import inlined as module
from viz.ui.browser.inlined import inlined
from viz.ui.browser.modules import BROWSER

DEFINED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
NAMED = re.compile(r"^(?:(?:async )?function|class|const|let) (\w+)", re.MULTILINE)


def test_what_is_reached_is_there_once_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Circles end, a type in a comment is no import, and text that looks like one is left alone."""
    written = {
        "a/first.js": b"""import { one,
  two } from "../b/second.js";
import "./side.js";
export * from "./side.js";
/** @type {import("../c/types.js").Type} */
const text = `from "./side.js"`;
""",
        "a/side.js": b"export const side = './side.js';",
        "b/second.js": b'import { back } from "../a/first.js";\nexport const one = "../a/first.js", two = 2;',
        "c/types.js": b"",
    }
    monkeypatch.setattr(module, "files", lambda: MappingProxyType(written))
    found = inlined("a/first.js")
    assert list(found) == ["a/first.js", "b/second.js", "a/side.js"]
    assert (
        found["a/first.js"]
        == """import { one,
  two } from "b/second.js";
import "a/side.js";
export * from "a/side.js";
/** @type {import("../c/types.js").Type} */
const text = `from "./side.js"`;
"""
    )
    assert found["b/second.js"].splitlines() == [
        'import { back } from "a/first.js";',
        'export const one = "../a/first.js", two = 2;',
    ]


def test_nothing_is_defined_on_the_offline_page_that_the_page_offers() -> None:
    """What other modules export is imported from them; a second definition drifts from the first."""
    offered = {
        name
        for path in BROWSER.rglob("*.js")
        if path.parent.name != "offline"
        for name in DEFINED.findall(path.read_text("utf-8"))
    }
    own = set(NAMED.findall((BROWSER / "offline" / "offline.js").read_text("utf-8")))
    assert {"readable", "percent", "filled", "shapeText", "fitted"} <= offered
    assert {"show", "mapFacts"} <= own
    assert own & offered == set()
