"""Conformance: queries with the answers that the real engine gave, and how an engine's answers differ from them."""
