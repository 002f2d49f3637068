"""A database schema as the parser sees it: tables, columns with types, keys."""
from __future__ import annotations

import dataclasses
import re
import sqlite3

from training.text import name_words

TYPES = ("text", "number", "time", "boolean", "others")


@dataclasses.dataclass
class Schema:
    """Column 0 is `*` of table -1. `spoken` names are the words a person may use, if known better than from the name itself."""
    name: str
    tables: list[str]
    columns: list[tuple[int, str]]
    types: list[str]
    primary: list[int]
    foreign: list[tuple[int, int]]
    spoken_tables: list[str] = dataclasses.field(default_factory=list)
    spoken_columns: list[str] = dataclasses.field(default_factory=list)
    iso: list[bool] = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.columns = [tuple(c) for c in self.columns]
        self.foreign = [tuple(f) for f in self.foreign]
        self.spoken_tables = self.spoken_tables or [name_words(t) for t in self.tables]
        self.spoken_columns = self.spoken_columns or ["*"] + [name_words(n) for _, n in self.columns[1:]]
        self.iso = self.iso or [False] * len(self.columns)
        self.foreign += self._implied_keys()
        self.edges = self._edges()

    def table_of(self, column: int) -> int:
        return self.columns[column][0]

    def columns_of(self, table: int) -> list[int]:
        return [c for c in range(1, len(self.columns)) if self.columns[c][0] == table]

    def _implied_keys(self) -> list[tuple[int, int]]:
        """Undeclared keys: a column named like another table's only primary key column, where no key joins the two tables."""
        joined = {frozenset((self.table_of(a), self.table_of(b))) for a, b in self.foreign}
        single = [p for p in self.primary if sum(self.table_of(p) == self.table_of(x) for x in self.primary) == 1]
        out = []
        for target in single:
            name = self.columns[target][1].lower()
            for c in range(1, len(self.columns)):
                pair = frozenset((self.table_of(c), self.table_of(target)))
                if len(pair) == 2 and pair not in joined and self.columns[c][1].lower() == name and name not in ("id", "name"):
                    out.append((c, target))
                    joined.add(pair)
        return out

    def _edges(self) -> dict[int, list[tuple[int, int, int]]]:
        """Per table its neighbours (other table, own column, other column), one key per pair, in the order of the keys."""
        edges: dict[int, list[tuple[int, int, int]]] = {t: [] for t in range(len(self.tables))}
        seen = set()
        for a, b in self.foreign:
            ta, tb = self.columns[a][0], self.columns[b][0]
            if ta != tb and (ta, tb) not in seen:
                seen |= {(ta, tb), (tb, ta)}
                edges[ta].append((tb, a, b))
                edges[tb].append((ta, b, a))
        return edges

    def to_json(self) -> dict:
        return dataclasses.asdict(self)


def from_spider(entry: dict) -> Schema:
    """A schema out of Spider's tables.json; the spoken names are the hand-cleaned ones given there."""
    columns = [(t, n) for t, n in entry["column_names_original"]]
    tables = ["key_" + t if t.startswith("sqlite_") else t for t in entry["table_names_original"]]
    return Schema(entry["db_id"], tables, columns, entry["column_types"], entry["primary_keys"],
                  [tuple(f) for f in entry["foreign_keys"]], [t.lower() for t in entry["table_names"]],
                  [c[1].lower() for c in entry["column_names"]])


def sql_type(declared: str) -> str:
    """The parser's type of a declared SQL type."""
    declared = declared.lower()
    if re.search("bool", declared):
        return "boolean"
    if re.search("date|time|year", declared):
        return "time"
    if re.search("int|real|num|float|double|dec|money", declared):
        return "number"
    return "text"


def from_sqlite(connection: sqlite3.Connection, name: str) -> Schema:
    """The schema of an open SQLite database with its declared keys."""
    tables = [r[0] for r in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")]
    columns, types, primary, at = [(-1, "*")], ["text"], [], {}
    for t, table in enumerate(tables):
        for row in connection.execute(f'PRAGMA table_info("{table}")'):
            at[(table.lower(), row[1].lower())] = len(columns)
            if row[5]:
                primary.append(len(columns))
            columns.append((t, row[1]))
            types.append(sql_type(row[2] or ""))
    foreign = []
    for table in tables:
        for row in reversed(connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()):
            target = row[4] or next((columns[p][1] for p in primary if tables[columns[p][0]].lower() == row[2].lower()), "")
            a, b = at.get((table.lower(), row[3].lower())), at.get((row[2].lower(), target.lower()))
            if a and b:
                foreign.append((a, b))
    return Schema(name, tables, columns, types, primary, sorted(foreign))
