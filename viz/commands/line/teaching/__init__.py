"""Commands for what is taught: lessons, plans and exercises are checked."""
