"""Attacks, each with what it may cost and what it must not reach."""
