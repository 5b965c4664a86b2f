"""One budget for each visitor: what a request may take is settled here, before anything else sees it."""
