"""Inputs and outputs of layers: containers, copies that nothing overwrites, gradients on their way."""
