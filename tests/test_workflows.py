"""The public workflows run what this checkout has: its commands, its Pythons, its paths."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")
}
TARGET = re.compile(r"\bmake ([a-z-]+)")


def commands(workflow: str) -> str:
    """Each command of each job."""
    jobs = WORKFLOWS[workflow]["jobs"].values()
    return "\n".join(step.get("run", "") for job in jobs for step in job["steps"])


def test_a_change_runs_in_public_what_it_must_pass() -> None:
    """Every target of ``.ci/run`` is a job; each target that a workflow names is in the Makefile."""
    required = set(TARGET.findall((ROOT / ".ci/run").read_text("utf-8")))
    assert required == set(TARGET.findall(commands("tests")))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert required <= targets


def test_the_first_python_that_is_tested_is_the_oldest_that_is_promised() -> None:
    """The others follow without a gap."""
    versions = WORKFLOWS["tests"]["jobs"]["test"]["strategy"]["matrix"]["python"]
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    first = int(versions[0].removeprefix("3."))
    assert promised == f">={versions[0]}"
    assert versions == [f"3.{first + later}" for later in range(len(versions))]


def test_no_workflow_may_do_more_than_it_needs() -> None:
    """Each only reads; the two jobs that publish hold no password but show who they are."""
    assert [name for name, each in WORKFLOWS.items() if each["permissions"] != {"contents": "read"}] == []
    granted = {
        (name, job): each["jobs"][job]["permissions"]
        for name, each in WORKFLOWS.items()
        for job in each["jobs"]
        if "permissions" in each["jobs"][job]
    }
    who = {"id-token": "write"}
    assert granted == {
        ("release", "publish"): who,
        ("documents", "publish"): who | {"pages": "write"},
        ("dependencies", "parts"): {"contents": "write"},
    }
    texts = [path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")]
    assert [text for text in texts if "secrets." in text] == []


def test_whoever_owns_a_path_owns_one_that_exists() -> None:
    """A path that was moved would have no owner, and nobody would notice."""
    lines = (ROOT / ".github/CODEOWNERS").read_text("utf-8").splitlines()
    paths = [line.split()[0] for line in lines if line.startswith("/")]
    assert paths
    assert [path for path in paths if not (ROOT / path.strip("/")).exists()] == []


def test_forms_are_what_a_forge_can_read() -> None:
    """Each has a name, and asks at least one thing that must be answered."""
    for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        asked = [part for part in form["body"] if part.get("validations", {}).get("required")]
        assert form["name"]
        assert asked
