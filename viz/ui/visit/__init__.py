"""One visitor's stay and its files, and the engine and the reader that serve all visitors."""
