"""Questions about folders of pictures: the pass over one, what it found, and a visitor's own pictures."""
