"""Floor 4: the Overpass-compatible HTTP API over any engine, one path a world."""
