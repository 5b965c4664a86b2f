"""Tests of viz/ui/wire/routes, and where modules without a test of their name are tested.

routes_attribution: ui/wire/routes/test_gradients.py
routes_layer: ui/wire/routes/test_routes.py, ui/wire/routes/test_answers.py
routes_look: ui/wire/routes/test_edited_answers.py
"""
