"""The command that checks lesson plans: what it counts, what it finds, how it ends."""

from pathlib import Path

import pytest

from viz.__main__ import main

PLAN = """\
# A
net: lenet
picture: cat

## B
look: layer=conv1
minutes: 5
ask: shape
answer: (1, 6, 28, 28)

```python
print(tuple(net.conv1(picture).shape))
```

? C?

! D.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one plan about LeNet."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en/1-a.md").write_text(PLAN)
    return tmp_path


def test_a_folder_without_faults_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the command ends well."""
    assert main(["plans", "check", str(folder)]) == 0
    assert capsys.readouterr().out == "1 steps, 0 faults\n"


def test_faults_are_printed_with_their_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A look that LeNet has not, and an answer that it does not give."""
    text = PLAN.replace("layer=conv1", "layer=conv9").replace("(1, 6, 28, 28)", "(1, 6, 30, 30)")
    (folder / "en/1-a.md").write_text(text)
    assert main(["plans", "check", str(folder)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "en/1-a.md:5: the net has no layer conv9.",
        "en/1-a.md:5: the net says (1, 6, 28, 28), and the plan (1, 6, 30, 30).",
        "1 steps, 2 faults",
    ]


def test_a_net_that_nobody_has_is_said_before_anything_runs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing can be asked of it."""
    (folder / "en/1-a.md").write_text(PLAN.replace("net: lenet", "net: nothing"))
    assert main(["plans", "check", str(folder)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "en/1-a.md:5: the catalogue has no model nothing.",
        "1 steps, 1 faults",
    ]


def test_without_a_folder_all_that_is_taught_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plans, course and quiz, whose own tests check what is in them: all faults are printed and counted."""
    checks = {
        "plans.checked_plans": (3, ["plan"]),
        "lessons.checked_lessons": (2, ["course"]),
        "plans.quiz_checked": (1, []),
    }
    for name, found in checks.items():
        monkeypatch.setattr(f"viz.commands.{name}", lambda *_, found=found: found)
    assert main(["plans", "check"]) == 1
    assert capsys.readouterr().out.splitlines() == ["plan", "course", "6 steps, 2 faults"]
