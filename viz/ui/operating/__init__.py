"""What whoever runs the server may ask: counts for Prometheus, and a page that draws the last minutes."""
