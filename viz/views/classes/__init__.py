"""Classes: where on the picture one of them is seen, and which layers' channels stand for them."""
