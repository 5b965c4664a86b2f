import copy
import pickle

import pytest

import models
from models.sentences import Sentence, counted
from viz.errors import RequestError, UnknownLayerError


def test_a_sentence_is_its_english_text_and_knows_what_it_was_made_of() -> None:
    """It can be used wherever a string can."""
    sentence = Sentence("the sum of {values} values ÷ {divisor}", values=9, divisor=4)
    assert sentence == "the sum of 9 values ÷ 4"
    assert sentence.english == "the sum of {values} values ÷ {divisor}"
    assert sentence.values == {"values": 9, "divisor": 4}


def test_a_sentence_without_values_keeps_its_braces() -> None:
    """Without values, its braces are ordinary text."""
    assert Sentence("{a} stays") == "{a} stays"


@pytest.mark.parametrize(("count", "said"), [(0, "0 maps"), (1, "one map"), (2, "2 maps")])
def test_a_count_decides_between_the_texts(count: int, said: str) -> None:
    """English has one text for one thing, and one for all other numbers."""
    assert counted("one map", "{count} maps", count=count) == said


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_of_a_sentence_can_still_be_said_in_another_language(again: object) -> None:
    """Dataclasses are copied on their way to JSON, errors are pickled on their way to another process."""
    sentence = counted("one map of {of}", "{count} maps of {of}", count=3, of=Sentence("a {it}", it="cat"))
    twin = again(sentence)
    assert isinstance(twin, Sentence)
    assert (twin, twin.english, twin.many) == (sentence, sentence.english, sentence.many)
    assert isinstance(twin.values["of"], Sentence)


@pytest.mark.parametrize("error", [RequestError, UnknownLayerError, models.OwnWeightsError])
def test_the_text_of_an_error_is_a_sentence(error: type[Exception]) -> None:
    """Also after it was raised, caught, and quoted by another error; ``str()`` gives all of it."""
    inner = error("no layer {name}", name="conv9")
    outer = str(error("picture A: {reason}", reason=inner))
    assert outer == "picture A: no layer conv9"
    assert isinstance(outer, Sentence)
    assert isinstance(outer.values["reason"], Sentence)
    assert outer.values["reason"].english == "no layer {name}"


def test_a_value_of_any_other_type_is_kept_as_its_text() -> None:
    """A sentence may live long, so it must not keep other objects in memory."""
    sentence = Sentence("a value of shape {shape}", shape=(1, 3))
    assert sentence == "a value of shape (1, 3)"
    assert sentence.values == {"shape": "(1, 3)"}


def test_a_sentence_passes_through_json_values_and_back() -> None:
    """Sentences among its values survive as well."""
    sentence = counted("one of {of}", "{count} of {of}", count=2, of=Sentence("a {it}", it="cat"))
    again = Sentence.from_plain(sentence.to_plain())
    assert again == sentence
    assert again.to_plain() == sentence.to_plain()


BAD = {
    "reaching into a value": {"english": "{a.__class__}", "many": "", "values": {"a": 1}},
    "reaching by index": {"english": "{a[0]}", "many": "", "values": {"a": "x"}},
    "an open brace": {"english": "{a", "many": "", "values": {"a": 1}},
    "a value that is not there": {"english": "{b}", "many": "", "values": {"a": 1}},
    "no count": {"english": "one", "many": "{a} many", "values": {"a": 1}},
    "no text": {"english": 3, "many": "", "values": {}},
    "nothing": {},
}


@pytest.mark.parametrize("plain", BAD.values(), ids=BAD)
def test_what_was_no_sentence_becomes_none(plain: dict[str, object]) -> None:
    """A process that has read a stranger's file may send anything."""
    with pytest.raises(ValueError, match="no sentence"):
        Sentence.from_plain(plain)
