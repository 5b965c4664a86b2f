"""The addresses of answers, a file for each kind of question."""
