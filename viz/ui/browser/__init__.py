"""The browser's half of the page: scripts and styles, and how they are put together."""
