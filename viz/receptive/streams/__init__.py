"""Streams: unmixed channels of other layers in a layer's input.

found        the streams, as values
following    follows one run of a model, and asks at its layers
passing      operations that keep channels apart, and the channels kept of each
weighted     layers that mix channels by weights of their own
"""
