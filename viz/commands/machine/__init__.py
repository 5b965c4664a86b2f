"""Facts about this machine: what the page and its tests need and have here, and what to do about the rest."""
