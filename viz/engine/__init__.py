"""The queue, the caches and the limits; it carries out tasks and knows none of them by name."""
