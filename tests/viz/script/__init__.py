"""Tests of viz/script, and where modules without a test of their name are tested: as parts of whole scripts.

code_donors, edit_place, edit_places: script/test_code_edits.py, ui/wire/routes/test_routes_script.py
code_hooks: script/test_code.py
overwriting: script/test_code_gradient.py
code_model: script/test_code_families.py, script/test_code_lines.py
script_facts, work: script/test_code_lines.py, ui/wire/routes/test_routes_script.py
"""
