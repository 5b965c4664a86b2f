"""Messages as JSON: what is said and nothing else."""

import json

import msgspec
import pytest

from viz.answers.message import Answer, as_json, as_plain, heard
from viz.answers.subject import FrameMove
from viz.errors import RequestError
from viz.sentences import Sentence


def test_what_is_not_set_is_not_said() -> None:
    """An answer that succeeds says nothing of errors."""
    assert as_json(Answer()) == b"{}"
    assert as_plain([Answer(error="gone", said={"zh": {"error": "没了"}})]) == [
        {"error": "gone", "said": {"zh": {"error": "没了"}}}
    ]


def test_a_sentence_is_written_as_the_text_that_it_is() -> None:
    """Sentences know their translations; the browser gets words alone, as ``json`` would write them."""
    sentence = Sentence("only {count} maps fit", count=9)
    assert json.loads(as_json(Answer(error=sentence))) == json.loads(json.dumps({"error": sentence}))
    assert type(as_plain(Answer(error=sentence))["error"]) is str


def test_other_objects_are_refused() -> None:
    """Such as an error in place of its sentence."""
    with pytest.raises(NotImplementedError, match="RequestError"):
        as_json(Answer(error=RequestError("no")))  # type: ignore[arg-type]


def test_a_field_that_no_struct_has_is_refused() -> None:
    """Otherwise tests would not see that an answer says more than its struct."""
    with pytest.raises(msgspec.ValidationError, match="unknown field `more`"):
        msgspec.json.decode(b'{"error": "no", "more": 1}', type=Answer)


@pytest.mark.parametrize("plain", ["\ud800", {"crop": "\ud800"}, {"\udfff": ""}, {"crop": 1}, ["crop"]])
def test_what_is_no_message_is_not_heard(plain: object) -> None:
    """Another kind, or half a character, which no answer could quote; whole characters are fine."""
    with pytest.raises(msgspec.DecodeError):
        heard(plain, FrameMove)
    assert heard({"crop": "\ud83d\ude00"}, FrameMove) == FrameMove(crop="\U0001f600")
