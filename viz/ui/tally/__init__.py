"""Counts of answers, waits, refusals and open pages, for the operator."""
