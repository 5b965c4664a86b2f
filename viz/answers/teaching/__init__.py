"""Messages about learning: the course, exercises, the quiz, a class."""
