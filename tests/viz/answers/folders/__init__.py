"""Facts of folders of pictures for a page.

folder, lens, optimised: ui/wire/routes/test_answers.py
"""
