"""Rendering of what was printed: as JSON, XML or CSV, laid out as the Overpass interpreter lays it out."""
