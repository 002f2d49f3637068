"""Questions that people wrote over schemas of their own (written/*.txt), as examples.

A file holds databases one after the other:

    @ bike_hire
    CREATE TABLE stations (
      id INTEGER PRIMARY KEY,
      name TEXT,                 -- title
      docks INTEGER,             -- 8..40
      status TEXT                -- open|closed|planned
    );
    CREATE TABLE rides (... station_id INTEGER REFERENCES stations(id), started DATE ...);

    ? How many stations are closed?
    ? closed stations, count
    = SELECT COUNT(*) FROM stations WHERE status = 'closed'

What follows `--` on a column's line says what it holds: values, limits, or a shape of `contents.draw` (person, title, company, team, city, country, …).
Without it the name decides. Lines with `?` are wordings of one question. The SQL is that of `sql_reader`; its values stand in every wording.

    python3 -m training.written FILE...       says what cannot be used, and why
"""
from __future__ import annotations

import dataclasses
import functools
import pathlib
import re
import sqlite3
import sys
import zlib

from training import grammar
from training.contents import Kind, guess_kind
from training.execution import run
from training.logical_form import Query, Unsupported, linearise, read
from training.schema import Schema, from_sqlite
from training.spider import Database, Example, open_database, with_words
from training.sql_reader import read_sql
from training.sql_writer import write_sql
from training.text import MAX_WORDS, split_words
from training.values import period_of

FOLDER = pathlib.Path(__file__).parent / "written"
SELECTION_SHARE = 4  # every so manieth database is kept out of training
COLUMN = re.compile(r'\s*("[^"]+"|\w+)\s+\w.*?--\s*(\S.*)')
LIMITS = re.compile(r"(-?[\d.]+)\.\.(-?[\d.]+)")
DAYS = ("date", "datetime")


@dataclasses.dataclass
class Entry:
    """One query with the ways to ask for it, and where it stands."""
    line: int
    wordings: list[str]
    sql: str


@dataclasses.dataclass
class Written:
    """A schema with its questions. `selection`: not for training, but to choose and to fit the choice."""
    schema: Schema
    kinds: dict[int, Kind]
    entries: list[Entry]

    @property
    def selection(self) -> bool:
        return zlib.crc32(self.schema.name.encode()) % SELECTION_SHARE == 0


def kind_of(hint: str) -> Kind:
    if limits := LIMITS.fullmatch(hint):
        low, high = map(float, limits.groups())
        return Kind("float" if "." in limits[1] + limits[2].replace("..", "") else "int", low, high)
    if "|" in hint:
        return Kind("category", values=tuple(v.strip() for v in hint.split("|")))
    return Kind(hint)


def hints_in(declarations: str) -> dict[tuple[str, str], str]:
    """(table, column), both in small letters, to what stands behind `--`."""
    out, table = {}, ""
    for line in declarations.splitlines():
        if made := re.match(r'\s*CREATE TABLE\s+("[^"]+"|\w+)', line, re.IGNORECASE):
            table = made[1].strip('"').lower()
        elif column := COLUMN.match(line):
            out[table, column[1].strip('"').lower()] = column[2].strip()
    return out


def parse_database(name: str, lines: list[tuple[int, str]]) -> Written:
    """Lines of one database with their numbers, without the one that begins with @."""
    declared, entries = [], []
    for number, line in lines:
        if line.startswith("?"):
            if not entries or entries[-1].sql:
                entries.append(Entry(number, [], ""))
            entries[-1].wordings.append(line[1:].strip())
        elif line.startswith("="):
            entries[-1].sql = line[1:].strip().rstrip(";")
        elif not entries:
            declared.append(line)
        elif line.strip():
            raise ValueError(f"line {number} is neither question nor SQL: {line}")
    connection = sqlite3.connect(":memory:")
    connection.executescript("\n".join(declared))
    schema = from_sqlite(connection, "written_" + name)
    hints = hints_in("\n".join(declared))
    kinds = {}
    for c, (t, column) in enumerate(schema.columns):
        hint = hints.get((schema.tables[t].lower(), column.lower())) if c else None
        if c:
            kinds[c] = kind_of(hint) if hint else guess_kind(schema, c)
    return Written(schema, kinds, entries)


