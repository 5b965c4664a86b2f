"""Data flow of one run: which call or operation takes in what another returned."""
