"""The command line: for each command what it takes, and its steps in their order."""
