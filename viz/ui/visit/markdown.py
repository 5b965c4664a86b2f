"""Text that Streamlit shows as it is."""

import re


def escaped(sentence: str) -> str:
    """The sentence with everything that Markdown would format escaped: part of it may be a visitor's text."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])", r"\\\1", " ".join(sentence.split()))
