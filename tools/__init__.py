"""Commands for developers; nothing here is installed."""
