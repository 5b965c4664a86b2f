"""Where the Python of viz/ui/browser is tested; tests/browser tests its scripts.

modules: ui/wire/routes/test_routes_assets.py, which serves them
"""
