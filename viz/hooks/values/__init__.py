"""What layers take and return: its containers, copies that nothing overwrites, gradients on their way."""
