"""Floor 9: the commands worlds and bench."""
