"""Classes: their places on the picture, and the layers that name them."""
