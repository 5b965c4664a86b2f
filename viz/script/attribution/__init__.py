"""Attribution for a class as a script of plain PyTorch."""
