"""Facts about this machine: needs of the page and its tests."""
