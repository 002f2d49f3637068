"""Writes people's questions over some databases as a folder that question_bench asks: questions.jsonl, and db/ with two generated SQLite databases of each.

Keys are declared in them, as in real databases: without keys every join is a guess.

    python3 -m training.question_folder SPIDER_FOLDER OUT_FOLDER --part selection     Spider's
    python3 -m training.question_folder SPIDER_FOLDER OUT_FOLDER --part written       our own, those that training leaves out
"""
from __future__ import annotations

import argparse
import concurrent.futures
import functools
import json
import pathlib
import sqlite3

from training import spider
from training.contents import SQL_TYPES
from training.schema import Schema
from training.written import all_written, examples_of


def declaration(schema: Schema, table: int, with_primary: bool) -> str:
    """The statement that makes a table with its keys."""
    def quoted(column: int) -> str:
        return f'"{schema.columns[column][1]}"'
    columns = schema.columns_of(table)
    parts = [f"{quoted(c)} {SQL_TYPES[schema.types[c]]}" for c in columns]
    primary = [c for c in schema.primary if c in columns]
    if primary and with_primary:
        parts.append(f"PRIMARY KEY ({', '.join(map(quoted, primary))})")
    parts += [f'FOREIGN KEY ({quoted(a)}) REFERENCES "{schema.tables[schema.table_of(b)]}" ({quoted(b)})' for a, b in schema.foreign if a in columns]
    return f'CREATE TABLE "{schema.tables[table]}" ({", ".join(parts)})'


def write(schema: Schema, source: sqlite3.Connection, path: pathlib.Path) -> None:
    path.unlink(missing_ok=True)
    target = sqlite3.connect(path)
    for at, table in enumerate(schema.tables):
        rows = source.execute(f'SELECT * FROM "{table}"').fetchall()
        insert = f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(schema.columns_of(at)))})'
        try:
            target.execute(declaration(schema, at, True))
            target.executemany(insert, rows)
        except sqlite3.IntegrityError:  # a few of Spider's primary keys are none
            target.execute(f'DROP TABLE "{table}"')
            target.execute(declaration(schema, at, False))
            target.executemany(insert, rows)
    target.commit()
    target.close()


def asked_of(name: str, folder: str, out: str, part: str) -> list[dict]:
    """Writes one database; returns its questions."""
    if part == "written":
        database, examples, _ = examples_of(next(w for w in all_written() if w.schema.name == name))
    else:
        databases, examples = spider.load(pathlib.Path(folder), frozenset([name]))
        database = databases[name]
    for seed, connection in zip(spider.CONTENT_SEEDS, database.connections):
        write(database.schema, connection, pathlib.Path(out) / "db" / f"{name}_{seed}.sqlite")
    return [{"set": part, "db": name, "question": e.question, "gold_sql": e.sql} for e in examples]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spider", help="folder with train_spider.json and tables.json")
    parser.add_argument("out", help="folder to write")
    parser.add_argument("--part", default="selection", choices=["train", "selection", "final", "written"])
    parser.add_argument("--databases", nargs="*", help="only these of the part")
    parser.add_argument("--workers", type=int, default=2)
    a = parser.parse_args()
    (pathlib.Path(a.out) / "db").mkdir(parents=True, exist_ok=True)
    known = [w.schema.name for w in all_written() if w.selection] if a.part == "written" else spider.names(pathlib.Path(a.spider), a.part)
    names = [n for n in known if not a.databases or n in a.databases]
    with concurrent.futures.ProcessPoolExecutor(a.workers) as pool:
        lists = pool.map(functools.partial(asked_of, folder=a.spider, out=a.out, part=a.part), names)
        (pathlib.Path(a.out) / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for rows in lists for row in rows))


if __name__ == "__main__":
    main()
