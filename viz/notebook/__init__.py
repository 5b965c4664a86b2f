"""The page of one subject in a notebook's cell, without a server.

The kernel answers the page's requests.
"""
