"""Reading of OpenStreetMap files."""

from __future__ import annotations

import bz2
import gzip
import re
from pathlib import Path

import osmium
import pytest

from overworld.core.errors import CorruptFileError, InputError
from overworld.world.build import Origin, build_world
from overworld.world.objects import NOWHERE_LAT_E7, NOWHERE_LON_E7
from overworld.world.open import write_world
from overworld.world.reader import read_objects
from overworld.world.store import World

EXTRACTS = Path(__file__).resolve().parents[2] / "extracts"

OPL = """\
n1 v7 dV c4711 t2020-02-02T02:02:02Z i815 uAlexandra%20%K Tamenity=cafe,name=Zo%e9% x7.42 y43.7310770
n2 v1 dV c4711 t2020-02-02T02:02:02Z i815 uAlexandra%20%K T x-0.0000001 y-90
n3 v2 dD c4711 t2020-02-02T02:02:02Z i815 uAlexandra%20%K T x y
n4 v1 dV T x y
w1 v3 dV c4711 t2020-02-02T02:02:02Z i815 uAlexandra%20%K Thighway=path Nn1,n2,n9,n1
w2 v2 dD T N
r1 v9 dV c4711 t2020-02-02T02:02:02Z i815 uAlexandra%20%K Ttype=site Mn1@stop,w1@,r7@a%20%b
"""


def world_at(path: Path) -> World:
    return build_world(read_objects(path), Origin("read"))


@pytest.fixture
def opl(tmp_path: Path) -> Path:
    path = tmp_path / "small.opl"
    path.write_text(OPL, encoding="utf-8")
    return path


def converted(path: Path, suffix: str) -> Path:
    target = path.with_name(f"small{suffix}")
    with osmium.SimpleWriter(str(target)) as writer:
        for one in osmium.FileProcessor(str(path)):
            if not one.deleted:
                writer.add(one)
    return target


def test_objects(opl: Path) -> None:
    objects = read_objects(opl)
    assert objects.node_ids.tolist() == [1, 2, 4]
    assert objects.node_lat.tolist() == [437_310_770, -900_000_000, NOWHERE_LAT_E7]
    assert objects.node_lon.tolist() == [74_200_000, -1, NOWHERE_LON_E7]
    assert [objects.pairs[number] for number in objects.node_tags.row(0)] == [("amenity", "cafe"), ("name", "Zoé")]
    assert objects.way_ids.tolist() == [1]
    assert objects.way_refs.row(0).tolist() == [1, 2, 9, 1]
    assert objects.relation_refs.row(0).tolist() == [1, 1, 7]
    assert objects.member_types.tolist() == [0, 1, 2]
    assert [objects.roles[number] for number in objects.member_roles] == ["stop", "", "a b"]


@pytest.mark.parametrize("suffix", [".osm", ".osm.bz2", ".osm.gz", ".osm.pbf"])
def test_every_format_gives_the_same_world(opl: Path, suffix: str) -> None:
    assert world_at(converted(opl, suffix)).info.content_hash == world_at(opl).info.content_hash


def users_and_texts(path: Path) -> tuple[set[str], str]:
    """User names in a file, and all its tags and roles in one text."""
    users, texts = set(), set()
    for one in osmium.FileProcessor(str(path)):
        users.add(one.user)
        texts |= {text for tag in one.tags for text in (tag.k, tag.v)}
        if isinstance(one, osmium.osm.Relation):
            texts |= {member.role for member in one.members}
    return users - {""}, "\0".join(texts)


def written(path: Path, directory: Path) -> bytes:
    write_world(world_at(path), directory)
    return b"".join([file.read_bytes() for file in sorted(directory.iterdir())])


def test_no_metadata_is_left(opl: Path, tmp_path: Path) -> None:
    (tmp_path / "world").mkdir()
    stored = written(opl, tmp_path / "world")
    assert "Zoé".encode() in stored
    for word in (b"Alexandra", b"4711", b"2020", (4711).to_bytes(4, "little"), (1580608922).to_bytes(4, "little")):
        assert word not in stored


@pytest.mark.parametrize("name", ["liechtenstein.osm.pbf", "neubrandenburg.osm.bz2"])
def test_no_metadata_of_a_real_extract_is_left(name: str, tmp_path: Path) -> None:
    stored = written(EXTRACTS / name, tmp_path)
    users, texts = users_and_texts(EXTRACTS / name)
    assert len(users) > 200
    assert [user for user in users if user not in texts and len(user) > 3 and user.encode() in stored] == []
    times = {time.decode() for time in re.findall(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", stored)}
    assert [time for time in times if time not in texts] == []


@pytest.mark.parametrize("name", ["kotka.osm.pbf", "neubrandenburg.osm.bz2"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_file_cut_off_is_refused(name: str, share: float, tmp_path: Path) -> None:
    data = (EXTRACTS / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(CorruptFileError, match="not a whole OpenStreetMap file") as caught:
        read_objects(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        pytest.param(".osm.pbf", b"not a map at all, just some words", id="words as pbf"),
        pytest.param(".osm", b"<osm><node id='1' lat='x'/></osm>", id="a latitude that is none"),
        pytest.param(".osm", b"<osm version='0.6'><node id='1' lat='1' lon='2'>", id="xml without an end"),
        pytest.param(".osm.bz2", bz2.compress(b"<osm version='0.6'>"), id="bz2 of a broken xml"),
        pytest.param(".osm.gz", gzip.compress(b"<osm version='0.6'/>")[:-9], id="gz cut off"),
        pytest.param(".opl", b"n1 T=,x7 y1 Q", id="half a line"),
    ],
)
def test_damaged_files_are_refused(suffix: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(data)
    with pytest.raises(CorruptFileError) as caught:
        read_objects(path)
    assert str(caught.value).startswith(f"{path}: not a whole OpenStreetMap file: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("map.geojson", "format not known by its name", id="another format"),
        pytest.param("nothing.osm.pbf", "no such file", id="no file"),
    ],
)
def test_what_cannot_be_read(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_objects(tmp_path / name)
