"""What the page knows of the models: plain values, asked of an engine, whose process has the catalogue."""
