"""Finished captures, which may be anybody's: cards and tables, read within bounds."""
