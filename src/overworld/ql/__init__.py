"""OverpassQL as text.

``parser.parse`` reads a query into the syntax tree of ``tree`` or raises the engine's errors; ``printing`` writes trees
as XML, pretty or compact QL; ``walk`` visits and changes them; ``shortcuts`` fills in ``{{…}}`` before parsing;
``posix`` reads regular expressions. ``grammar`` has the language in tables.

A text is read in three steps, each going on after errors as the engine does: ``tokens``; ``settings`` and
``statements`` (with ``queries``, ``tag_filters``, ``prints``, ``derivations``, ``plain_statements``); for what stands
in parentheses an ``operator_tree``, out of which ``filters`` and ``expressions`` (with ``calls``, ``assignments``) make
parts of the syntax tree.
"""
