"""The documents about trust say what the tests and the code say."""

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

from tests.browser.serving import serving
from tests.hostile.visitor import Visitor, ask

ROOT = Path(__file__).parents[1]
ABOUT_TRUST = "docs/trust.md", "docs/strangers.md"
FOR_OPERATORS = (
    "docs/operating.md",
    "docs/how-much-machine.md",
    "docs/settings.md",
    "docs/behind-a-proxy.md",
    "docs/without-internet.md",
    "docs/containers.md",
    "docs/ray.md",
    "docs/watch.md",
    "docs/limits.md",
)
TRUST, OPERATING, SECURITY = (
    "\n\n".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
    for pages in (ABOUT_TRUST, FOR_OPERATORS, ("SECURITY.md",))
)
NOTE = re.compile(r"<sub>(.*?)</sub>", re.DOTALL)
NAMED = re.compile(r"([\w/]+\.py): ((?:test_\w+)(?:, test_\w+)*)")
UNTESTED = re.compile("by reading the code only|not tested", re.IGNORECASE)
ROW = re.compile(r"^\| .+? \| ([\d,]+)(?: ([a-zA-Z]+))? \| .*?`([\w.]+):([\w.]+)` \|$", re.MULTILINE)
UNITS = {"": 1, "bytes": 1, "s": 1, "kB": 10**3, "MB": 10**6, "MiB": 1 << 20, "GiB": 1 << 30}


def claims(page: str) -> list[str]:
    """The paragraphs and list items of a document, without its headings and the names of groups."""
    blocks = re.split(r"\n\n|\n(?=- )", page)
    return [block for block in blocks if not re.fullmatch(r"#+ .*|\*\*[^*]+\*\*", block.strip())]


def named_tests(page: str) -> list[tuple[str, str]]:
    """The file and the function of each test that the small print names."""
    notes = (re.sub(r"\s+", " ", note) for note in NOTE.findall(page))
    found = [each for note in notes for each in NAMED.findall(note)]
    return [(file, test) for file, tests in found for test in tests.split(", ")]


def functions_in(file: Path) -> set[str]:
    """The names of the functions that a file defines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    """In the file that the small print says; a test that is renamed is renamed in the document."""
    named = named_tests(TRUST)
    files = {file: ROOT / "tests" / file for file, _ in named}
    assert [file for file, path in files.items() if not path.is_file()] == []
    known = {file: functions_in(path) for file, path in files.items()}
    assert [f"{file}: {test}" for file, test in named if test not in known[file]] == []


def test_no_name_of_a_test_is_passed_over() -> None:
    """Otherwise a typo would hide a name from the test above."""
    assert len(named_tests(TRUST)) == len(re.findall(r"\btest_\w+\b(?!\.py)", " ".join(NOTE.findall(TRUST))))


def test_every_claim_names_its_test_or_says_that_there_is_none() -> None:
    """In small print at the end of each paragraph and item; only an introduction to a list needs none."""
    silent = [
        claim
        for claim in map(str.rstrip, claims(TRUST))
        if not (claim.endswith("</sub>") and (named_tests(claim) or UNTESTED.search(claim)))
    ]
    assert [claim for claim in silent if not claim.endswith(":")] == []


def test_a_claim_without_a_test_is_found() -> None:
    """The test above relies on this."""
    page = (
        "# Title\n\n- one thing\n  <sub>a/test_a.py: test_one_is_so, test_two_is_so</sub>\n- another thing\n"
    )
    assert named_tests(page) == [("a/test_a.py", "test_one_is_so"), ("a/test_a.py", "test_two_is_so")]
    assert [claim for claim in claims(page) if not NOTE.search(claim)] == ["- another thing\n"]


@pytest.mark.parametrize(("number", "unit", "module", "path"), ROW.findall(OPERATING))
def test_the_numbers_in_the_tables_are_those_of_the_code(
    number: str, unit: str, module: str, path: str
) -> None:
    """Each row that says where its number is set has the number from there."""
    value = importlib.import_module(module)
    for name in path.split("."):
        value = getattr(value, name)
    assert int(number.replace(",", "")) * UNITS[unit] == value


def test_the_tables_say_where_their_numbers_are_set() -> None:
    """Otherwise a page could leave them out unseen."""
    assert len(ROW.findall(OPERATING)) > 50


def test_the_settings_keep_what_the_documents_promise() -> None:
    """No statistics, for this machine only, no traceback on the page, uploads only from the page itself."""
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["address"] == "localhost"
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["client"]["showErrorDetails"] == "none"


def test_every_variable_of_the_environment_is_explained() -> None:
    """The document explains those that the sources name, and no others."""
    sources = [ROOT / "app.py", *(ROOT / "viz").rglob("*.py"), *(ROOT / "models").rglob("*.py")]
    read = {name for path in sources for name in re.findall(r'"(LAYERGLASS_\w+)"', path.read_text("utf-8"))}
    assert read == set(re.findall(r"^\| `(LAYERGLASS_\w+)` \|", OPERATING, re.MULTILINE))


def test_what_the_page_about_security_names_is_there() -> None:
    """Its links, and the files and folders in its commands."""
    named = re.findall(r"\]\(([^)#:]+)\)", SECURITY) + re.findall(r"(?:tests|bench)/[\w/.]*\w", SECURITY)
    assert len(named) > 3
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.slow
def test_the_log_tells_nothing_of_a_visitor(tmp_path: Path) -> None:
    """A link to nothing, a file that is not a picture, an address that is too long: none is in the log."""
    with serving(tmp_path) as address, Visitor(address, model="lenet", sample="telltale_sample") as visitor:
        assert [said for said in visitor.notices() if "telltale" in said]
        looked = ask(address, f"/maps/{visitor.subject}/look.json?layer=telltale_layer").said
        assert [said for said in looked["notices"] if "telltale" in said["text"]]
        visitor.upload("upload", "telltale_file.png", b"\x89PNG telltale_content")
        assert ask(address, "/?telltale_query=" + "x" * 40_000).status == 414
        assert [said for said in visitor.notices() if "not a picture that can be read" in said]
    written = (tmp_path / "log.txt").read_text(encoding="utf-8", errors="replace")
    assert "telltale" not in written
    assert "127.0.0.1" not in written.replace(address, "")
