"""Floor 7: run files and reference agents."""
