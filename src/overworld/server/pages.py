"""The HTML that the server sends: errors in the shape that clients search, the list of worlds, converted queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en">
<head>
  <meta http-equiv="content-type" content="text/html; charset=utf-8"/>
  <title>{title}</title>
</head>
<body>

"""
_FOOT = "\n</body>\n</html>\n"
_SOURCE = (
    "<p>The data included in this document is from www.openstreetmap.org. The data is made available under ODbL.</p>\n"
)
_ESCAPES = {
    **{chr(code): "?" for code in range(32)},
    "\t": "&#x09;",
    "\n": "&#x0a;",
    "\r": "&#x0d;",
    "&": "&amp;",
    '"': "&quot;",
    "<": "&lt;",
    ">": "&gt;",
}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_ESCAPE_TABLE_PRE = str.maketrans({key: value for key, value in _ESCAPES.items() if key not in "\t\n"})


def escape(text: str) -> str:
    """``text`` as character data, escaped as the interpreter escapes its error lines."""
    return text.translate(_ESCAPE_TABLE)


def error_page(errors: Iterable[str]) -> str:
    """One paragraph an error line; overpass-turbo, overpass-ts and QuickOSM search for exactly this markup."""
    lines = "".join(f'<p><strong style="color:#FF0000">Error</strong>: {escape(error)} </p>\n' for error in errors)
    return _page("OSM3S Response", _SOURCE + lines)


def worlds_page(worlds: Mapping[str, str]) -> str:
    """The list of served worlds: name → base address."""
    rows = "".join(
        f'<li><a href="{escape(base)}/status">{escape(name)}</a>: <code>{escape(base)}/interpreter</code></li>\n'
        for name, base in worlds.items()
    )
    return _page("Overworld", f"<h1>Worlds</h1>\n<ul>\n{rows}</ul>\n{_SOURCE}")


def converted_page(form: str, query: str) -> str:
    """A query in another form (``form`` names it)."""
    text = query.translate(_ESCAPE_TABLE_PRE)
    return _page(
        "OSM3S Converted Query",
        f"<h1>Overpass API Converted Query</h1>\n\n<p>Your query in {form}:</p>\n<pre>\n{text}</pre>\n",
    )


def _page(title: str, body: str) -> str:
    return _HEAD.format(title=title) + body + _FOOT
