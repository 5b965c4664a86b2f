"""A request that is not let in: one sentence in both languages, and when to come back."""

from starlette.responses import JSONResponse

from ..locale.words_door import DOOR_WORDS

CLOSED = {"cache-control": "no-store", "connection": "close"}


class Refused(Exception):  # noqa: N818  # it is an answer, not an error of ours
    """Raised anywhere below the door; the door answers with it if nothing was answered yet."""

    def __init__(self, status: int, key: str, *, retry_after: int | None = None, **values: object) -> None:
        self.status, self.key, self.retry_after = status, key, retry_after
        self._values = values if retry_after is None else {"seconds": retry_after, **values}
        super().__init__(self.said()[0])

    def said(self) -> tuple[str, str]:
        """Return the sentence in English and in Chinese."""
        english, chinese = DOOR_WORDS[self.key]
        return english.format(**self._values), chinese.format(**self._values)

    def answer(self) -> JSONResponse:
        """Return the sentence as the page's other refusals are sent; the connection ends with it."""
        english, chinese = self.said()
        later = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        facts = {"error": english, "error_zh": chinese}
        return JSONResponse(facts, status_code=self.status, headers=CLOSED | later)
