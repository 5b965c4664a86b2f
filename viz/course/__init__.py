"""The course: lessons as text files, and runs of their steps."""
