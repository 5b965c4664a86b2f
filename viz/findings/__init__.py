"""What passes find, in plain values: arrays and facts, without PyTorch."""
