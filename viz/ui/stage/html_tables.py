"""Small tables of a lesson's numbers, as HTML: Streamlit's own are canvases, which no screen reader reads."""

import html
from collections.abc import Sequence


def as_html(text: str) -> str:
    """The text as HTML, unchanged; what stands between backticks becomes code."""
    pieces = html.escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if n % 2 else piece for n, piece in enumerate(pieces))


def mark(sign: str, meaning: str) -> str:
    """A sign that screen readers read out as what it means."""
    return f'<span role="img" aria-label="{html.escape(meaning)}">{html.escape(sign)}</span>'


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str = "") -> str:
    """A table of cells that are HTML already; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{as_html(name)}</th>' for name in heads)
    body = "".join(_row(*cells) for cells in rows)
    said = f"<caption>{as_html(caption)}</caption>" if caption else ""
    return f'<table class="lg-numbers">{said}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(first: str, *rest: str) -> str:
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
