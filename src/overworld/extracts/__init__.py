"""Floor 1: the registry of pinned extracts, their verified download, and reading without metadata."""
