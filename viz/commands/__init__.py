"""Work of the command line, a file for each command; ``line`` reads words and prints answers."""
