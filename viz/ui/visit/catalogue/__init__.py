"""Facts of models for the page, from the engine's catalogue."""
