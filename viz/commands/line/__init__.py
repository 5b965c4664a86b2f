"""The command line: each command's arguments, and its steps in their order."""
