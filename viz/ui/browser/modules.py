"""The browser's half as files, at one address for each version."""

import hashlib
import html
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from .bundle import BUNDLE, bundles, script

BROWSER = Path(__file__).parent
START = "start.js"  # runs before Streamlit's script, and starts it: FIRST with what it imports
FIRST = "page/first.js"
OFFLINE = "offline/offline.js"  # the script of another page
OPERATOR = "operating/operator.js"  # likewise
HELP = "help/help.js"  # likewise, of the documents
FRAMED = "notebook/frame.js"  # likewise
# In no bundle: what begins when it is imported, and what only that imports.
ALONE = (
    FIRST,
    "page/shell.js",
    "page/skeleton.js",
    OFFLINE,
    OPERATOR,
    "operating/chart.js",
    "operating/series.js",
    HELP,
    "help/finding.js",
    FRAMED,
    "notebook/kernel.js",
    "notebook/pictures.js",
    "notebook/widget.js",
)
SKELETON = "page/skeleton.html"
STYLE = "style.css"  # every feature's style sheet, one after the other
ASSETS = "assets"

_SAID = re.compile(r"/\*.*?\*/\n?", re.DOTALL)  # comments, which a first visit need not fetch
_SELECTED = re.compile(r"user-select: \w+")  # Safari knows it by its own name only

# Parts of two versions share no state: of a server that comes back with another, the page starts anew.
_PART = """
const root = new URL("{assets}/{version}/", document.baseURI).href;
if ((globalThis.layerglassRoot ??= root) !== root) {{
  location.reload();
  await new Promise(() => {{}});
}}
const {{ modules }} = await import(root + "{bundle}");
export default await modules["page/part.js"].styled(modules["{module}"].default, root + "{style}");
"""


@cache
def files() -> MappingProxyType[str, bytes]:
    """Return the files of a version: modules, their bundles, and styles."""
    texts = _texts()
    sheets = [path.read_text("utf-8") for path in sorted(BROWSER.rglob("*.css"), key=_rank)]
    together = {path: text for path, text in texts.items() if path not in ALONE}
    style = _SELECTED.sub(r"-webkit-\g<0>; \g<0>", _SAID.sub("", "\n".join(sheets)))
    made = bundles(together) | {STYLE: style, START: script(texts, FIRST)}
    return MappingProxyType({path: text.encode() for path, text in (texts | made).items()})


def skeleton(picture: str, away: Mapping[str, str]) -> str:
    """Return the HTML shown until the page stands.

    It needs no other file.

    Args:
        picture: the address of a small picture; if empty, an empty place is shown.
        away: the sentence about a server that does not answer, by language.
    """
    shown = f'<img alt="" src="{picture}">' if picture else "<s></s>"
    page = (BROWSER / SKELETON).read_text("utf-8").replace("<!-- picture -->", shown)
    return page.replace("<!-- away -->", html.escape(json.dumps(away)))


def operator_page() -> str:
    """Return the operator's page: HTML with its styles and its script's address."""
    page = (BROWSER / "operating" / "operator.html").read_text("utf-8")
    return page.replace("<!-- script -->", f"./{ASSETS}/{version()}/{OPERATOR}")


@cache
def help_script() -> str:
    """Return the documents' script in one piece, for a site of files."""
    return script(_texts(), HELP)


@cache
def help_page() -> str:
    """Return a document's page: HTML with comments for its parts."""
    return (BROWSER / "help" / "help.html").read_text("utf-8")


@cache
def framed_page() -> str:
    """Return the page of one subject for a notebook's frame.

    It is HTML that needs no other file.
    """
    page = (BROWSER / "notebook" / "frame.html").read_text("utf-8")
    code = script(_texts(), FRAMED).replace("</script", r"<\/script")
    style = files()[STYLE].decode()
    return page.replace("/* style */", style).replace("/* script */", code)


def widget_script() -> str:
    """Return the module that shows the framed page in a notebook."""
    text = (BROWSER / "notebook" / "widget.js").read_text("utf-8")
    return text.replace('"<!-- page -->"', json.dumps(framed_page()).replace("</", r"<\/"))


@cache
def offline_script() -> str:
    """Return the script of the page to take home.

    It imports nothing from a server.
    """
    return script(_texts(), OFFLINE)


def _texts() -> dict[str, str]:
    modules = sorted(BROWSER.rglob("*.js"))  # the same on every server, and so the same version
    return {path.relative_to(BROWSER).as_posix(): path.read_text("utf-8") for path in modules}


def _rank(sheet: Path) -> tuple[bool, bool, Path]:
    """Return a style sheet's rank: the page's first, then the viewer's."""
    return sheet.name != "page.css", sheet.name != "viewer.css", sheet


@cache
def version() -> str:
    """A content address of all files together.

    Modules name each other by relative paths.
    """
    digest = hashlib.sha256()
    for path, data in sorted(files().items()):
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def browser_part(name: str, module: str) -> Callable[..., Any]:
    """A part of the page that lives in the browser.

    It is called where it is to be drawn. Its code does not travel with the script runs: Streamlit sends a
    line that imports ``module``, and the module's default export is the part.

    Args:
        name: of the component, for Streamlit.
        module: a path below ``viz/ui/browser``, such as ``"tree/tree.js"``.
    """
    code = _PART.format(assets=ASSETS, version=version(), bundle=BUNDLE, style=STYLE, module=module)
    part: Callable[..., Any] = st.components.v2.component(f"layerglass_{name}", js=code, isolate_styles=False)
    return part
