"""The nets that come along, what they are fed, and nothing of their weights."""
