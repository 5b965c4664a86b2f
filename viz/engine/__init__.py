"""Engine that carries out tasks: its queue, caches and limits.

It knows no task by name.
"""
