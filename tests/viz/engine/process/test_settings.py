"""Settings of the operator come first; without them, those that suit the machine."""

import pytest

from viz.engine.process import Patience, patience_from, processes_from
from viz.engine.process.settings import ANSWER_SECONDS, MODELS_MB, PROCESSES


def test_patience_is_what_the_environment_says() -> None:
    """Seconds and processes as they are, megabytes in bytes."""
    assert processes_from({PROCESSES: "2"}) == 2
    assert patience_from({ANSWER_SECONDS: "20", MODELS_MB: "3000"}) == Patience(20, memory=3_000_000_000)


@pytest.mark.parametrize("text", ["", "0", "-3", "many", "1e3", "٣"])
def test_a_setting_that_is_no_number_above_zero_is_ignored(text: str) -> None:
    """Then a task has two minutes, and four hosts have nine tenths of the free memory."""
    assert processes_from({PROCESSES: text}) == 4
    assert patience_from({ANSWER_SECONDS: text, MODELS_MB: text}, free=1000) == Patience(120, memory=900)
