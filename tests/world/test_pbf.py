"""Reading of PBF: against libosmium's own reader, in its rarer forms, and damaged at any byte."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import osmium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overworld.core.elements import ElementType
from overworld.core.errors import CorruptFileError
from overworld.world.build import Origin, build_world
from overworld.world.objects import MapObjects, ObjectCollector
from overworld.world.protobuf import WireError, numbers, scan, signed, unzigzag
from overworld.world.reader import read_objects

EXTRACTS = Path(__file__).resolve().parents[2] / "extracts"
MEMBER_TYPES = {"n": ElementType.NODE, "w": ElementType.WAY, "r": ElementType.RELATION}

OPL = """\
n1 dV Tamenity=cafe,name=Zo%e9% x7.42 y43.7310770
n2 dV T x-0.0000001 y-90
n13000000000 dV Tnote= x180 y90
w1 dV Thighway=path Nn1,n2,n9,n1
w2 dV T N
w3 dV Thighway=path,name=Zo%e9% Nn13000000000
r1 dV Ttype=site Mn1@stop,w1@,r7@a%20%b,n1@stop
r2 dV T M
"""


def hash_of(objects: MapObjects) -> str:
    return build_world(objects, Origin("x")).info.content_hash


def read_one_by_one(path: Path) -> MapObjects:
    """The same as ``read_objects``, written as simply as can be."""
    collector = ObjectCollector()
    for one in osmium.FileProcessor(str(path)):
        tags = {tag.k: tag.v for tag in one.tags}
        if isinstance(one, osmium.osm.Node):
            collector.node(one.id, one.location.y, one.location.x, tags)
        elif isinstance(one, osmium.osm.Way):
            collector.way(one.id, [node.ref for node in one.nodes], tags)
        elif isinstance(one, osmium.osm.Relation):
            collector.relation(one.id, [(MEMBER_TYPES[m.type], m.ref, m.role) for m in one.members], tags)
    return collector.objects()


@pytest.fixture(scope="module")
def opl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("opl") / "small.opl"
    path.write_text(OPL, encoding="utf-8")
    return path


def written(opl: Path, options: str, suffix: str = ".osm.pbf") -> Path:
    target = opl.with_name(f"{abs(hash(options))}{suffix}")
    target.unlink(missing_ok=True)
    with osmium.SimpleWriter(osmium.io.File(str(target), options)) as writer:
        osmium.apply(osmium.io.Reader(str(opl)), writer)
    return target


@pytest.mark.parametrize("name", ["kotka.osm.pbf", "helsinki.osm.pbf"])
def test_the_same_objects_as_libosmium(name: str) -> None:
    assert hash_of(read_objects(EXTRACTS / name)) == hash_of(read_one_by_one(EXTRACTS / name))


@pytest.mark.parametrize(
    "options",
    [
        "pbf",
        "pbf,pbf_compression=none",
        "pbf,pbf_compression=none,add_metadata=none",
        "pbf,pbf_dense_nodes=false",
        "pbf,pbf_dense_nodes=false,pbf_compression=none",
        "pbf,locations_on_ways=true",
        "pbf,add_metadata=version+timestamp",
    ],
)
def test_every_form_gives_the_same_world(opl: Path, options: str) -> None:
    assert hash_of(read_objects(written(opl, options))) == hash_of(read_one_by_one(opl))


def test_a_file_with_history_is_refused(opl: Path) -> None:
    with pytest.raises(CorruptFileError, match="it holds the history of objects, not their state at one time"):
        read_objects(written(opl, "osh.pbf"))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_damage_anywhere_is_told_or_harmless(opl: Path, tmp_path: Path, data: st.DataObject) -> None:
    whole = written(opl, "pbf,pbf_compression=none,add_metadata=none").read_bytes()
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(0, 3))):
        broken[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "broken.osm.pbf"
    path.write_bytes(broken[: data.draw(st.integers(0, len(whole)))])
    try:
        read_objects(path)
    except CorruptFileError as error:
        assert "\n" not in str(error)


def message(blob: bytes) -> bytes:
    """A file of one header and one data blob with these bytes in it."""
    features = b"\x22\x0eOsmSchema-V0.6"
    parts = [(b"OSMHeader", bytes([0x0A, len(features)]) + features), (b"OSMData", blob)]
    data = b""
    for kind, contents in parts:
        header = bytes([0x0A, len(kind)]) + kind + bytes([0x18, len(contents)])
        data += len(header).to_bytes(4, "big") + header + contents
    return data


def test_a_block_that_expands_without_end_is_refused(tmp_path: Path) -> None:
    bomb = zlib.compress(bytes(40 * 1024 * 1024), 9)[:100]
    (tmp_path / "bomb.osm.pbf").write_bytes(message(bytes([0x1A, len(bomb)]) + bomb))
    with pytest.raises(CorruptFileError, match="not as long as it says"):
        read_objects(tmp_path / "bomb.osm.pbf")


def varint(value: int) -> bytes:
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_numbers(values: list[int]) -> None:
    data = b"".join([varint(value) for value in values])
    assert numbers(np.frombuffer(data, dtype=np.uint8)).tolist() == values
    scanned = scan(b"".join([b"\x08" + varint(value) for value in values]), 0, sum(len(varint(v)) + 1 for v in values))
    assert [value for _, value, _ in scanned] == values


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_signed_numbers(values: list[int]) -> None:
    zigzag = np.array([(value << 1) ^ (value >> 63) for value in values], dtype=object) & (2**64 - 1)
    assert unzigzag(zigzag.astype(np.uint64)).tolist() == values
    assert [signed(value & (2**64 - 1)) for value in values] == values


@pytest.mark.parametrize("data", [b"\x80", b"\x01\xff", b"\xff" * 11 + b"\x01"])
def test_numbers_that_are_cut_off_or_too_long(data: bytes) -> None:
    with pytest.raises(WireError):
        numbers(np.frombuffer(data, dtype=np.uint8))
