"""Results of passes, in plain values: arrays and facts, without PyTorch."""
