"""Course and quiz in words: plain facts for the browser, in the visitor's language."""
