"""The data-set lens, against formulas written out, other libraries, and data whose answer is known.

facts: lens/test_lens.py
told: lens/test_lens.py
"""
