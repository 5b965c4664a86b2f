"""Three levels: which kinds a quiz asks, in which order."""

from collections import Counter

import pytest

from viz.quiz import KINDS, LEVELS, QUESTIONS, level_of
from viz.quiz.levels import due

SEEDS = range(200)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_quiz_goes_from_easy_to_hard(seed: int) -> None:
    """Unless a level is chosen: three easy questions, three of the middle, two hard ones, no kind twice."""
    asked = due(seed, "climb")
    assert [each.level for each in asked] == ["easy"] * 3 + ["middle"] * 3 + ["hard"] * 2
    assert len({each.kind for each in asked}) == QUESTIONS
    assert {each.turn for each in asked} == {0}


@pytest.mark.parametrize("level", ["easy", "middle", "hard"])
def test_a_quiz_of_one_level_asks_every_kind_of_it(level: str) -> None:
    """Each once, then some of them once more, which is their second turn."""
    for seed in SEEDS:
        asked = due(seed, level)  # type: ignore[arg-type]  a name of the list above
        assert len(asked) == QUESTIONS
        assert {each.kind for each in asked} == set(LEVELS[level])
        assert len({(each.kind, each.turn) for each in asked}) == QUESTIONS
        assert max(Counter(each.kind for each in asked).values()) <= 2
        assert [each.turn for each in asked] == sorted(each.turn for each in asked)


def test_over_many_quizzes_every_kind_is_asked() -> None:
    """Also where a quiz has room for a few of them only."""
    assert {each.kind for seed in SEEDS for each in due(seed, "climb")} == set(KINDS)
    assert len({tuple(due(seed, "climb")) for seed in SEEDS}) > 150


def test_every_kind_has_one_level() -> None:
    """The levels share no kind."""
    assert sorted(KINDS) == sorted(kind for makers in LEVELS.values() for kind in makers)
    assert {level_of("relu"), level_of("edit"), level_of("gate")} == {"easy", "middle", "hard"}
