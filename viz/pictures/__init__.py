"""Safe pictures from bytes, sample pictures, and a picture with its model.

Nothing here needs PyTorch.
"""
