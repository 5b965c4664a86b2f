"""Every block and example of Python in the documents runs as it stands, where its files are."""

import doctest
import inspect
import os
import re
from pathlib import Path

import pytest

from tests.viz.copied import copied
from tools.pages import api
from viz.__main__ import main
from viz.pictures.samples import sample

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^````.*?^````$", re.MULTILINE | re.DOTALL)  # of a file with blocks of its own
SHARED = """import layerglass
for name in layerglass.viz.__all__: getattr(layerglass, name)
layerglass.models.load"""
FIRST_LINES = BLOCK.search(api.HEAD)
BLOCKS = [
    pytest.param(found[1], id=f"{page.name}-{place}")
    for page in PAGES
    for place, found in enumerate(BLOCK.finditer(EXAMPLE.sub("", page.read_text(encoding="utf-8"))))
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the blocks speak of: a photo, and the capture of a folder of pictures."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "photos").mkdir()
    sample("cat").save(folder / "photo.jpg")
    for name in ("cat", "coffee"):
        sample(name).save(folder / "photos" / f"{name}.png")
    words = ("--model", "photonet", "--maps", "stem.conv", "--out", str(folder / "capture"), "--workers", "0")
    assert main(["capture-folder", str(folder / "photos"), *words]) == 0
    return folder


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_of_the_documents_runs(block: str, home: Path) -> None:
    """In a process of its own, as a reader copies it; PyTorch and our modules are in memory already."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    (home / "block.py").write_text(block, encoding="utf-8")
    done = copied("block.py", home, environment, SHARED)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", api.offered())
def test_every_public_name_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the lines that the page of all names begins with, it prints what its docstring says."""
    monkeypatch.chdir(tmp_path)
    assert FIRST_LINES is not None
    exec(FIRST_LINES[1], space := {})  # the page's own first lines
    docstring = inspect.getdoc(api.thing(name)) or ""
    example = doctest.DocTestParser().get_doctest(docstring, space, name, None, None)
    assert example.examples, "no example"
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert result.failed == 0, "".join(said)


def test_there_are_blocks() -> None:
    """Of the README, of hooks in two languages, of captures and of one's own scripts."""
    assert len(BLOCKS) >= 8
