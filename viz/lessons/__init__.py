"""The course's lessons as functions: each thing once by plain hooks and once by ``LayerActivations``."""
