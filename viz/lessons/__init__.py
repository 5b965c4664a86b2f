"""The course's lessons as functions, by plain hooks and by ``LayerActivations``."""
