"""Text that Streamlit shows as it is."""

import re


def escaped(sentence: str) -> str:
    """The sentence with all that Markdown could act on escaped: part of it may be a visitor's text."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])", r"\\\1", " ".join(sentence.split()))
