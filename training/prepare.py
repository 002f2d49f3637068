"""Makes the training data: Spider's and synthetic examples with value hits, in one file. Databases are made again where needed."""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import itertools
import pathlib
import pickle
import random
import zlib

from training import spider
from training.described import Described, describe, own_schemas
from training.linking import Hit
from training.paraphrase import paraphrases
from training.schema import Schema
from training.spider import Database, Example
from training.synthetic import own_database, questions
from training.text import MAX_WORDS, split_words

OWN_QUESTIONS = 2200
SPIDER_QUESTIONS = 700
PARAPHRASES = 6
HELD_OUT_QUESTIONS = 120

# (database, question, target, hits, construct: "" for Spider's own, "paraphrase" for other wordings of those)
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


def spider_rows(name: str, folder: str, part: str, scale: float) -> tuple[Schema, str, list[Row], list[Row]]:
    """One of Spider's databases: its schema and part, its own questions with other wordings, and synthetic ones (neither over the final databases)."""
    databases, examples = spider.load(pathlib.Path(folder), frozenset([name]))
    database = databases[name]
    usable = [e for e in examples if e.target is not None and ("k", "V:UNK") not in e.target]
    rng = random.Random(zlib.crc32(name.encode()))
    others = [p for e in usable for p in paraphrases(e, database, PARAPHRASES, rng)] if part != "final" else []
    rows = [row_of(e, database) for e in usable + others]
    made = questions(describe(database.schema), database, int(SPIDER_QUESTIONS * scale)) if part != "final" else []
    return database.schema, part, rows, [row_of(e, database) for e in made]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spider", help="folder with train_spider.json and tables.json")
    parser.add_argument("out", help="file to write")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--scale", type=float, default=1.0, help="of the number of synthetic questions")
    arguments = parser.parse_args()
    parts = {name: part for part in ("train", "selection", "final") for name in spider.names(pathlib.Path(arguments.spider), part)}
    repeat = itertools.repeat
    with concurrent.futures.ProcessPoolExecutor(arguments.workers) as pool:
        theirs = pool.map(spider_rows, parts, repeat(arguments.spider), parts.values(), repeat(arguments.scale))
        own = list(pool.map(own_rows, range(len(own_schemas())), repeat(arguments.scale)))
        schemas = {schema.name: schema for schema, *_ in own}
        rows: dict[str, list[Row]] = collections.defaultdict(list)
        extra: dict[str, list[Row]] = collections.defaultdict(list)
        for schema, part, found, made in theirs:
            schemas[schema.name] = schema
            rows[part] += found
            extra[part] += made
    synthetic = [row for _, held_out, found in own if not held_out for row in found]
    data = {"schemas": schemas, "spider": dict(rows), "synthetic_spider": dict(extra), "synthetic_own": synthetic}
    pathlib.Path(arguments.out).write_bytes(pickle.dumps(data))
    print("spider", {part: len(found) for part, found in rows.items()}, "synthetic over spider", {part: len(found) for part, found in extra.items()},
          "synthetic over own schemas", len(synthetic), "constructs", dict(collections.Counter(row[4] for row in synthetic)))


if __name__ == "__main__":
    main()
