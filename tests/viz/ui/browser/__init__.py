"""Map of the tests of the Python in viz/ui/browser; tests/browser tests its scripts.

modules: ui/wire/routes/test_routes_assets.py, which serves them
"""
