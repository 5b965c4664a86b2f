"""Messages of single views: the graph, a reduced layer, a unit."""
