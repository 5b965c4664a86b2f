"""How the bundled weights were made: ``python -m models.training``, any time, on any machine."""
