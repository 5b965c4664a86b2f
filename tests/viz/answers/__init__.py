"""The room of answers.

attribution, edits, hooks, layer, live, model, number, other: ui/wire/routes/test_answers.py
offline: take_home/test_standalone.py
operating: ui/operating/test_routes_operating.py
subject: ui/test_page.py, ui/conftest.py reads what the page's script has said
"""
