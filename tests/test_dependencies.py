"""The tested versions can be audited: exact, all of them, and listed with each release."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
# YAML 1.1 reads the key "on" as true.
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/dependencies.yml").read_text("utf-8"))


def commands(job: str) -> str:
    """All commands of a job."""
    return "\n".join(step.get("run", "") for step in WORKFLOW["jobs"][job]["steps"])


def test_each_tested_version_is_exact() -> None:
    """Otherwise an audit would be about another one than was tested."""
    for file in ROOT.glob("constraints*.txt"):
        lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(("#", "-c "))]
        assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.!]+", line)] == []


def test_all_tested_versions_are_audited_with_each_change_and_every_week() -> None:
    """Each file of them is named; the scripts' tools are in npm's lock file."""
    audited = set(re.findall(r"-r (\S+)", commands("audit")))
    assert audited == {file.name for file in ROOT.glob("constraints*.txt")}
    assert "npm audit" in commands("audit")
    assert (ROOT / "package-lock.json").is_file()
    assert {"pull_request", "schedule", "push"} <= set(WORKFLOW[True])


def test_a_release_has_a_list_of_its_parts_and_their_hashes() -> None:
    """The uploaded files are made from the tested versions; nothing else may write."""
    upload = re.search(r"gh release upload \S+ (.*)", commands("parts"))
    assert upload is not None
    for made in upload[1].split():
        assert re.search(rf"constraints\.txt .*-o {re.escape(made)}$", commands("parts"), re.MULTILINE)
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert "release" in WORKFLOW[True]
    assert [name for name, job in WORKFLOW["jobs"].items() if "permissions" in job] == ["parts"]
