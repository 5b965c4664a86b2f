"""The room of answers.

attribution, edits, exercises, hooks, layer, learning, live, model, number, other:
  ui/wire/routes/test_answers.py
classroom: ui/classroom/test_routes.py
offline: take_home/test_standalone.py
operating: ui/operating/test_routes_operating.py
subject: ui/test_page.py, ui/conftest.py reads what the page's script has said
"""
