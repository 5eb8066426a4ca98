"""Floor 3: the Engine protocol and its implementations."""
