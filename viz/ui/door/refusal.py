"""A refused request: a sentence in each language, and a retry time."""

from starlette.responses import Response

from ...answers.message import Answer, as_json
from ..locale.catalogues import ENGLISH, languages
from ..locale.words import say

DOCUMENT = "limits#why-was-a-request-refused"
CLOSED = {"cache-control": "no-store", "connection": "close"}


class Refusal(Exception):  # noqa: N818  # it is an answer, not an error of ours
    """A refusal, raised anywhere below the door.

    The door answers with it if nothing was answered yet.

    Args:
        status: of the answer.
        key: of the sentence, as ``door_{key}`` in the page's words.
        retry_after: seconds after which to ask again; the sentence's ``count``.
        values: what else the sentence needs.
    """

    def __init__(self, status: int, key: str, *, retry_after: int | None = None, **values: object) -> None:
        self.status, self.key, self.retry_after = status, key, retry_after
        self._values = values if retry_after is None else {"count": retry_after, **values}
        super().__init__(self.said(ENGLISH))

    def said(self, language: str) -> str:
        """Return the sentence in a language."""
        return say(language, f"door_{self.key}", **self._values)

    def answer(self) -> Response:
        """Return the answer in the form of the page's other refusals.

        It closes the connection.
        """
        later = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        others = {other: {"error": self.said(other)} for other in languages() if other != ENGLISH}
        told = as_json(Answer(error=self.said(ENGLISH), said=others, document=DOCUMENT))
        return Response(told, self.status, CLOSED | later, media_type="application/json")
