"""What a client sends to the interpreter, read by the interpreter's own rules.

They are not the rules of HTML forms: where a body or a query string has no ``data`` field, all of it is the query,
verbatim (overpy sends raw queries under a form content type); what begins with ``<`` is taken verbatim too. The last
of several fields with one name wins, and unknown fields are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from overworld.core.errors import QueryError

MAX_QUERY_BYTES = 16 * 1024 * 1024

_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_CALLBACK = re.compile(r"[\w$.\[\]]{1,200}")
_SPACE = b" \t\n\v\f\r"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as the engine shall see it, and the name of the function that a JSONP client wants the answer in."""

    query: str
    jsonp: str = ""


class EncodingError(QueryError):
    """A request without a query in it."""

    def __init__(self, message: str) -> None:
        super().__init__("encoding", f"encoding error: {message}")


class TooLongError(EncodingError):
    """A query of ``length`` bytes, which is over the limit."""

    def __init__(self, length: int) -> None:
        limit_mb = MAX_QUERY_BYTES // 1024 // 1024
        super().__init__(f"Input too long (length: {length}). The maximum query length is {limit_mb} MB.")


def read_asked(raw: bytes) -> Asked:
    """The query in ``raw``: the query string of a GET, the body of a POST.

    Raises ``EncodingError`` where there is none.
    """
    _refuse_nothing(raw)
    if raw.lstrip(_SPACE).startswith(b"<"):
        return Asked(_text(raw))
    form = read_form(raw)
    query = form.get("data") or _text(raw)
    _refuse_nothing(query.encode())
    return Asked(_fill_bbox(query, form.get("bbox", "")), _callback(form.get("jsonp", "")))


def _callback(name: str) -> str:
    """The name of a function for JSONP; nothing for what is none, so that no script of someone else's is sent out."""
    return name if _CALLBACK.fullmatch(name) else ""


def read_form(raw: bytes) -> dict[str, str]:
    """The fields of ``raw``: ``name=value`` between ``&``; values lose their escapes and the white space at the end."""
    fields = {}
    for part in raw.split(b"&"):
        name, equals, value = part.partition(b"=")
        if equals:
            fields[_text(name)] = _text(_unescape(value.rstrip(_SPACE)))
    return fields


def _unescape(value: bytes) -> bytes:
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), value.replace(b"+", b" "))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _refuse_nothing(raw: bytes) -> None:
    if not raw:
        raise EncodingError("Your input is empty.")
    if not raw.strip(_SPACE):
        raise EncodingError("Your input contains only whitespace.")


def _fill_bbox(query: str, bbox: str) -> str:
    """``query`` with the ``west,south,east,north`` of the request in place of ``(bbox)`` and the first ``[bbox]``."""
    edges = bbox.split(",")
    if len(edges) != 4:
        return query
    west, south, east, north = edges
    box = f"{south},{west},{north},{east}"
    return query.replace("(bbox)", f"({box})").replace("[bbox]", f"[bbox:{box}]", 1)
