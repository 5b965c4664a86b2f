"""Model files opened from the command line, and matched with the catalogue."""
