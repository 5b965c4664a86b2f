"""Model files opened from the command line: read in a process apart, matched with the catalogue, reported."""
