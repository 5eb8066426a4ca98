"""Pinned OpenStreetMap worlds, an exact in-process Overpass engine, and a grader for text-to-OverpassQL."""

__version__ = "0.1.0"
