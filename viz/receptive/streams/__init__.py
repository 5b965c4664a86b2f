"""Streams: which channels of other layers stand unmixed in what a layer is given, and what they pass.

found        what is found: streams
following    follows one run of a model, and asks at its layers
passing      which operations keep channels apart, and what is kept of each
weighted     which layers mix channels by weights of their own
"""
