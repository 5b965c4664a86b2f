"""What a page is told of folders of pictures.

folder, lens, optimised: ui/wire/routes/test_answers.py
"""
