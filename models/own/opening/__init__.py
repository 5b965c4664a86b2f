"""Model files of any kind: found out without running anything in them, and matched with the catalogue."""
