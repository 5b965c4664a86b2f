"""A model's graph as an SVG or a page, without other files.

It is light or dark as the screen is.
"""

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

from ...answers.views.graph import GraphFacts
from ...layer_names import is_operation
from .folding import Block, folded
from .layering import Place, layered

LETTER, LINE = 7.3, 17.0  # pixels that a letter takes at most, and a line
LONGEST = 44  # letters of a line
MARGIN, PADDING = 16.0, 9.0
STYLE = Path(__file__).with_suffix(".css").read_text("utf-8")
ROLE = 'role="img" aria-labelledby="title"'
HEAD = 'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"'
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ margin: 1rem; font: 1rem system-ui, sans-serif; background: #fff; color: #17212b; }}
h1 {{ font-size: 1.2rem; }}
svg {{ max-width: 100%; height: auto; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0f1418; color: #e6edf2; }} }}
</style>
<h1>{title}</h1>
{svg}
</html>
"""


def graph_svg(graph: GraphFacts, title: str, depth: int | None = None) -> str:
    """Return a folded graph's drawing from the top down: see ``folded``."""
    found = folded(graph, depth)
    boxes = [_box(block) for block in found.blocks]
    layout = layered([(box.width, box.height) for box in boxes], found.edges)
    width, height = (round(side + 2 * MARGIN) for side in layout.size)
    seen = f'viewBox="{-MARGIN:g} {-MARGIN:g} {width} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {seen} {ROLE}>',
        f'<title id="title">{_plain(title)}</title>',
        f"<style>{STYLE}</style>",
        f'<defs><marker id="arrow" {HEAD}><path id="head" d="M0 0.8 L8 4 L0 7.2 z"/></marker></defs>',
        *(_flow(route) for route in layout.routes.values()),
        *(_drawn(box, place) for box, place in zip(boxes, layout.places, strict=True)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def graph_page(graph: GraphFacts, title: str, depth: int | None = None) -> str:
    """Return the drawing in a page of its own."""
    return PAGE.format(title=_plain(title), svg=graph_svg(graph, title, depth))


@dataclass(frozen=True)
class _Box:
    """A box's text: its styled lines, and all that is known."""

    kind: str
    lines: tuple[tuple[str, str], ...]
    about: str

    @property
    def width(self) -> float:
        return max(len(text) for _, text in self.lines) * LETTER + 2 * PADDING

    @property
    def height(self) -> float:
        return len(self.lines) * LINE + PADDING


def _box(block: Block) -> _Box:
    node, kinds = block.node, []
    if node.type in {"input", "output"}:
        kinds.append("end")
    elif block.inside:
        kinds.append("block")
    elif is_operation(node.name):
        kinds.append("operation")
    lines = [("name", _short(_name(block)))]
    if not kinds or kinds == ["block"]:
        lines.append(("type", _short(node.type + (f" × {block.count}" if block.count > 1 else ""))))
    if node.shape is not None:
        lines.append(("shape", _short(" × ".join(map(str, node.shape)) or "1 number")))
    if block.error:
        kinds.append("wrong")
        lines.append(("error", _short(block.error, cut_end=True)))
    about = (f"{_name(block)}: {node.type}", block.error)
    return _Box(" ".join(kinds), tuple(lines), "\n".join(filter(None, about)))


def _name(block: Block) -> str:
    node = block.node
    called = f"{node.name} (call {node.call + 1})" if node.call else node.name
    return f"{called} … {block.last.name.rpartition('.')[2]}" if block.count > 1 else called


def _short(text: str, *, cut_end: bool = False) -> str:
    """Return a text in one line, shortened at its beginning by default.

    Names differ at their ends.
    """
    line = " ".join(text.split())
    if len(line) <= LONGEST:
        return line
    return f"{line[: LONGEST - 1]}…" if cut_end else f"…{line[1 - LONGEST :]}"


def _plain(text: str) -> str:
    """Return a text as XML, with forbidden characters replaced."""
    return escape("".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text))


def _drawn(box: _Box, place: Place) -> str:
    x, y = place
    middle = x + box.width / 2
    frame = f'x="{x:.1f}" y="{y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"'
    lines = [
        f'<text class="{style}" x="{middle:.1f}" y="{y + LINE * (number + 1) - 1:.1f}">{_plain(text)}</text>'
        for number, (style, text) in enumerate(box.lines)
    ]
    return f'<g class="{box.kind}"><title>{_plain(box.about)}</title><rect {frame}/>{"".join(lines)}</g>'


def _flow(route: tuple[Place, ...]) -> str:
    """Return an edge: straight through layers that it passes, bent between them."""
    (x, y), *_ = route
    steps = [f"M{x:.1f} {y:.1f}"]
    for (left, top), (right, bottom) in pairwise(route):
        half = (top + bottom) / 2
        steps.append(
            f"V{bottom:.1f}"
            if left == right
            else f"C{left:.1f} {half:.1f} {right:.1f} {half:.1f} {right:.1f} {bottom:.1f}"
        )
    return f'<path class="flow" d="{" ".join(steps)}" marker-end="url(#arrow)"/>'
