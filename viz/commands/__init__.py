"""Work of the command line, a file for each command."""
