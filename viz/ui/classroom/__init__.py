"""A classroom: one teacher's view on the screens of everybody who follows."""
