"""What is counted of answers, waits, refusals and open pages, for whoever runs the server."""
