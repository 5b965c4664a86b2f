"""Documents in the order of their contents, and which files beside them may be fetched."""

import re
from pathlib import Path

import pytest

import models
from viz import errors
from viz.errors import VizError
from viz.request.views import VIEWS
from viz.ui.help.contents import FOLDER, documents, file_beside, for_programs, neighbours
from viz.ui.help.rendering import passages

UI = Path(__file__).parents[4] / "viz" / "ui"
MANY = 30  # headings that sentences on the page lead to, at least
LINKED = re.compile(r"""["']([a-z0-9-]+#[a-z0-9-]+)["']""")  # a document and its heading, in a script


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents in two sections, one of them above the folder, and a picture."""
    docs = tmp_path / "docs"
    (docs / "pictures").mkdir(parents=True)
    (docs / "index.md").write_text(
        "# Top\n\n## Look\n\n- [See](see.md)\n- [Find](find.md)\n\n## More\n\n- [What changed](../NEWS.md)\n"
    )
    for path, text in (("see.md", "# See\n"), ("find.md", "# Find\n"), ("../NEWS.md", "# News\n")):
        (docs / path).write_text(text)
    (docs / "pictures" / "one.png").write_bytes(b"png")
    (tmp_path / "secret.png").write_bytes(b"png")
    return docs


def test_the_contents_name_each_document_its_title_and_its_section(folder: Path) -> None:
    """In their order, with the contents themselves first."""
    found = [(each.name, each.title, each.section) for each in documents(folder).values()]
    assert found == [
        ("index", "Contents", ""),
        ("see", "See", "Look"),
        ("find", "Find", "Look"),
        ("news", "What changed", "More"),
    ]
    assert documents(folder)["news"].text == "# News\n"


def test_an_installation_has_all_documents_in_one_folder(folder: Path) -> None:
    """So a document from the project's top is found there as well."""
    (folder / "NEWS.md").write_text((folder / "../NEWS.md").read_text())
    (folder / "../NEWS.md").unlink()
    assert documents(folder)["news"].path == folder / "NEWS.md"


def test_a_document_that_is_listed_and_not_there_is_named(folder: Path) -> None:
    """One who removes it is told at once."""
    (folder / "find.md").unlink()
    with pytest.raises(FileNotFoundError, match=r"index\.md lists find\.md, which is not there"):
        documents(folder)


def test_programs_get_the_contents_with_a_summary_and_links_to_plain_text(folder: Path) -> None:
    """In the form of llms.txt; each link is one of the other texts."""
    index = folder / "index.md"
    index.write_text(index.read_text().replace("# Top\n", "# Top\n\nAll of it.\n"))
    texts = for_programs(folder)
    assert texts.pop("llms.txt") == (
        "# Top\n\n> All of it.\n\n## Look\n\n- [See](see.md)\n- [Find](find.md)\n\n"
        "## More\n\n- [What changed](news.md)\n"
    )
    assert texts == {"see.md": "# See\n", "find.md": "# Find\n", "news.md": "# News\n"}


def test_one_reads_on_to_the_next_document_and_back(folder: Path) -> None:
    """The first has none before it, and the last none after it."""
    among = documents(folder)
    assert neighbours(among["see"], among) == (among["index"], among["find"])
    assert neighbours(among["index"], among)[0] is None
    assert neighbours(among["news"], among)[1] is None


@pytest.mark.parametrize(
    "name",
    [
        "../secret.png",
        "pictures/../../secret.png",
        "see.md",
        "pictures",
        "pictures/none.png",
        "\0.png",
        "a" * 300 + ".png",
        "/etc/x.png",
    ],
)
def test_nothing_else_than_pictures_and_programs_of_the_folder_can_be_fetched(
    folder: Path, name: str
) -> None:
    """The address may say anything."""
    assert file_beside("pictures/one.png", folder) == folder / "pictures/one.png"
    assert file_beside(name, folder) is None


def test_every_view_has_a_document() -> None:
    """The help of a view leads to one that the contents list."""
    assert {view.help for view in VIEWS.values()} <= set(documents())
    assert all(each.path.is_file() for each in documents().values())
    assert documents()["index"].path.parent == FOLDER


def test_every_heading_that_the_page_leads_to_is_there() -> None:
    """Sentences name it beside its document."""
    there = documents()
    headings = {f"{name}#{each.heading.place}" for name in there for each in passages(there[name].text)}
    scripts = [path for kind in ("*.py", "*.js") for path in UI.rglob(kind)]
    named = {found for path in scripts for found in LINKED.findall(path.read_text("utf-8"))}
    assert len(named) > MANY
    assert named - headings == set()


def test_each_kind_of_error_leads_to_a_document_that_explains_it() -> None:
    """One that there is; the document of messages leads to those about one kind."""
    there = documents()
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, VizError)}
    of_models = {getattr(models, name) for name in models.errors.__all__}
    assert {kind.document for kind in kinds | of_models} <= set(there)
    for kind in kinds - {VizError}:
        told = next(
            line for line in there["messages"].text.splitlines() if line.startswith(f"| `{kind.__name__}`")
        )
        assert kind.document == "messages" or f"]({kind.document}.md)" in told
