"""Tests of viz/ui/choose, and where modules without a test of their name are tested.

choose, choose_model, options: ui/test_page.py, ui/choose/test_address.py
choose_donors: ui/visit/test_own_pictures.py, browser/test_own_donor.py
choose_files: ui/test_page.py, browser/test_restart.py for files that a server lost
choose_live: hostile/test_frames.py, ui/wire/routes/test_routes_live.py, browser/test_live.py
costs: browser/test_costs.py
loading: ui/test_page.py
"""
