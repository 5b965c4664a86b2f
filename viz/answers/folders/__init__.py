"""Messages about folders of pictures: exemplars, the lens, and optimised pictures."""
