"""One visitor's stay and files, and the engine and reader for all."""
