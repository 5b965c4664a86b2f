"""Type of a table of words."""

Words = dict[str, str | tuple[str, str]]
"""English by key, with {braces} for what is filled in; of a pair, the first text is for a {count} of one."""
