"""Documents that are made from the code, so that they cannot age.

``python -m tools.pages`` fails if one is not as the code has it; ``--update`` writes them.
"""
