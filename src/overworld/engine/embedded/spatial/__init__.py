"""Space: what lies in a box, around something, in a polygon or in an area, by the engine's own arithmetic."""
