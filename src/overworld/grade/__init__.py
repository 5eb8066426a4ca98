"""Floor 5: from a reply to a verdict."""
