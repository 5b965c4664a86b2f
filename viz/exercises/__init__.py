"""Exercises: text files with a few lines to write, and how an answer to one is run, compared and explained."""
