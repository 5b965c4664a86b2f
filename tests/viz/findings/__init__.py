"""Tests of viz/findings, and where modules without a test of their name are tested.

ablation_part: passes/test_ablation.py, as what an ablation finds
explanation: number/test_breakdown.py, number/arithmetic/test_layers.py
edit_checks: passes/test_applied_edits.py, beside the edits that they allow
leaves: views/test_drawing.py, where a leaf is chosen to be drawn
values: passes/test_forward.py
"""
