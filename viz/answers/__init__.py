"""What the browser is told: every answer as a struct, with its fields' types and units: no PyTorch."""
