"""The browser's half of the page: ES modules, styles and their bundles."""
