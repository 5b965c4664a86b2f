"""The browser's half as files: ES modules and a style sheet, at one address for each version of them."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

BROWSER = Path(__file__).parent
STYLE = "style.css"  # every feature's style sheet, one after the other
ASSETS = "assets"

_PART = """
const {{ part }} = await import(new URL("{assets}/{version}/page/part.js", document.baseURI).href);
export default await part("{module}");
"""


@cache
def files() -> MappingProxyType[str, bytes]:
    """The modules and the style sheet, by their paths below an address of ``version``."""
    found = {path.relative_to(BROWSER).as_posix(): path.read_bytes() for path in BROWSER.rglob("*.js")}
    sheets = [path.read_bytes() for path in sorted(BROWSER.rglob("*.css"), key=_rank)]
    return MappingProxyType(found | {STYLE: b"\n".join(sheets)})


def _rank(sheet: Path) -> tuple[bool, bool, Path]:
    """The page first, then the viewer, whose parts other features change."""
    return sheet.name != "page.css", sheet.name != "viewer.css", sheet


@cache
def version() -> str:
    """A content address of all files together: modules name each other by relative paths."""
    digest = hashlib.sha256()
    for path, data in sorted(files().items()):
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def browser_part(name: str, module: str) -> Callable[..., Any]:
    """A part of the page that lives in the browser; called where it is to be drawn.

    Its code does not travel with the script runs: Streamlit sends a line that imports ``module``, and the
    module's default export is the part.

    Args:
        name: of the component, for Streamlit.
        module: a path below ``viz/ui/browser``, such as ``"tree/tree.js"``.
    """
    code = _PART.format(assets=ASSETS, version=version(), module=module)
    part: Callable[..., Any] = st.components.v2.component(f"layerglass_{name}", js=code, isolate_styles=False)
    return part