def parse(text: str) -> list[Written]:
    """All databases of a file."""
    parts: list[tuple[str, list[tuple[int, str]]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("@"):
            parts.append((line[1:].strip(), []))
        elif parts and not line.startswith("#"):
            parts[-1][1].append((number, line))
    return [parse_database(name, lines) for name, lines in parts]


@functools.cache
def all_written() -> list[Written]:
    return [w for path in sorted(FOLDER.glob("*.txt")) for w in parse(path.read_text())]


def with_days(node, kinds: dict[int, Kind]):
    """A query in which periods of time are their first day: what a column of dates could hold."""
    if isinstance(node, Query):
        return dataclasses.replace(node, **{f.name: with_days(getattr(node, f.name), kinds) for f in dataclasses.fields(node)})
    if isinstance(node, list):
        return [with_days(n, kinds) for n in node]
    if not isinstance(node, tuple):
        return node
    if node and node[0] == "test" and node[1][0] == "column" and node[1][1] and kinds[node[1][1]].shape in DAYS:
        return (*node[:3], [("value", period_of(s[1])[0]) if s[0] == "value" and period_of(s[1]) else s for s in node[3]])
    return tuple(with_days(n, kinds) for n in node)


def examples_of(written: Written) -> tuple[Database, list[Example], list[str]]:
    """The database with generated contents, the examples, and what is wrong with the rest."""
    schema, queries, problems = written.schema, {}, []
    for entry in written.entries:
        try:
            queries[entry.line] = read_sql(entry.sql, schema)
        except (Unsupported, IndexError) as error:
            problems.append(f"{schema.name} line {entry.line}: {error}: {entry.sql}")
    database = open_database(schema, [with_days(q, written.kinds) for q in queries.values()], dict(written.kinds))
    examples, seen = [], set()
    for entry in written.entries:
        if entry.line not in queries:
            continue
        if not entry.wordings:
            problems.append(f"{schema.name} line {entry.line}: SQL without a question")
        for question in entry.wordings:
            found = example_of(question, queries[entry.line], database)
            if isinstance(found, str) or question in seen:
                problems.append(f"{schema.name} line {entry.line}: {found if isinstance(found, str) else 'asked twice'}: {question}")
            else:
                examples.append(found)
            seen.add(question)
    return database, examples, problems


def example_of(question: str, query: Query, database: Database) -> Example | str:
    """The example, or why there is none."""
    words, schema = split_words(question), database.schema
    if len(words) > MAX_WORDS:
        return "too long"
    try:
        target = with_words(linearise(query, schema), question)
    except Unsupported as error:
        return str(error)
    if ("k", "V:UNK") in target:
        return "a value of the SQL is not said"
    if not grammar.accepts(target, [a for a, _ in schema.foreign]):
        return "not in the parser's language"
    try:
        sql = write_sql(read(target), schema, question, words, database.contents)
    except Unsupported as error:
        return str(error)
    return Example(schema.name, question, sql, target) if run(database.connections[0], sql) is not None else f"does not run: {sql}"


def main() -> None:
    count = 0
    for path in sys.argv[1:]:
        for written in parse(pathlib.Path(path).read_text()):
            database, examples, problems = examples_of(written)
            empty = sum(not run(database.connections[0], e.sql) for e in examples)
            print(f"{written.schema.name}: {len(written.schema.tables)} tables, {len(written.entries)} queries, {len(examples)} wordings to use, {empty} without rows, {len(problems)} problems")
            for problem in problems:
                print("   ", problem)
            count += len(examples)
    print(count, "wordings in all")


if __name__ == "__main__":
    main()
