"""Inputs and outputs of layers: their containers, copies and gradients."""
