"""What the page says about learning: the course, exercises, the quiz, a class."""
