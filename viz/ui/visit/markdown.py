"""Text that Streamlit shows as it is."""

import re


def escaped(sentence: str) -> str:
    """Return a sentence with everything escaped that Markdown would format.

    Part of it may be a visitor's text.
    """
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])", r"\\\1", " ".join(sentence.split()))
