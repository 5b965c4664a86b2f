"""Units: one channel of a layer, its weights, the channels that feed it most, and those that read it most."""
