"""The browser's half of the page: ES modules and styles by feature, and their bundles."""
