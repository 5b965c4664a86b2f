"""Messages exchanged with the browser, each as a struct: no PyTorch."""
