"""The command that checks lessons: what it counts, what it finds, how it ends."""

from pathlib import Path

import pytest

from viz.__main__ import main
from viz.commands.lessons import known_exercises

LESSON = """\
# A
about: B.
net: lenet
minutes: 1

## C
look: layer=conv1

D.

```python
print(tuple(net(picture).shape))
```

? E?
- (1, 10)
- (1, 1000)

! F.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one lesson about LeNet."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en/1-a.md").write_text(LESSON)
    return tmp_path


def test_a_folder_without_faults_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the command ends well."""
    assert main(["lessons", "check", str(folder)]) == 0
    assert capsys.readouterr().out == "1 steps, 0 faults\n"


def test_faults_are_printed_with_their_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A look that LeNet has not, and an answer that nobody can choose, on each picture."""
    text = LESSON.replace("layer=conv1", "layer=conv9").replace("- (1, 10)", "- (1, 9)")
    (folder / "en/1-a.md").write_text(text)
    assert main(["lessons", "check", str(folder)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "en/1-a.md:6: the net has no layer conv9.",
        "en/1-a.md:6: the answer is (1, 10), and no choice says that. (on cat)",
        "en/1-a.md:6: the answer is (1, 10), and no choice says that. (on rocket)",
        "1 steps, 3 faults",
    ]


def test_a_net_that_nobody_has_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is run then."""
    (folder / "en/1-a.md").write_text(LESSON.replace("net: lenet", "net: nonet"))
    assert main(["lessons", "check", str(folder)]) == 1
    assert "en/1-a.md:1: the catalogue has no model nonet." in capsys.readouterr().out


def test_exercises_are_known_once_there_are_any(tmp_path: Path) -> None:
    """By their files' names."""
    assert known_exercises(tmp_path) is None
    (tmp_path / "exercises/texts/en").mkdir(parents=True)
    (tmp_path / "exercises/texts/en/11-fill-a-hook.md").write_text("# Fill a hook")
    known = known_exercises(tmp_path)
    assert known is not None
    assert (known("fill-a-hook"), known("fill")) == (True, False)
