"""Cards of captures, as a run writes them and as a stranger may."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.viz.exemplars.folders import Small, noise, searched
from viz.commands.serve import made_of, offer_pictures
from viz.errors import RequestError
from viz.exemplars.finished.card import LONGEST_TEXT, card_of
from viz.home import CAPTURE
from viz.ui.folders.captured import opened

CALL = {"layer": "a", "type": "Conv2d", "call": 0, "channels": 3}
BAD = {"picture": "a.png", "reason": "no picture"}
SOUND: dict[str, Any] = {
    "model": "small",
    "weights": "random",
    "weights_sha256": "0",
    "preprocessing": "as it is",
    "folder": "/pictures",
    "pictures": 2,
    "pictures_sha256": "0",
    "complete": True,
    "done": 2,
    "channels": [CALL],
    "unreadable": [BAD],
}
VALUES = (3, -1, 1.5, 1 << 54, 10**30, "many", "x" * (LONGEST_TEXT + 1), True, [1], {"a": 1}, [[CALL]], [{}])
FITTING = {  # of these values, by what a field is
    str: ("many",),
    int: (3,),
    bool: (True,),
    list: (),
}


def hostile() -> list[dict[str, Any]]:
    """Cards with one wrong field each, on top or in a list."""
    cards = [
        SOUND | {name: value}
        for name, usual in SOUND.items()
        for value in VALUES
        if not any(
            value is each or (value == each and type(value) is type(each)) for each in FITTING[type(usual)]
        )
    ]
    inner = [
        SOUND | {name: [usual | {key: value}]}
        for name, usual in (("channels", CALL), ("unreadable", BAD))
        for key, known in usual.items()
        for value in (*VALUES, None)
        if value not in FITTING[type(known)] or isinstance(value, bool)
    ]
    lacking = [SOUND | {"channels": [{"layer": "a"}]}, SOUND | {"unreadable": [{"picture": "a"}]}]
    return cards + inner + lacking


def folder_with(out: Path, text: bytes) -> Path:
    """A folder with a card and something beside it."""
    (out / "card.json").write_bytes(text)
    (out / "maxima.parquet").touch()
    return out


def test_the_card_of_a_run_is_what_its_json_says(tmp_path: Path) -> None:
    """All that is read again, beside another reader of JSON."""
    pictures = noise(tmp_path / "pictures", 3)
    (pictures / "bad.png").write_bytes(b"nothing")
    outcome = searched(pictures, tmp_path / "out", Small())
    found, said = card_of(tmp_path / "out"), json.loads((tmp_path / "out" / "card.json").read_text())
    for name in set(SOUND) - {"channels", "unreadable"}:
        assert getattr(found, name) == said[name]
    calls = [(each.layer, each.type, each.call, each.channels) for each in found.channels]
    assert calls == [tuple(each.values()) for each in said["channels"]]
    bad = [(each.picture, each.reason) for each in found.unreadable]
    assert bad == [tuple(each.values()) for each in said["unreadable"]]
    assert len(bad) == 1
    again = searched(pictures, tmp_path / "out", Small(), resume=True)
    assert again == outcome


def test_cards_with_a_wrong_field_are_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each field with each wrong type, below zero, too large or too long; the server and its start too."""
    monkeypatch.setenv(CAPTURE, "")
    assert card_of(folder_with(tmp_path, json.dumps(SOUND).encode())).done == 2
    cards = hostile()
    assert len(cards) > 150
    for card in cards:
        folder_with(tmp_path, json.dumps(card).encode())
        for read in (opened, lambda out: offer_pictures(None, str(out), None), lambda out: made_of(str(out))):
            with pytest.raises(RequestError, match=r"no readable card\.json"):
                read(tmp_path)


def test_a_name_is_shorter_than_the_words_of_an_operators_preparation(tmp_path: Path) -> None:
    """Those may be a page long; a layer's name is a line."""
    assert card_of(folder_with(tmp_path, json.dumps(SOUND | {"preprocessing": "x" * 9_000}).encode()))
    with pytest.raises(RequestError, match=r"no readable card\.json"):
        card_of(folder_with(tmp_path, json.dumps(SOUND | {"model": "x" * 9_000}).encode()))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"done": NaN}',
        b'{"done": 1e999}',
        b'{"model": "\xff"}',
        b'{"more": ' + b"[" * 1_000_000,
        b'{"more": ' * 100_000 + b"1" + b"}" * 100_000,
    ],
)
def test_what_is_no_json_or_too_deep_is_refused(tmp_path: Path, text: bytes) -> None:
    """As a file that was cut is."""
    with pytest.raises(RequestError, match=r"no readable card\.json"):
        card_of(folder_with(tmp_path, text))


def test_a_card_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound one, with one blank more behind it than it may have."""
    text = json.dumps(SOUND).encode()
    monkeypatch.setattr("viz.exemplars.finished.card.MOST_OF_A_CARD", len(text) + 10)
    assert card_of(folder_with(tmp_path, text + b" " * 10)).done == 2
    with pytest.raises(RequestError, match=r"no readable card\.json"):
        card_of(folder_with(tmp_path, text + b" " * 11))


def test_more_left_out_than_done_is_no_picture(tmp_path: Path) -> None:
    """Nobody counts below zero."""
    assert opened(folder_with(tmp_path, json.dumps(SOUND | {"done": 0}).encode())).count == 0
