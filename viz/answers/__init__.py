"""Messages exchanged with the browser beside its queries, each as a struct: no PyTorch."""
