"""Facts of course and quiz for the browser, in the visitor's language."""
