"""Maps as files that need nothing else: figures, arrays, one HTML page, an animation."""
