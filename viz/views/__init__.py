"""The questions of a page, as tasks with plain answers."""
