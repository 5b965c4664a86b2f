"""The nets that come along, and their inputs, without their weights."""
