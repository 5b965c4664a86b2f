"""What a picture file says of itself before it is decoded: a reader for each format."""
