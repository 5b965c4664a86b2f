"""Jobs in processes of their own: visitors' files, and exercises' answers."""
