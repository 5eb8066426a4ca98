"""Floor 8: what people read."""
