"""Tests of viz/ui/door, and where modules without a test of their name are tested.

bodies, limits, refusal, who: ui/door/test_door.py
sockets: ui/door/test_door.py, hostile/test_messages.py
"""
