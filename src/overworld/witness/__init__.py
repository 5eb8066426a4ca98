"""Floor 3: witness worlds from specs."""
