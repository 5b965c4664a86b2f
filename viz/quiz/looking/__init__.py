"""Questions that a beginner answers by looking at maps, or by counting: wrong answers look different."""
