import copy

from viz.sentences import Sentence, said


def test_a_sentence_is_its_english_text_and_knows_its_values() -> None:
    """It is a string wherever a string is wanted."""
    sentence = said("pooling_mean", count=9, divisor=4)
    assert sentence == "the sum of 9 values ÷ 4"
    assert (sentence.key, sentence.values) == ("pooling_mean", {"count": 9, "divisor": 4})
    assert isinstance(sentence, str)


def test_a_copy_of_a_sentence_can_still_be_said_in_another_language() -> None:
    """Dataclasses are copied on their way to JSON."""
    again = copy.deepcopy(said("linear", count=3))
    assert isinstance(again, Sentence)
    assert (again.key, again.values) == ("linear", {"count": 3})
