"""Every sentence of the page, in English and in Chinese."""
