"""Spider's training questions: the split by database, generated contents, and the examples that the parser learns from."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import random
import sqlite3

from training import grammar
from training.contents import generate
from training.execution import run, same
from training.linking import Contents, read_contents
from training.logical_form import Query, Token, Unsupported, linearise, read
from training.schema import Schema, from_spider
from training.sql_reader import read_sql
from training.sql_writer import write_sql
from training.text import MAX_WORDS, split_words
from training.values import find_literal

SPLIT_SEED = 20
SELECTION, FINAL = 15, 15
CONTENT_SEEDS = (1, 2)


@dataclasses.dataclass
class Example:
    """A question with its target; target is None where the form cannot hold the query. faithful: the target's SQL gives the gold result."""
    database: str
    question: str
    sql: str
    target: list[Token] | None
    construct: str = ""
    faithful: bool = True


@dataclasses.dataclass
class Database:
    """A schema with two generated databases (a right answer must be right on both) and the index of the first one's values."""
    schema: Schema
    connections: list[sqlite3.Connection]
    contents: Contents


def split(names: list[str]) -> dict[str, str]:
    """Database to train, selection or final: seeded, and databases that are numbered versions of one topic stay together."""
    topics: dict[str, list[str]] = {}
    for name in sorted(names):
        topics.setdefault(name.rsplit("_", 1)[0] if name[-1:].isdigit() else name, []).append(name)
    order = sorted(topics)
    random.Random(SPLIT_SEED).shuffle(order)
    out, counts = {}, {"final": 0, "selection": 0}
    for topic in order:
        part = "final" if counts["final"] < FINAL else "selection" if counts["selection"] < SELECTION else "train"
        for name in topics[topic]:
            out[name] = part
        if part in counts:
            counts[part] += len(topics[topic])
    return out


def open_database(schema: Schema, queries: list[Query], kinds=None) -> Database:
    connections = [generate(schema, seed, kinds, queries) for seed in CONTENT_SEEDS]
    return Database(schema, connections, read_contents(connections[0], schema))


def with_words(tokens: list[Token], question: str) -> list[Token]:
    """Literals become spans of words, or constants where the question does not say them."""
    words = split_words(question)[:MAX_WORDS]
    out: list[Token] = []
    for kind, what in tokens:
        if kind != "v":
            out.append((kind, what))
            continue
        span = find_literal(what, question, words)
        if span and span[1] - span[0] < grammar.MAX_SPAN:
            out += [("w", span[0]), ("w", span[1])]
        else:
            out.append(("k", "V:" + what if "V:" + what in grammar.KEYWORD_ID else "V:UNK"))
    return out


def is_ordered(sql: str) -> bool:
    """Whether the outermost query orders its rows."""
    depth, last = 0, False
    for word in sql.upper().replace("(", " ( ").replace(")", " ) ").split():
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in grammar.SETS:
            last = False
        if depth == 0 and word == "ORDER":
            last = True
    return last


def is_faithful(example: Example, database: Database) -> bool:
    """Whether the target, written back as SQL with the question's own values, gives the gold result on both databases."""
    words = split_words(example.question)
    try:
        sql = write_sql(read(example.target), database.schema, example.question, words, database.contents)
    except Unsupported:
        return False
    ordered = is_ordered(example.sql)
    return all(same(run(c, example.sql), run(c, sql), ordered) for c in database.connections)


def names(folder: pathlib.Path, part: str) -> list[str]:
    """The databases of a part."""
    parts = split([t["db_id"] for t in json.loads((folder / "tables.json").read_text())])
    return [name for name, of in parts.items() if of == part]


def load(folder: pathlib.Path, only: frozenset[str] | None = None) -> tuple[dict[str, Database], list[Example]]:
    """Databases with contents and their examples: all, or only those of some databases."""
    schemas = {t["db_id"]: from_spider(t) for t in json.loads((folder / "tables.json").read_text()) if only is None or t["db_id"] in only}
    rows = [r for r in json.loads((folder / "train_spider.json").read_text()) if r["db_id"] in schemas]
    parsed: dict[str, list[Query]] = {name: [] for name in schemas}
    forms: list[list[Token] | None] = []
    for row in rows:
        schema = schemas[row["db_id"]]
        try:
            query = read_sql(row["query"], schema)
            tokens = with_words(linearise(query, schema), row["question"])
            parsed[row["db_id"]].append(query)
            forms.append(tokens if grammar.accepts(tokens, [a for a, _ in schema.foreign]) else None)
        except Unsupported:
            forms.append(None)
    databases = {name: open_database(schemas[name], parsed[name]) for name in schemas}
    examples = []
    for row, form in zip(rows, forms):
        example = Example(row["db_id"], row["question"], row["query"], form)
        example.faithful = form is not None and is_faithful(example, databases[row["db_id"]])
        examples.append(example)
    return databases, examples
