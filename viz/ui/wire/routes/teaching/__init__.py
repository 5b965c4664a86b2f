"""Routes about learning: the course, exercises, the quiz."""
