"""Profile of a model and of one pass through it.

It has the tree, calls, costs, events and memory.
"""
