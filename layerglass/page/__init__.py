"""The page's script, alone in its folder.

Streamlit lets modules of that folder be imported before others.
"""
