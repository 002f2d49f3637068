"""Makes the training data: Spider's, written and synthetic examples with value hits, in one file. Databases are made again where needed."""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import pathlib
import pickle
import random
import zlib
from typing import Iterable

from training import spider
from training.described import Described, describe, own_schemas
from training.linking import Hit
from training.paraphrase import paraphrases
from training.schema import Schema
from training.spider import Database, Example
from training.synthetic import own_database, questions
from training.text import MAX_WORDS, split_words
from training.written import all_written, examples_of

OWN_QUESTIONS = 2200
SPIDER_QUESTIONS = 700
WRITTEN_QUESTIONS = 500
PARAPHRASES = 6
HELD_OUT_QUESTIONS = 120

# (database, question, target, hits, construct: "" for what people wrote, "paraphrase" for other wordings of that)
Row = tuple[str, str, list, list[Hit], str]


def row_of(example: Example, database: Database) -> Row:
    words = split_words(example.question)[:MAX_WORDS]
    return example.database, example.question, example.target, database.contents.hits(example.question, words), example.construct


def held_out_questions(described: Described, database: Database) -> list[Example]:
    return questions(described, database, HELD_OUT_QUESTIONS, seed=99)


def own_rows(at: int, scale: float) -> tuple[Schema, bool, list[Row]]:
    """Rows of one of our own schemas."""
    described = own_schemas()[at]
    database = own_database(described)
    examples = held_out_questions(described, database) if described.held_out else questions(described, database, int(OWN_QUESTIONS * scale))
    return described.schema, described.held_out, [row_of(e, database) for e in examples]


def rows_over(database: Database, examples: list[Example], described: Described, synthetic: int) -> tuple[list[Row], list[Row]]:
    """People's questions over a database with other wordings, and synthetic ones."""
    rng = random.Random(zlib.crc32(database.schema.name.encode()))
    others = [p for e in examples for p in paraphrases(e, database, PARAPHRASES, rng)]
    made = questions(described, database, synthetic)
    return [row_of(e, database) for e in examples + others], [row_of(e, database) for e in made]


def spider_rows(name: str, folder: str, part: str, scale: float) -> tuple[Schema, str, list[Row], list[Row]]:
    """One of Spider's databases: its schema and part, its own questions with other wordings, and synthetic ones (neither over the final databases)."""
    databases, examples = spider.load(pathlib.Path(folder), frozenset([name]))
    database = databases[name]
    usable = [e for e in examples if e.target is not None and ("k", "V:UNK") not in e.target]
    if part == "final":
        return database.schema, part, [row_of(e, database) for e in usable], []
    return database.schema, part, *rows_over(database, usable, describe(database.schema), int(SPIDER_QUESTIONS * scale))


def written_rows(at: int, scale: float) -> tuple[Schema, str, list[Row], list[Row]]:
    """The same of one of the databases that our own questions are written over."""
    written = all_written()[at]
    database, examples, _ = examples_of(written)
    described = dataclasses.replace(describe(database.schema), kinds=written.kinds)
    return database.schema, "selection" if written.selection else "train", *rows_over(database, examples, described, int(WRITTEN_QUESTIONS * scale))


def by_part(found: Iterable[tuple[Schema, str, list[Row], list[Row]]], schemas: dict[str, Schema]) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
    """People's rows and synthetic rows, each by part; the schemas are noted."""
    rows, made = collections.defaultdict(list), collections.defaultdict(list)
    for schema, part, theirs, synthetic in found:
        schemas[schema.name] = schema
        rows[part] += theirs
        made[part] += synthetic
    return dict(rows), dict(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spider", help="folder with train_spider.json and tables.json")
    parser.add_argument("out", help="file to write")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--scale", type=float, default=1.0, help="of the number of synthetic questions")
    arguments = parser.parse_args()
    parts = {name: part for part in ("train", "selection", "final") for name in spider.names(pathlib.Path(arguments.spider), part)}
    repeat, schemas = itertools.repeat, {}
    with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
        theirs = pool.map(spider_rows, parts, repeat(arguments.spider), parts.values(), repeat(arguments.scale))
        written = pool.map(written_rows, range(len(all_written())), repeat(arguments.scale))
        own = list(pool.map(own_rows, range(len(own_schemas())), repeat(arguments.scale)))
        spider_by_part, synthetic_spider = by_part(theirs, schemas)
        written_by_part, synthetic_written = by_part(written, schemas)
    schemas |= {schema.name: schema for schema, *_ in own}
    synthetic = [row for _, held_out, found in own if not held_out for row in found]
    data = {"schemas": schemas, "spider": spider_by_part, "synthetic_spider": synthetic_spider, "written": written_by_part,
            "synthetic_written": synthetic_written, "synthetic_own": synthetic}
    pathlib.Path(arguments.out).write_bytes(pickle.dumps(data))
    for name, part in ((name, part) for name in ("spider", "synthetic_spider", "written", "synthetic_written") for part in data[name]):
        print(name, part, len(data[name][part]))
    print("synthetic over own schemas", len(synthetic), dict(collections.Counter(row[4] for row in synthetic)))


if __name__ == "__main__":
    main()
