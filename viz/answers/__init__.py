"""What is said to the browser, and by it beside queries: each message as a struct: no PyTorch."""
