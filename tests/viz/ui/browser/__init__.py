"""Where the Python of viz/ui/browser is tested; tests/browser tests its scripts.

scripts: ui/test_page.py, which joins the scripts of every part
"""
