"""Record: what both networks were given and what every layer and operator returned."""
