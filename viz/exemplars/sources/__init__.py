"""Sources of pictures besides a folder on disk, and their names and thumbnails beside the model's numbers.

bucket      pictures on object storage, by their address
names       the names of a run's pictures when it began
thumbnails  a small JPEG of each
"""
