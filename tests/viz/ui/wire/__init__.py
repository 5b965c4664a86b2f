"""Tests of viz/ui/wire, and where modules without a test of their name are tested.

answers: ui/wire/routes/test_routes.py
figure_plan: ui/wire/routes/test_routes_figure.py
file_titles: ui/wire/routes/test_routes_home.py
rows: ui/test_page.py, where the page says its layers
questions: ui/wire/test_inspecting.py, whose addresses they read
"""
