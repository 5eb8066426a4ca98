"""Floor 4: the task model, its files, and its checks."""
