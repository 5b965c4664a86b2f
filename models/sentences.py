"""Sentences for any language: English text with template and values.

They are in ``models`` because everything else may import it, and it imports nothing. In Python a ``Sentence``
is a plain English string. The page looks its English up in a catalogue (``viz/ui/locale``) and fills in the
same values there. ``make messages`` finds every sentence by its constructor, so the English must be written
in place: ``Sentence("no layer named {name}", name=name)``.
"""

import re
from collections.abc import Mapping
from typing import Any, Self

__all__ = ["Sentence", "Value", "counted"]

Value = object
"""A value to fill in: a ``Sentence`` is translated as well; anything else is shown as it is."""


_REACHES = re.compile(r"\{(?!\w+\})")  # braces that ask for a part of a value, or are not closed


class Sentence(str):
    """An English sentence, its template, and the values filled in.

    Without values the text is taken as it is, braces and all.

    Attributes:
        english: the text with its {braces}.
        many: the text for counts other than one; empty where there is nothing to count.
        values: by the names in the braces; ``count`` decides between the two texts. Strings and numbers
            are kept as they are, our own errors as their sentences, and anything else as its text.
    """

    __slots__ = ("english", "many", "values")

    english: str
    many: str
    values: Mapping[str, str | int | float]

    def __new__(cls, english: str, /, **values: Value) -> Self:
        """Return the text with its braces filled in."""
        return cls.of_count(english, "", values)

    @classmethod
    def of_count(cls, english: str, many: str, values: Mapping[str, Value]) -> Self:
        """Return the text that suits ``values["count"]``, its braces filled in.

        See ``counted``.
        """
        text = many if many and values["count"] != 1 else english
        sentence = super().__new__(cls, text.format(**values) if values else text)
        sentence.english, sentence.many = english, many
        sentence.values = {name: _lasting(value) for name, value in values.items()}
        return sentence

    def __str__(self) -> Self:
        """Return the sentence itself, so ``str()`` of an error keeps it."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the text together with its template and values."""
        return type(self).of_count, (self.english, self.many, dict(self.values))

    def to_plain(self) -> dict[str, Any]:
        """Return it as values that JSON can hold."""
        values = {
            name: value.to_plain() if isinstance(value, Sentence) else value
            for name, value in self.values.items()
        }
        return {"english": self.english, "many": self.many, "values": values}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return what ``to_plain`` was called on.

        Raises:
            ValueError: it was not; a file may come from a stranger, who must not choose what braces reach.
        """
        try:
            values = {
                name: cls.from_plain(value) if isinstance(value, Mapping) else value
                for name, value in plain["values"].items()
            }
            english, many = plain["english"], plain["many"]
            if _REACHES.search(english + many):
                raise ValueError(f"no sentence: {english!r}")
            return cls.of_count(english, many, values)
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"no sentence: {plain!r}") from error


def counted(one: str, many: str, /, *, count: int, **values: Value) -> Sentence:
    """Return the sentence for one thing, or for another number.

    Both may have {count} in them.
    """
    return Sentence.of_count(one, many, {"count": count, **values})


def _lasting(value: Value) -> str | int | float:
    """Return a value as a small text or number that lasts."""
    if isinstance(value, str | int | float):
        return value
    return str(value)  # a ``Sentence`` if it is an error of ours
