"""What a page is told of folders of pictures: exemplars, the lens, and optimised pictures beside them."""
