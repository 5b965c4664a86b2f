"""Units, single channels of layers: their weights, strongest feeders and readers."""
