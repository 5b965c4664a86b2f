"""Rules of the style sheets have something to style, and hide what a class is asked for."""

import re
from functools import cache
from pathlib import Path

import pytest

from viz.ui.browser.modules import BROWSER, STYLE, files
from viz.ui.locale.words import BROWSER_WORDS

SHEETS = sorted(BROWSER.rglob("*.css"))
OURS, STREAMLITS = "lg-", "st-key-"
SIZES = re.compile(r"\{(?:size|shape|height|width)\}")
OF_PICTURE = {"saw_pixels", "saw_values", "frame_label"}  # of what the model was given, and of no layer
LEFT_OUT = {  # where a script writes no size of a layer while the page is veiled
    "layer/parts.js": {"alt", "alt_gradient", "sentence_maps"},
    "compare/compare_parts.js": {"pair_alt", "pair_difference_alt"},
    "ribbon/ribbon.js": {"ribbon_link"},
    "reduced/reduced.js": {"reduced_alt"},
}
HIDDEN = {  # where it stands otherwise
    "lg-event": {"hooks_maps_alt"},
    "lg-memory": {"memory_order"},
    "lg-method-facts": {"method_places", "method_tokens"},
    "lg-number": {"sees_part", "sees_signal"},
    "lg-side-reason": {"pair_maps"},
    "lg-filter": {"filter_facts"},
    "lg-unit-weights": {"unit_weights_said"},
}
DECLARATIONS = re.compile(r"/\*.*?\*/|\{[^{}]*\}", re.DOTALL)


def classes(sheet: str) -> set[str]:
    """The classes in its selectors."""
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", DECLARATIONS.sub("{}", sheet)))


@cache
def sources(folder: Path, ending: str) -> str:
    """All sources of one kind in a folder."""
    return "\n".join(path.read_text("utf-8") for path in folder.rglob(f"*.{ending}"))


@cache
def written() -> set[str]:
    """Every word of our scripts; a class is a word, which may have hyphens."""
    return set(re.findall(r"[\w-]+", sources(BROWSER, "js")))


def is_set(name: str) -> bool:
    """Return whether one of our scripts says the class, or a box of Streamlit's has the key that it names."""
    if name.startswith(STREAMLITS):
        key = rf'(key=|_box\(\w+, )"{name.removeprefix(STREAMLITS)}"'
        return re.search(key, sources(BROWSER.parent, "py")) is not None
    return name.startswith(OURS) and name in written()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_class_in_a_style_sheet_is_set_somewhere(sheet: Path) -> None:
    """Read from the sources; a class made of two parts at run time would have to be written out once."""
    assert sorted(name for name in classes(sheet.read_text("utf-8")) if not is_set(name)) == []


def test_every_sentence_with_sizes_is_hidden_while_a_class_is_asked_for_one() -> None:
    """Found by their words: a new one belongs to a script that leaves it out, or to a part that is hidden."""
    texts = {key: said if isinstance(said, str) else " ".join(said) for key, said in BROWSER_WORDS.items()}
    told = {key for key, text in texts.items() if SIZES.search(text)}
    assert told == OF_PICTURE.union(*LEFT_OUT.values(), *HIDDEN.values())
    assert [file for file in LEFT_OUT if "veiled" not in (BROWSER / file).read_text("utf-8")] == []
    rules = re.findall(
        r"\.lg-(?:untold|veiled) :is\((.*?)\) \{ visibility: hidden; \}", sources(BROWSER, "css")
    )
    assert len(rules) == 2
    assert sorted(HIDDEN.keys() - classes(" ".join(rules))) == []


def test_safari_selects_no_more_than_others() -> None:
    """Each rule stands under both names, Safari's and the standard's."""
    style = files()[STYLE].decode()
    ours = re.findall(r"(?<!-)user-select: \w+", style)
    assert ours == re.findall(r"-webkit-(user-select: \w+)", style)
    assert {"user-select: none", "user-select: all"} == set(ours)


def test_heights_are_of_the_window_that_is_seen() -> None:
    """A phone's Safari counts what its bars hide towards a plain vh, and Close would lie under them."""
    assert re.findall(r"[\d.]+l?vh\b", sources(BROWSER, "css") + sources(BROWSER, "html")) == []


def test_a_row_without_a_scroll_bar_has_none_in_an_older_safari() -> None:
    """Before 18.2 it knows its own name for the bar only."""
    style = sources(BROWSER, "css")
    rows = re.findall(r"(\.[.\w -]+) \{[^}]*scrollbar-width: none", style)
    assert len(rows) == style.count("scrollbar-width: none")
    assert [row for row in rows if f"{row}::-webkit-scrollbar {{ display: none; }}" not in style] == []


def test_scripts_leave_streamlits_classes_to_streamlit() -> None:
    """Its classes are named after keys; what our scripts make has names of ours."""
    assert re.findall(r"st-key-\w+", sources(BROWSER, "js")) == []


def test_a_class_that_nothing_sets_is_found() -> None:
    """The tests above rely on this."""
    assert classes(".lg-a:hover, .st-key-b > p { margin: .5rem } /* .c */") == {"lg-a", "st-key-b"}
    assert is_set("lg-combo")
    assert is_set("st-key-upload")
    assert not is_set("lg-comb")
    assert not is_set("st-key-viewer")
