"""A classroom: what one teacher looks at, on the screens of everybody who follows."""
