"""What the interpreter takes for the query."""

from __future__ import annotations

import pytest

from overworld.server.requests import Asked, EncodingError, read_asked, read_form

ASKED = {
    "form field": (b"data=node%281%29%3Bout%3B", Asked("node(1);out;")),
    "plus is a space": (b"data=out+ids;", Asked("out ids;")),
    "other fields are ignored": (b"info=QgisQuickOSMPlugin&data=out;&x=1", Asked("out;")),
    "the last of two wins": (b"data=a&data=b", Asked("b")),
    "white space at the end of a value goes": (b"data=out; \r\n", Asked("out;")),
    "escaped white space stays": (b"data=out;%0A", Asked("out;\n")),
    "a percent sign that escapes nothing stays": (b"data=100%25%zz%", Asked("100%%zz%")),
    "utf-8": ("data=näme%C3%A9".encode(), Asked("nämeé")),
    "bytes that are no utf-8": (b"data=%FF", Asked("�")),
    "raw query": (b'node["name"="A+B %41"];out;\n', Asked('node["name"="A+B %41"];out;\n')),
    "raw query with an ampersand": (b'node["a"="b&c=d"];out;', Asked('node["a"="b&c=d"];out;')),
    "empty field: all of it is the query": (b"data=&x=1", Asked("data=&x=1")),
    "xml is taken verbatim": (b" <osm-script>data=1&amp;</osm-script>", Asked(" <osm-script>data=1&amp;</osm-script>")),
    "xml in a form": (b"data=%3Cprint/%3E", Asked("<print/>")),
    "bbox": (
        b"data=[bbox];node(bbox);way(bbox);[bbox]&bbox=1,2,3,4",
        Asked("[bbox:2,1,4,3];node(2,1,4,3);way(2,1,4,3);[bbox]"),
    ),
    "bbox of three numbers": (b"data=node(bbox);&bbox=1,2,3", Asked("node(bbox);")),
    "jsonp": (b"data=out;&jsonp=show", Asked("out;", "show")),
    "jsonp with a path": (b"data=out;&jsonp=a.b[0]", Asked("out;", "a.b[0]")),
    "jsonp that is a script": (b"data=out;&jsonp=%3Cscript%3Ealert(1)%3C/script%3E", Asked("out;")),
    "jsonp with a line end": (b"data=out;&jsonp=a%0A", Asked("out;")),
}


@pytest.mark.parametrize(("raw", "asked"), ASKED.values(), ids=ASKED)
def test_the_query_is_found(raw: bytes, asked: Asked) -> None:
    assert read_asked(raw) == asked


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param(b"", "encoding error: Your input is empty.", id="nothing"),
        pytest.param(b" \r\n", "encoding error: Your input contains only whitespace.", id="white space"),
        pytest.param(b"data=+", "encoding error: Your input contains only whitespace.", id="white space in a form"),
    ],
)
def test_no_query(raw: bytes, message: str) -> None:
    with pytest.raises(EncodingError) as caught:
        read_asked(raw)
    assert caught.value.errors == (message,)


def test_fields_without_an_equals_sign_are_none() -> None:
    assert read_form(b"a&b=1&=2&c=%3d=") == {"b": "1", "": "2", "c": "=="}
