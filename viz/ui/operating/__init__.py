"""The operator's views: counts for Prometheus, and a page that draws the last minutes."""
