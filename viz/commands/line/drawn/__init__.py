"""Commands that write pictures: films, figures, what channels want, what misleads."""
