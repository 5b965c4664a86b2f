"""One visitor's stay, what it brought, and the engine and the reader that serve all of them."""
