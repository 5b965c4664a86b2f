"""The page's words in English, one file for each part.

Other languages are the ``.po`` files beside.
"""
