"""Headers of picture files, read before decoding: a reader for each format."""
