"""What a visitor chooses, by boxes and by the address: picture, model, weights, language."""
