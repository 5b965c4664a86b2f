"""An operator's factory: the models that it makes, copies of one that it keeps, and their first weights."""
