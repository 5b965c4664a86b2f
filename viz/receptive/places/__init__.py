"""Places of values on the picture, and checks of drawn maps.

known        the arrangement of every value: its places along its axes
settling     from places to that arrangement
place_rules  rules by which operations keep places apart
placing      the distance from each drawn cell to its place; placings, of all layers
"""
