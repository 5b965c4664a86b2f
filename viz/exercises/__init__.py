"""Exercises: text files with a few lines to write, and how an answer is run, compared and explained."""
