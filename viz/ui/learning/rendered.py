"""Our Markdown as HTML that is safe to insert: emphasis and code, and nothing else that Markdown can do."""

import html

from markdown_it import MarkdownIt

from ..locale.words import say

_MARKDOWN = MarkdownIt("zero").enable(["emphasis", "backticks"])


def rendered(text: str) -> str:
    """The text of one paragraph as HTML; HTML in it is shown as it is written, and so are links."""
    return str(_MARKDOWN.renderInline(text))


def said_in_html(language: str, key: str, **values: str) -> str:
    """The words with this key as HTML; the values filled in may be anybody's, so they are never Markdown."""
    template = say(language, key, **{name: f"{{{name}}}" for name in values})
    return rendered(template).format(**{name: html.escape(value) for name, value in values.items()})
