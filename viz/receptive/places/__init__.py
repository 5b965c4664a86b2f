"""Where on the picture each value sits, how a layer lies by that, and whether its maps are drawn there.

known        the arrangement of every value: how its places lie along its axes
settling     from places to that arrangement
place_rules  how operations keep places apart
placing      how far from its place each cell is drawn; placings, of all layers
"""
