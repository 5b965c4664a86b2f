"""A replayed class: what is counted is what was run."""

import pytest

from bench import replay


@pytest.mark.slow
def test_what_there_is_room_for_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two visitors pick every layer of a small net: with no room each pick is a pass, with room few are."""
    monkeypatch.setattr(replay, "MODEL", "lenet")
    monkeypatch.setattr(replay, "VISITORS", 2)
    scarce, ample = ([int(each) for each in replay.row(size).split("|")[1:5]] for size in (0, 100))
    assert scarce[:2] == [0, 2 * replay.PICKS]
    assert scarce[2] >= 2 * replay.PICKS
    assert ample[2] < scarce[2]
    assert ample[3] < scarce[3]
