import copy
import json

from viz.sentences import ENGLISH, Sentence, said, sentence_facts


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


def test_the_facts_of_a_sentence_are_plain_and_those_of_a_text_are_text_alone() -> None:
    """Ready for JSON."""
    facts = json.loads(json.dumps(sentence_facts(said("field_operation", operation="fft"))))
    assert facts == {
        "text": ENGLISH["field_operation"].format(operation="fft"),
        "key": "field_operation",
        "values": {"operation": "fft"},
    }
    assert sentence_facts("max(0, x)") == {"text": "max(0, x)"}
