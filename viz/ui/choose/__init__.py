"""A visitor's choices, in boxes and the address: picture, model, weights, language."""
