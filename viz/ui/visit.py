"""One visitor's stay: an unguessable secret, and the books of maps that die with it."""

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from viz.errors import RequestError
from viz.inspection import Inspection
from viz.subject import Photo

BOOKS_KEPT = 24


@dataclass(frozen=True)
class Page:
    """One layer of a book."""

    layer: str
    calls: int


@dataclass(frozen=True, eq=False)
class Book:
    """Every layer of one model for one picture, drawn in one way; its token is the address of its pixels."""

    token: str
    visitor: str
    photo: Photo = field(repr=False)
    wanted: Inspection
    pages: tuple[Page, ...] = field(repr=False)

    def inspection(self, page: int, call: int, **drawing: Any) -> Inspection:
        """The request behind one page; ``drawing`` replaces further fields of the book's own request.

        Raises:
            RequestError: the book has no such page.
        """
        if not 0 <= page < len(self.pages):
            raise RequestError(
                "This address names a layer that the model does not have; open the page again."
            )
        return replace(self.wanted, layer=self.pages[page].layer, call=call, **drawing)


_shelf: "WeakValueDictionary[str, Book]" = WeakValueDictionary()
_shelf_lock = threading.Lock()


class Visit:
    """A stay of one visitor, kept in that visitor's session state and nowhere else.

    The shelf refers to books weakly: when the session state goes, the visit's books go, and with them
    every address that led to this visitor's pictures.
    """

    def __init__(self) -> None:
        self.visitor = secrets.token_hex(8)
        self._secret = secrets.token_bytes(32)
        self._books: OrderedDict[str, Book] = OrderedDict()

    def book(self, photo: Photo, wanted: Inspection, pages: tuple[Page, ...]) -> Book:
        """The book for this picture and way of drawing; equal requests get the same book and addresses."""
        about = replace(wanted, layer="", call=0).digest.encode()
        token = hmac.new(self._secret, about, hashlib.sha256).hexdigest()[:40]
        book = self._books.pop(token, None) or Book(token, self.visitor, photo, wanted, pages)
        self._books[token] = book
        with _shelf_lock:
            _shelf[token] = book
        while len(self._books) > BOOKS_KEPT:
            self._books.popitem(last=False)
        return book


def find_book(token: str) -> Book | None:
    """The living book with this address, or None."""
    with _shelf_lock:
        return _shelf.get(token)
