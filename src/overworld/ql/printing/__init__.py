"""Scripts as text: the XML form and the two QL forms."""
