"""Lesson plans for a teacher: text files like the course's, how they are read, and whether they are true."""
