"""Where pictures may lie besides a folder on disk, and what is kept of them beside the model's numbers.

bucket      pictures on object storage, by their address
names       what a run's pictures were called when it began
thumbnails  a small JPEG of each
"""
