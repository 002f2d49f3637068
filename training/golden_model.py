"""Writes the golden files of the C++ test of the network: inputs, logits and candidates out of golden.json, and inputs over a schema of 20 tables.

usage: python3 -m training.golden_model training/golden.json ENCODER_FOLDER tests/native/model
"""
from __future__ import annotations

import argparse
import base64
import json
import pathlib

from training import minilm
from training.described import own_schemas
from training.features import Arrays, Builder, target_ids
from training.schema import Schema
from training.text import WordPiece

PER_DATABASE = 9
LARGE_TABLES = 20
ARRAYS = ("ids", "item", "segment", "feature", "kinds", "words", "columns", "tables")
FIRST_RELATION = ord("0")  # a relation is written as one character, counted from here
EXTRA_TABLES = {"supplier": ("supplier_id", "company_name", "phone", "country"), "warehouse": ("warehouse_id", "location", "capacity", "opened_on"),
                "shipment": ("shipment_id", "supplier_id", "warehouse_id", "sent_on", "weight")}
NUMBERS = ("weight", "capacity")
LARGE_QUESTIONS = ("How many customers are there?", "Show the names of all products with a price above 20, the most expensive first.",
                   "What is the average salary of employees in each department that has more than five of them?",
                   "Which customers from Berlin never placed an order in 2023?")


def line(case: dict) -> str:
    return json.dumps(case, separators=(",", ":"), ensure_ascii=False) + "\n"


def arrays_json(arrays: dict, relations: bytes) -> dict:
    return {name: arrays[name] for name in ARRAYS} | {"relations": "".join(chr(FIRST_RELATION + r) for r in relations)}


def question_line(question: dict, schema: Schema) -> str:
    """One question of golden.json: its candidates as numbers of tokens, as the network writes them."""
    a = question["arrays"]
    candidates = [{"score": c["score"], "tokens": target_ids([tuple(t) for t in c["tokens"]], a["words"], a["columns"], a["tables"])[1:]} for c in question["candidates"]]
    return line({"question": question["question"], "keys": [list(k) for k in schema.foreign], "column_count": len(schema.columns),
                 "arrays": arrays_json(a, base64.b64decode(a["relations"])), "target": a["target"][1:], "logits": question["logits"], "candidates": candidates})


def large_schema() -> Schema:
    """The tables of several of our own schemas side by side, and a few more."""
    tables, columns, types, primary, foreign = [], [(-1, "*")], ["text"], [], []
    for described in own_schemas():
        s = described.schema
        if len(tables) + len(s.tables) > LARGE_TABLES:
            continue
        table, column = len(tables), len(columns) - 1
        tables += s.tables
        columns += [(t + table, name) for t, name in s.columns[1:]]
        types += s.types[1:]
        primary += [p + column for p in s.primary]
        foreign += [(a + column, b + column) for a, b in s.foreign]
    for name, names in EXTRA_TABLES.items():
        primary.append(len(columns))
        columns += [(len(tables), c) for c in names]
        types += ["number" if c.endswith("_id") or c in NUMBERS else "time" if c.endswith("_on") else "text" for c in names]
        tables.append(name)
    return Schema("large", tables, columns, types, primary, foreign)


def large_line(question: str, schema: Schema, builder: Builder) -> str:
    arrays: Arrays = builder.build(question, schema, [])
    return line({"question": question, "keys": [list(k) for k in schema.foreign], "column_count": len(schema.columns), "arrays": arrays_json(vars(arrays), arrays.relations)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("golden", help="file of training/golden.py")
    parser.add_argument("encoder", help="folder with tokenizer.json")
    parser.add_argument("out", help="folder for golden.jsonl and large.jsonl")
    a = parser.parse_args()
    out = pathlib.Path(a.out)
    databases = json.loads(pathlib.Path(a.golden).read_text())["databases"]
    lines = [question_line(q, Schema(**d["schema"])) for d in databases for q in d["questions"][:PER_DATABASE]]
    (out / "golden.jsonl").write_text("".join(lines))
    builder, schema = Builder(WordPiece(minilm.vocabulary(pathlib.Path(a.encoder)))), large_schema()
    (out / "large.jsonl").write_text("".join(large_line(q, schema, builder) for q in LARGE_QUESTIONS))
    print(len(lines), "questions of", len(databases), "databases;", len(schema.tables), "tables with", len(schema.columns), "columns")


if __name__ == "__main__":
    main()
