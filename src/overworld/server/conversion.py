"""``/api/convert``: a query in another form, as a page."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from overworld.core.errors import QueryError
from overworld.ql.parser import parse_unchecked
from overworld.ql.printing import to_compact, to_pretty, to_xml
from overworld.ql.tree import Script
from overworld.server.answers import HTML, answer
from overworld.server.interpreter import sent_text
from overworld.server.pages import converted_page
from overworld.server.requests import read_form

_FORMS: dict[str, tuple[str, Callable[[Script], str]]] = {
    "xml": ("pretty XML", to_xml),
    "mapql": ("pretty Overpass QL", to_pretty),
    "compact": ("compact Overpass QL", to_compact),
}


async def convert(request: Request) -> Response:
    """``data`` in the form that ``target`` names. Raises ``QueryError`` for what is no query or no target."""
    if request.method == "OPTIONS":
        return answer(request, b"", HTML)
    form = read_form(await sent_text(request))
    target = form.get("target", "")
    if target not in _FORMS:
        raise QueryError("encoding", f'encoding error: The target "{target}" is none of {", ".join(_FORMS)}.')
    title, write = _FORMS[target]
    text = write(parse_unchecked(form.get("data", "")))
    return answer(request, converted_page(title, text).encode("utf-8", "replace"), HTML)
