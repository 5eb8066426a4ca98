"""Loading of a world into the real engine: its database, and the areas that its standard rules make."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from overworld.core.errors import EngineUnavailableError
from overworld.engine.osm3s.mapxml import map_xml
from overworld.world.store import World

META_FILES = ("user_data", "nodes_meta", "ways_meta", "relations_meta")
AREA_FILES = ("areas", "area_blocks", "area_tags_local", "area_tags_global")
AREA_RULES = """\
<osm-script timeout="86400" element-limit="4294967296">
  <union>
    <query type="relation"><has-kv k="name"/><has-kv k="type" v="multipolygon"/></query>
    <query type="relation"><has-kv k="name"/><has-kv k="type" v="boundary"/></query>
    <query type="relation"><has-kv k="name"/><has-kv k="admin_level"/></query>
    <query type="relation"><has-kv k="postal_code"/></query>
    <query type="relation"><has-kv k="addr:postcode"/></query>
  </union>
  <foreach into="of">
    <union><recurse from="of" type="relation-way"/><recurse type="way-node"/></union>
    <make-area pivot="of" return-area="no"/>
  </foreach>
</osm-script>
"""
"""The areas that a public server has: of relations with a name and a type or level, or with a postcode."""


@dataclass(frozen=True, slots=True)
class Binaries:
    """Where the engine's programs lie: a directory with ``update_database`` and ``osm3s_query``."""

    directory: Path

    def program(self, name: str) -> Path:
        """The path of a program. Raises ``EngineUnavailableError`` where it is not there."""
        path = self.directory / name
        if not path.is_file():
            raise EngineUnavailableError(f"no program {name}", path=self.directory, remedy="name its bin directory")
        return path


def load_world(world: World, binaries: Binaries, database: Path) -> None:
    """Make the database of ``world`` in the new directory ``database``, and its areas.

    Raises ``EngineUnavailableError`` where a program fails.
    """
    database.mkdir(parents=True)
    loader = [
        f"--db-dir={database}/",
        "--compression-method=gz",
        "--map-compression-method=gz",
        f"--version={world.info.snapshot or world.info.name}",
    ]
    _feed([str(binaries.program("update_database")), *loader], "".join(map_xml(world)))
    (database / "rules").mkdir()
    _feed([str(binaries.program("osm3s_query")), f"--db-dir={database}/", "--quiet", "--rules"], AREA_RULES)
    # Where these are missing, ``out meta`` and every query for areas fail; empty, they say that there is nothing.
    for name in META_FILES + AREA_FILES:
        for suffix in (".bin", ".bin.idx"):
            (database / f"{name}{suffix}").touch()


def _feed(command: list[str], text: str) -> None:
    done = subprocess.run(command, input=text.encode("utf-8", "surrogateescape"), capture_output=True, check=False)
    if done.returncode:
        complaint = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise EngineUnavailableError(f"{command[0]} failed: {complaint[-1] if complaint else done.returncode}")
