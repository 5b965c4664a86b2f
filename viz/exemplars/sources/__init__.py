"""Sources of pictures besides a folder, their names and thumbnails.

bucket      pictures on object storage, by their address
names       the names of a run's pictures when it began
thumbnails  a small JPEG of each
"""
