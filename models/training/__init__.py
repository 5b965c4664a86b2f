"""Training of the bundled weights: ``python -m models.training``, any time, on any machine."""
