"""Questions about folders of pictures: passes, their results, a visitor's own pictures."""
