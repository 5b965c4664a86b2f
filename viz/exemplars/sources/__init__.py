"""Where pictures may lie besides a folder on disk, and the small copies of them that are kept.

bucket      pictures on object storage, by their address
thumbnails  a small JPEG of each
"""
