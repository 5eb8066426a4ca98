"""Floor 6: statistics over verdicts, and their provenance."""
