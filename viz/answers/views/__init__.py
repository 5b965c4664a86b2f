"""Messages of single views: the graph, a layer as one picture, a unit."""
