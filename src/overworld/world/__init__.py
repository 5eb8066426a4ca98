"""Floor 2: the columnar store of a world: how it is built, hashed, opened and indexed."""
