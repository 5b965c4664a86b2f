"""Attribution for a class as a script of plain PyTorch: its facts, its lines, and the whole script."""
