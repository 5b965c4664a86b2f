"""Tests of viz/hooks, and where modules without a test of their name are tested.

blocks, running: hooks/test_activations_hooks.py, hooks/test_activations_edits.py
gradient_taps: hooks/test_activations_gradients.py, hooks/test_activations_edits.py
recorder: hooks/test_activations.py, hooks/test_looking.py
values/summaries: representations/test_html.py
values/containers: hooks/values/test_copies.py, hooks/values/test_structure.py
taps: hooks/test_activations_edits.py, hooks/test_activations_hooks.py
"""
