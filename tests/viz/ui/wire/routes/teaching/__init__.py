"""Tests of viz/ui/wire/routes/teaching."""
