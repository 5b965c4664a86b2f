"""A layer as one picture on the page: its maps reduced by a named formula."""
