"""Maps as files: figures, arrays, one HTML page and an animation."""
