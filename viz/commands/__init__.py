"""What the command line does, a file for each command; ``viz.__main__`` reads words and prints answers."""
