"""Questions that a beginner answers by looking at maps, or by counting; the wrong answers look different.

    photos      which picture made these maps
    outlines    which of these maps shows the picture's outlines
    depths      which of these maps is from the deepest layer, or from the first
    values      what a ReLU or a pooling makes of these numbers
    outputs     what comes out of a layer that is described in words
"""
