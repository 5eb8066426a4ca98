"""Scripts as QL text, pretty or compact.

The forms are those of the engine (``--dump-pretty-ql`` and ``--dump-compact-ql``); where what the engine writes does
not read back as the same script (functions with several arguments, quoted keys, blocks of ``if``, …) they are mended:
a script that is written and read again is the same but for its lines.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

from overworld.ql import trampoline
from overworld.ql.grammar import OUT_GEOMETRIES, OUT_MODES
from overworld.ql.printing import words
from overworld.ql.printing.expressions import assignment_text, expression_text
from overworld.ql.printing.filters import filter_text, stands_alone
from overworld.ql.strings import quote
from overworld.ql.tree import (
    Complete,
    Convert,
    Difference,
    Expression,
    For,
    Foreach,
    HistoryStatement,
    If,
    IsIn,
    Item,
    Localize,
    Make,
    MapToArea,
    Print,
    Query,
    Recurse,
    Script,
    SetFilter,
    Settings,
    Statement,
    Union,
)

_DROPPED: Final = "(newer)"
_NOTHING: Final = "//\n"
_MODE_WORDS: Final = {mode: f" {name}" for name, mode in OUT_MODES.items()} | {"body": ""}
_GEOMETRY_WORDS: Final = {geometry: f" {name}" for name, geometry in OUT_GEOMETRIES.items()} | {"skeleton": ""}


def to_pretty(script: Script) -> str:
    """The script with one statement or filter a line."""
    settings = [text + "\n" for text in _settings(script.settings)]
    if settings:
        settings.append(";\n")
    printer = _Printer(pretty=True, has_box=script.settings.box is not None)
    statements = [printer.text(statement) + "\n" for statement in script.statements]
    return "".join(settings) + "".join(statements) or _NOTHING


def to_compact(script: Script) -> str:
    """The script in one line, without any white space that it does not need."""
    settings = "".join(_settings(script.settings))
    printer = _Printer(pretty=False, has_box=script.settings.box is not None)
    statements = [printer.text(statement) for statement in script.statements]
    return settings + (";" if settings else "") + ("".join(statements) or _NOTHING.rstrip()) + "\n"


def _settings(settings: Settings) -> list[str]:
    written = dict(settings.written)
    texts = []
    for name, value in written.items():
        match name:
            case "bbox" | "timeout":
                texts.append(f"[{name}:{words.words(value)}]")
            case "element-limit":
                texts.append(f"[maxsize:{words.words(value)}]")
            case "output":
                is_short = "output-config" in written
                texts.append(f"[{'out' if is_short else 'output'}:{value}{written.get('output-config', '')}]")
    if "from" in written:
        name = "adiff" if "augmented" in written else "diff"
        end = f",{quote(written['date'])}" if "date" in written else ""
        texts.append(f"[{name}:{quote(written['from'])}{end}]")
    elif "date" in written:
        texts.append(f"[date:{quote(written['date'])}]")
    return texts


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement in a block, at its indentation."""

    statement: Statement
    indent: str


Steps = Generator[_Part, str, str]


