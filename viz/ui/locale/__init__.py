"""Every sentence of the page, in English and in other languages.

English is in tables and sources, and other languages are ``.po`` files.
"""
