"""Things that only a page has, sent to replicas with tasks."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .words import Thing


class NotSentError(Exception):
    """A task needs a thing that its page has not sent.

    It is no error of ours, so no answer is made of it.
    """

    def __init__(self, thing: Thing) -> None:
        super().__init__(thing)
        self.thing = thing


class Things:
    """Things that tasks under way have brought."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here: list[Mapping[Thing, Any]] = []

    @contextmanager
    def held(self, sent: Mapping[Thing, Any]) -> Iterator[None]:
        """A block in which these are here."""
        with self._lock:
            self._here.append(sent)
        try:
            yield
        finally:
            with self._lock:
                self._here = [each for each in self._here if each is not sent]

    def ask(self, kind: str, name: str) -> Any:
        """See ``Ask``.

        Raises:
            NotSentError: the page has to be asked for it.
            Exception: the page refused it.
        """
        with self._lock:
            found = next((each[kind, name] for each in self._here if (kind, name) in each), None)
        if found is None:
            raise NotSentError((kind, name))
        if isinstance(found, Exception):
            raise found
        return found
