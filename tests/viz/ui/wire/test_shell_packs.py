"""Two packs bring the scripts that a first visit needs, as Streamlit ships them."""

import json
import re
from pathlib import Path

from streamlit import file_util

from viz.ui.wire.shell_packs import FIRST, LATER, pack_texts, packs

SCRIPTS = Path(file_util.get_static_dir()) / "static/js"
IMPORTED = re.compile(r'(?:from|import)"\./([^"]+)"')


def _scripts() -> tuple[dict[str, str], dict[str, str]]:
    made = packs()
    assert made
    first, later = (json.loads(pack_texts()[name]) for name in (made.first, made.later))
    assert first["entry"] == made.entry
    assert first["later"] == {"address": f"./static/{made.later}", "names": sorted(later)}
    return first["scripts"], later


def test_the_packs_have_every_script_that_is_named_as_it_is_installed() -> None:
    """An update that names a part of the page differently fails here, and then fetches it as a file."""
    first, later = _scripts()
    for pack, names in ((first, FIRST), (later, LATER)):
        assert set(names) <= {script.split(".")[0] for script in pack}
        assert all(text == (SCRIPTS / script).read_text("utf-8") for script, text in pack.items())


def test_a_script_is_in_one_pack_and_what_it_imports_comes_no_later() -> None:
    """Otherwise a part would be there twice, or wait for files."""
    first, later = _scripts()
    assert not first.keys() & later.keys()
    assert all(first.keys() >= set(IMPORTED.findall(text)) for text in first.values())
    assert all(first.keys() | later.keys() >= set(IMPORTED.findall(text)) for text in later.values())


def test_no_script_says_where_it_is_in_a_way_that_we_do_not_know() -> None:
    """In a pack it has another address than its file, so ``shell.js`` writes the file's in its place."""
    first, later = _scripts()
    for script, text in (first | later).items():
        if not script.startswith("preload-helper"):  # it asks for absolute addresses only
            assert text.count("import.meta") == text.count("import.meta.url"), script
        for imported in re.findall(r"\bimport\((.{0,3})", text):
            assert imported.startswith(("`./", "c", "e", "t")), (script, imported)
