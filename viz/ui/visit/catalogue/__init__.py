"""Facts of models for the page: plain values from the engine, which has the catalogue."""
