"""Floor 1: OverpassQL as text (grammar, syntax tree, parser, XML form)."""
