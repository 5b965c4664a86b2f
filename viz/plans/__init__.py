"""Lesson plans for a teacher: text files like the course's, their reading, and checks of their truth."""
