"""One layer as one picture: its maps reduced by a formula."""
