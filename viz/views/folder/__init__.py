"""Questions about a folder of pictures: what each of them does to every channel, and what cells of it see."""
