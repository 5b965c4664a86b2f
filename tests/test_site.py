"""The documents as a site of files: whole, with a search that needs no server."""

import json
from pathlib import Path

import pytest

from docs.reference import broken_links
from docs.site import main
from viz.ui.help.contents import documents


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ``make docs`` writes it, without a broken link."""
    folder = tmp_path_factory.mktemp("site") / "help"
    assert main(folder) == 0
    return folder


def test_every_document_is_a_file(site: Path) -> None:
    """With the pictures and programs that they show."""
    assert {path.stem for path in site.glob("*.html")} == set(documents())
    assert (site / "pictures/page.png").is_file()
    assert (site / "llms.txt").read_text("utf-8").startswith("# Layerglass\n\n> See in your browser")
    assert (site / "gallery/first_capture.ipynb").is_file()


def test_the_search_comes_in_scripts_as_browsers_fetch_nothing_beside_a_file(site: Path) -> None:
    """Its addresses are those of the files."""
    passages = json.loads(
        (site / "search.js").read_text("utf-8").removeprefix("globalThis.helpPassages = ")[:-2]
    )
    files = {passage["address"].partition("#")[0].removeprefix("./") for passage in passages}
    assert "colours.html" in files
    assert [name for name in files if not (site / name).is_file()] == []
    assert "import " not in (site / "help.js").read_text("utf-8")


def test_a_broken_link_is_named(tmp_path: Path) -> None:
    """With the page that it is on; the command fails."""
    (tmp_path / "one.html").write_text('<a href="./two.html">two</a><a href="#here">here</a>', "utf-8")
    assert list(broken_links(tmp_path)) == [
        "one.html: ./two.html leads nowhere",
        "one.html: #here leads nowhere",
    ]
