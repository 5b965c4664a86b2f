"""What layers take and return: its containers, and copies that nothing can overwrite."""
