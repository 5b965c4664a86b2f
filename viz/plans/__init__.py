"""Lesson plans for a teacher: text files, their reading and their checks."""
