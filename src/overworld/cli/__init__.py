"""Floor 9: the commands worlds and bench. The only place that reads the environment or prints."""
