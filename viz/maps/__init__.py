"""Any array into maps: layout, colours, tiles, pictures, statistics, figures: no PyTorch."""
