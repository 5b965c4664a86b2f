"""Questions that a beginner answers by looking at maps or counting.

Wrong answers look different.
"""
