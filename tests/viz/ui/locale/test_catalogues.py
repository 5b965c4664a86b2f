import re

import pytest
from babel.messages.pofile import read_po

from viz.ui.locale import catalogues

HAN = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"[A-Za-z]{2}")
FILLED = re.compile(r"\{\w+\}")


def test_chinese_is_chinese_and_english_is_not() -> None:
    """Texts in the wrong place would show; only abbreviations, signs and names are the same in both."""
    with (catalogues.FOLDER / "zh.po").open("rb") as file:
        known = [message for message in read_po(file, locale="zh") if message.id]
    assert len(known) > 900
    for message in known:
        english, chinese = (
            " ".join([text] if isinstance(text, str) else text) for text in (message.id, message.string)
        )
        assert not HAN.search(english), english
        plain = WORD.search(FILLED.sub("", chinese)) is None
        assert HAN.search(chinese) or english == chinese or plain, chinese


def test_the_languages_are_english_and_the_files_beside_the_code() -> None:
    """Each by the name that it gives itself."""
    assert catalogues.languages() == {"en": "EN", "zh": "中文"}


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("zh-CN", "zh"), ("zh-Hant-TW", "zh"), ("en-GB", "en"), ("fr", "en"), ("", "en"), ("no/sense", "en")],
)
def test_a_browsers_language_chooses_the_pages(asked: str, spoken: str) -> None:
    """By its first part; what the page does not speak is answered in English."""
    assert catalogues.best(asked) == spoken


def test_a_language_that_is_not_there_is_an_error() -> None:
    """The caller has looked which there are."""
    with pytest.raises(KeyError):
        catalogues.catalogue("fr")


def test_each_language_has_a_number_for_each_of_its_kinds_of_count() -> None:
    """Arabic has six kinds, with zero and two among them."""
    assert catalogues.counts("en") == {"other": 0, "one": 1}
    assert catalogues.counts("zh") == {"other": 0}
    assert catalogues.counts("ar") == {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
