"""Floor 8: what people read: tables for the terminal, pages beside the scores."""
