"""Where pictures may lie besides a folder on disk, and what is kept of them beside the model's numbers.

bucket      pictures on object storage, by their address
names       the names of a run's pictures when it began
thumbnails  a small JPEG of each
"""
