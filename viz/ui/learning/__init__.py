"""What course and quiz say: plain facts for the browser, in the visitor's language."""
