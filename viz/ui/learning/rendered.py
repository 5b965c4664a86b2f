"""Our Markdown as safe HTML: emphasis and code, nothing else."""

import html

from markdown_it import MarkdownIt

from ..locale.words import say

_MARKDOWN = MarkdownIt("zero").enable(["emphasis", "backticks"])


def rendered(text: str) -> str:
    """The text of one paragraph as HTML.

    HTML and links in it are shown as they are written.
    """
    return str(_MARKDOWN.renderInline(text))


def said_in_html(language: str, key: str, **values: str) -> str:
    """The words with this key as HTML.

    The values filled in may be anybody's, so they are never Markdown.
    """
    template = say(language, key, **{name: f"{{{name}}}" for name in values})
    return rendered(template).format(**{name: html.escape(value) for name, value in values.items()})
