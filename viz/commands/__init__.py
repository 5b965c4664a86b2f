"""What the command line does, a file for each command; ``line`` reads words and prints answers."""
