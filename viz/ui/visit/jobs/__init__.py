"""Jobs in processes of their own: reading visitors' files, running answers to exercises."""
