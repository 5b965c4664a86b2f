"""The texts of the browser's parts, as the components take them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

BROWSER = Path(__file__).parent


def read(*names: str) -> str:
    """The files' texts, one after the other: a component's code is one module, ours are files of one idea."""
    return "\n".join((BROWSER / name).read_text(encoding="utf-8") for name in names)


def browser_part(name: str, *, css: tuple[str, ...], js: tuple[str, ...]) -> Callable[..., Any]:
    """A part of the page that lives in the browser, of these files; called where it is to be drawn."""
    part: Callable[..., Any] = st.components.v2.component(
        f"layerglass_{name}", css=read(*css), js=read(*js), isolate_styles=False
    )
    return part
