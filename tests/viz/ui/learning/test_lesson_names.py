"""Names of the course that an address may have."""

import pytest

from viz.errors import RequestError
from viz.ui.learning.lesson_names import is_lesson, source_number


@pytest.mark.parametrize("name", ["", "sources", "0", "4", "calls", "what-is-a-hook"])
def test_what_exists_is_known(name: str) -> None:
    """The contents, the sources, one of them, a lesson."""
    assert is_lesson(name)


@pytest.mark.parametrize("name", ["5", "99999", "-1", "call", "\N{SUPERSCRIPT TWO}", "٣"])
def test_what_does_not_exist_is_not(name: str) -> None:
    """Nor digits of other scripts."""
    assert not is_lesson(name)


def test_a_source_is_named_by_its_number() -> None:
    """As it always was; without one it is the first."""
    assert [source_number(name) for name in ("", "sources", "3")] == [0, 0, 3]
    with pytest.raises(RequestError, match="'calls' is not the number of a source"):
        source_number("calls")