@dataclass(frozen=True, slots=True)
class _Printer:
    pretty: bool
    has_box: bool

    def text(self, statement: Statement) -> str:
        text: str = trampoline.run(_Part(statement, ""), self._serve)
        return text

    def _serve(self, part: _Part) -> str | Steps:
        statement, indent = part.statement, part.indent if self.pretty else ""
        match statement:
            case Query():
                return indent + self._query(statement, indent)
            case Union():
                return self._union(statement, indent)
            case Difference():
                return self._difference(statement, indent)
            case Foreach():
                head = f"foreach{_source(statement.set_name)}{_into(statement.into)}"
                return self._block(indent + head, statement.statements, indent)
            case For():
                sets = f"{_source(statement.set_name)}{_into(statement.into)}"
                return self._block(f"{indent}for{sets}({expression_text(statement.key)})", statement.statements, indent)
            case Complete():
                limit = f"({words.word(statement.written)})" if statement.written else ""
                head = f"complete{limit}{_source(statement.set_name)}{_into(statement.into)}"
                return self._block(indent + head, statement.statements, indent)
            case If():
                return self._if(statement, indent)
            case HistoryStatement():
                return self._history(statement, indent)
            case Make() | Convert():
                return indent + self._make(statement, indent)
        return indent + _simple(statement)

    # ------------------------------------------------------------------------------------ queries

    def _query(self, query: Query, indent: str) -> str:
        plain = [filter_text(given) for given in query.filters if isinstance(given, SetFilter)]
        others = [filter_text(given) for given in query.filters if not isinstance(given, SetFilter)]
        apart = self.pretty and len(others) > 1
        if not apart or plain != [filter_text(given) for given in query.filters[: len(plain)]]:
            text = "".join(filter_text(given) for given in query.filters) + self._padding(query)
            return f"{query.type}{text}{_into(query.into)};"
        lines = [query.type + "".join(plain), *others]
        if query.into != "_":
            lines.append(_into(query.into))
        return f"\n{indent}  ".join(lines) + ";"

    def _padding(self, query: Query) -> str:
        """What keeps a query from being read as a statement of its one filter, or from being refused without any: the
        engine drops ``(newer)`` silently, and the query came from a script with such filters."""
        if query.standalone or len(query.filters) > 1:
            return ""
        if not query.filters:
            return "" if self.has_box else _DROPPED * 2
        return _DROPPED if stands_alone(query.filters[0], query.type) else ""

    # ------------------------------------------------------------------------------------ blocks

    def _parts(self, statements: Sequence[Statement], indent: str) -> Generator[_Part, str, list[str]]:
        texts: list[str] = []
        for statement in statements:
            texts += [(yield _Part(statement, indent + "  "))]
        return texts

    def _block(self, head: str, statements: Sequence[Statement], indent: str) -> Steps:
        texts = yield from self._parts(statements, indent)
        if not self.pretty:
            return head + "{" + "".join(texts) + "}"
        return head + "{" + "".join("\n" + text for text in texts) + "\n}"

    def _open_block(self, statements: Sequence[Statement], indent: str) -> Steps:
        """A block whose brace stands below its head."""
        texts = yield from self._parts(statements, indent)
        if not self.pretty:
            return "{" + "".join(texts) + "}"
        return f"\n{indent}{{" + "".join("\n" + text for text in texts) + f"\n{indent}}}"

    def _union(self, union: Union, indent: str) -> Steps:
        texts = yield from self._parts(union.statements, indent)
        end = f"){_into(union.into)};"
        if not self.pretty:
            return "(" + "".join(texts) + end
        return f"{indent}(" + "".join("\n" + text for text in texts) + "\n" + end

    def _difference(self, difference: Difference, indent: str) -> Steps:
        texts = yield from self._parts(difference.statements, indent)
        end = f"){_into(difference.into)};"
        if self.pretty:
            return f"{indent}(\n" + f"\n{indent}  -\n".join(texts) + "\n" + end
        first, *rest = texts
        # A minus before a dot would begin a number.
        return "(" + first + "".join(("- " if text.startswith(".") else "-") + text for text in rest) + end

    def _if(self, statement: If, indent: str) -> Steps:
        space = " " if self.pretty else ""
        head = f"{indent}if{space}({expression_text(statement.condition)})"
        text = head + (yield from self._open_block(statement.statements, indent))
        if statement.otherwise:
            text += f"\n{indent}else" if self.pretty else "else"
            text += yield from self._open_block(statement.otherwise, indent)
        return text

    def _history(self, statement: HistoryStatement, indent: str) -> Steps:
        space = " " if self.pretty else ""
        if statement.kind == "timeline":
            arguments = f",{space}".join(words.word(argument) for argument in statement.args if argument)
            return f"{indent}timeline({arguments}){_into(statement.into)};"
        condition = "" if statement.expression is None else expression_text(statement.expression)
        if statement.kind == "retro":
            block = yield from self._open_block(statement.statements, indent)
            return f"{indent}retro{space}({condition}){block}"
        delta = _delta(statement.expression)
        text = f"{indent}{_before(statement.set_name)}compare({delta}){_into(statement.into)}"
        if not statement.statements:
            return text + ";"
        return text + (yield from self._open_block(statement.statements, indent))

    def _make(self, statement: Make | Convert, indent: str) -> str:
        if isinstance(statement, Make):
            head = f"make {statement.type}"
        else:
            source = f".{statement.set_name} " if statement.names_set else ""
            head = f"{source}convert {statement.type}"
        separator = f"\n{indent}  " if self.pretty else ""
        texts = [assignment_text(assignment) for assignment in statement.assignments]
        if texts:
            head += (separator or " ") + f",{separator}".join(texts)
        return f"{head}{_into(statement.into)};"


def _delta(expression: Expression | None) -> str:
    if expression is None:
        return ""
    text = expression_text(expression)
    return f"delta:{' ' if text.startswith(':') else ''}{text}"


# ---------------------------------------------------------------------------------------------- simple statements


def _source(set_name: str) -> str:
    return "" if set_name == "_" else f".{set_name}"


def _before(set_name: str) -> str:
    return "" if set_name == "_" else f".{set_name} "


def _into(set_name: str) -> str:
    return "" if set_name == "_" else f"->.{set_name}"


def _sides(written: Sequence[str]) -> str:
    return f"({','.join(words.word(side) for side in written)})" if any(written) else ""


def _simple(statement: Item | Recurse | IsIn | MapToArea | Localize | Print) -> str:
    match statement:
        case Item():
            return f".{statement.set_name}{_into(statement.into)};"
        case Recurse():
            return f"{_before(statement.set_name)}{statement.direction}{_into(statement.into)};"
        case IsIn():
            return f"{_before(statement.set_name)}is_in{_sides(statement.written)}{_into(statement.into)};"
        case MapToArea():
            return f"{_before(statement.set_name)}map_to_area{_into(statement.into)};"
        case Localize():
            kind = "" if statement.type == "l" else f" {statement.type}"
            box = _sides(statement.written)
            return f"{_before(statement.set_name)}local{kind}{box}{_into(statement.into)};"
        case Print():
            return _print(statement)


def _print(statement: Print) -> str:
    order = "" if statement.order == "id" else " qt"
    limit = f" {statement.written_limit}" if statement.written_limit else ""
    ids = "" if statement.ids else " noids"
    geometry = _GEOMETRY_WORDS[statement.geometry]
    options = f"{_MODE_WORDS[statement.mode]}{order}{limit}{geometry}{ids}{_sides(statement.written_box)}"
    return f"{_before(statement.set_name)}out{options};"
