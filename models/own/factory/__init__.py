"""Models from an operator's factory: their making, copying and first weights."""
