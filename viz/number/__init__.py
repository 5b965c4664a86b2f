"""The breakdown of one number: its receptive field and its arithmetic."""
