"""The operator's views: counts for Prometheus, and a page of recent minutes."""
