"""The views on the page: Python's half of each; the browser's half is in viz/ui/browser."""
