"""Agreement of the package's metadata with the files that a checkout is set up from."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from trove_classifiers import classifiers

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXACT = re.compile(r"\d+\.\d+\.\d+")


def listed(name: str) -> set[str]:
    """The requirements of a file, without those that it takes over from others."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {str(Requirement(line)) for line in lines if line and not line.startswith(("#", "-r"))}


@pytest.mark.parametrize(
    ("file", "said", "beside"),
    [
        ("requirements.txt", PROJECT["dependencies"], set()),
        ("requirements-timm.txt", PROJECT["optional-dependencies"]["timm"], set()),
        ("requirements-notebook.txt", PROJECT["optional-dependencies"]["notebook"], set()),
        ("requirements-onnx.txt", PROJECT["optional-dependencies"]["onnx"], set()),
        ("requirements-ray.txt", PROJECT["optional-dependencies"]["ray"], set()),
        ("requirements-dev.txt", PROJECT["optional-dependencies"]["dev"], {"layerglass[notebook,onnx,timm]"}),
    ],
)
def test_a_checkout_and_the_package_need_the_same(file: str, said: list[str], beside: set[str]) -> None:
    """Each requirement, with its versions, is in the file and in pyproject.toml."""
    assert {str(Requirement(each)) for each in said} == listed(file) | beside


def test_the_classifiers_name_what_is_tested() -> None:
    """The versions of Python and the systems of the forge's jobs, and the page's languages; PyPI has them."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))["jobs"]
    named = PROJECT["classifiers"]
    pythons = [each.rpartition(" :: ")[2] for each in named if re.search(r"Python :: \d\.\d+$", each)]
    assert pythons == jobs["test"]["strategy"]["matrix"]["python"]
    systems = {"ubuntu": "POSIX :: Linux", "macos": "MacOS", "windows": "Microsoft :: Windows"}
    tested = {systems[each.partition("-")[0]] for each in jobs["wheel"]["strategy"]["matrix"]["system"]}
    assert {each.partition(" :: ")[2] for each in named if each.startswith("Operating")} == tested
    languages = [each for each in named if each.startswith("Natural Language")]
    assert len(languages) == 1 + len(list((ROOT / "viz/ui/locale").glob("*.po")))
    assert set(named) <= classifiers
    assert sorted(named) == named


def test_the_tools_for_scripts_are_pinned_and_name_no_registry() -> None:
    """Exact versions, which the lock file has too; packages are known by content, not by address."""
    tools = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = tools["devDependencies"]
    assert [name for name, version in wanted.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
    assert lock.pop("")["devDependencies"] == wanted
    assert "dependencies" not in tools
    assert [name for name, kept in lock.items() if "resolved" in kept or not kept["integrity"]] == []


def test_the_two_pages_differ_only_in_where_they_import_from() -> None:
    """After the first docstring, and with the package's name in front of ours, they are the same program."""
    checkout, installed = (
        ast.parse((ROOT / path).read_text(encoding="utf-8")).body[1:]
        for path in ("app.py", "layerglass/page/app.py")
    )
    for node in (each for top in installed for each in ast.walk(top)):
        if isinstance(node, ast.ImportFrom):
            node.module = str(node.module).removeprefix("layerglass.")
    assert [ast.unparse(each) for each in installed] == [ast.unparse(each) for each in checkout]


def test_what_is_to_be_installed_imports_nothing_of_ours_by_an_absolute_name() -> None:
    """It would find another ``models`` or none; the one in ``viz/catalogue.py`` is only for checkouts."""
    sources = [path for top in ("viz", "models") for path in sorted((ROOT / top).rglob("*.py"))]
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in absolute(node)
        if name.split(".")[0] in {"viz", "models"}
    }
    assert found == {"viz/catalogue.py: models"}


def absolute(node: ast.AST) -> list[str]:
    """The modules that a statement imports by their full names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [str(node.module)] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
