"""Questions about a folder's pictures: peaks of channels, and cells' views."""
