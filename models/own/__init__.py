"""What others bring: an operator's own model, a visitor's own weights, read without running anything."""
