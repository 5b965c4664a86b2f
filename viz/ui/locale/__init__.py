"""Every sentence of the page: English in tables and sources, other languages as .po files."""
