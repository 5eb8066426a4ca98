"""Scripts as text: the XML form (``xml``) and the pretty and compact QL forms (``ql``)."""

from overworld.ql.printing.ql import to_compact, to_pretty
from overworld.ql.printing.xml import convert, to_xml

__all__ = ["convert", "to_compact", "to_pretty", "to_xml"]
