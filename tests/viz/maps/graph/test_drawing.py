"""The drawing of a graph: well-formed, whole, and without anything from elsewhere."""

import re
import xml.etree.ElementTree as ET

from tests.viz.maps.graph.graphs import chain_of_blocks, graph_of
from viz.maps.graph.drawing import graph_page, graph_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str, style: str) -> list[str]:
    """Return the lines of this style."""
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text") if each.get("class") == style]


def test_every_block_has_its_name_its_type_and_its_shape() -> None:
    """At depth 1 the row with its count; at depth 2 an operation's name says its type."""
    folded = graph_svg(chain_of_blocks(3), "a net", 1)
    assert texts(folded, "name") == ["input", "block0 … block2", "output"]
    assert texts(folded, "type") == ["Block × 3"]
    assert texts(folded, "shape") == ["1 × 4"] * 3
    opened = graph_svg(chain_of_blocks(1), "a net", 2)
    assert texts(opened, "name") == ["input", "block0.fc", "block0 › add", "output"]
    assert texts(opened, "type") == ["Linear"]


def test_every_edge_is_drawn_once() -> None:
    """One path for each; its text says where it begins and ends."""
    svg = ET.fromstring(graph_svg(chain_of_blocks(2), "a net", 2))
    flows = [each for each in svg.iter(f"{SVG}path") if each.get("class") == "flow"]
    assert len(flows) == 3 * 2 + 1


def test_a_drawing_needs_nothing_else_and_suits_light_and_dark() -> None:
    """No address but the namespace's, no script; the colours depend on what the screen prefers."""
    for drawing in (graph_svg(chain_of_blocks(2), "a net"), graph_page(chain_of_blocks(2), "a net")):
        assert set(re.findall(r"https?://[^\"' ]+", drawing)) == {"http://www.w3.org/2000/svg"}
        assert "<script" not in drawing
        assert "prefers-color-scheme: dark" in drawing


def test_an_error_is_told_and_markup_is_text() -> None:
    """Also where a name or an error has characters that XML does not know."""
    svg = graph_svg(graph_of([("a<b>&", "Linear", None)], [], error=0), "<title> & \x01")
    assert texts(svg, "name") == ["a<b>&"]
    assert texts(svg, "error") == ["ValueError: <no> & �"]
    (group,) = (each for each in ET.fromstring(svg).iter(f"{SVG}g"))
    assert group.get("class") == "wrong"
    assert group.findtext(f"{SVG}title") == "a<b>&: Linear\nValueError: <no> & �"
    assert "<title>&lt;title&gt; &amp; �</title>" in graph_page(graph_of([], []), "<title> & \x01")


def test_a_long_name_keeps_its_end_and_is_whole_in_the_tip() -> None:
    """Names of layers differ at their ends."""
    name = ".".join(f"layer{number}" for number in range(20))
    svg = graph_svg(graph_of([(name, "Linear", None)], []), "a net")
    (shown,) = texts(svg, "name")
    assert shown.startswith("…")
    assert name.endswith(shown[1:])
    assert f"<title>{name}: Linear</title>" in svg
