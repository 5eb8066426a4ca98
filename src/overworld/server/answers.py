"""HTTP answers: content types, the headers that browsers ask for, compression."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response

HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
MEDIA_TYPES = {"json": "application/json", "xml": "application/osm3s+xml", "csv": "text/csv"}
"""By output format; without a charset, because clients compare the whole value."""

_WORTH_COMPRESSING_BYTES = 500


def media_type_of(output_format: str) -> str:
    """The content type of answers in an output format; formats that are not printed here are printed as XML."""
    return MEDIA_TYPES.get(output_format, MEDIA_TYPES["xml"])


def answer(request: Request, body: bytes, media_type: str, status: int = 200) -> Response:
    """``body`` with the headers that the request asks for. May compress: call it outside the event loop if large."""
    headers = cross_origin_headers(request)
    if len(body) >= _WORTH_COMPRESSING_BYTES and accepts_gzip(request.headers.get("accept-encoding", "")):
        body = gzip.compress(body, compresslevel=5, mtime=0)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    # Not ``media_type``: Starlette adds a charset to text types.
    return Response(body, status, headers | {"Content-Type": media_type})


def cross_origin_headers(request: Request) -> dict[str, str]:
    """The CORS headers: on every answer where there is an Origin, on errors too."""
    headers = {}
    if wanted := request.headers.get("access-control-request-headers"):
        headers["Access-Control-Allow-Headers"] = wanted
    if request.headers.get("origin"):
        headers |= {"Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "600"}
    if request.method == "OPTIONS":
        headers["Access-Control-Allow-Methods"] = "GET, POST, OPTIONS"
    return headers


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether an Accept-Encoding header allows gzip."""
    for part in accept_encoding.lower().split(","):
        coding, _, parameter = part.partition(";")
        if coding.strip() in ("gzip", "*"):
            weight = parameter.strip().removeprefix("q=")
            return weight.strip("0.") != "" or weight == ""
    return False
