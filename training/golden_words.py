"""Writes the golden files of the C++ tests of words, spoken values, value hits and model inputs: what the code here makes of many odd texts.

usage: python3 -m training.golden_words ENCODER_FOLDER tests/native/words
"""
from __future__ import annotations

import argparse
import codecs
import itertools
import json
import pathlib
import random
import re

from training import contents, described, features, linking, minilm, text, values
from training.golden_texts import (ATTRIBUTES, BROKEN_BYTES, FIRST_NAMES, LETTERS, MODEL_QUESTIONS, NOUNS, ODD_QUESTIONS, ODD_SCHEMA, QUESTION_WORDS, SPOKEN, TEXTS, WIDE, WORDS)
from training.schema import Schema

SEED = 7
RANDOM_TEXTS, RANDOM_BYTES, RANDOM_NUMBERS, RANDOM_PERIODS = 190, 70, 90, 110
VALUE_CASES = (([1], 5), ([1, 2], 30), ([3, 1, 2], 40), ([5, 4, 9], 60), ([1, 2, 3, 4, 5, 6], 25), ([2], 120))  # columns, values per column
EVERY_SCHEMA = 5
FNV_BASIS, FNV_PRIME = 0xcbf29ce484222325, 0x100000001b3
PARTS = ("YEAR", "QUARTER", "MONTH", "DAY", "WEEKDAY")
LOOKS = {0: 0, features.F_NUMBER_WORD: 1, features.F_DATE_WORD: 2}


def decoded(raw: bytes) -> tuple[str, list[int]]:
    """The text with a mark for every broken sequence, and the byte offset of every code point and of the end."""
    broken: dict[int, int] = {}

    def note(error: UnicodeDecodeError) -> tuple[str, int]:
        broken[error.start] = error.end
        return "\ufffd", error.end
    codecs.register_error("note", note)
    out, offsets, at = raw.decode("utf-8", "note"), [], 0
    for char in out:
        offsets.append(at)
        at = broken.get(at, at + len(char.encode()))
    return out, offsets + [at]


def random_text(rng: random.Random) -> str:
    pools, out = rng.sample(LETTERS, rng.randint(1, 4)), ""
    for _ in range(rng.randint(1, 14)):
        draw = rng.random()
        out += rng.choice(WORDS) if draw < 0.2 else " " if draw < 0.35 else "".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 5)))
    return out


def random_bytes(rng: random.Random) -> bytes:
    return bytes(rng.choice([rng.randrange(256), rng.randrange(0x80, 0x100), rng.choice(b"abAB 1,._")]) for _ in range(rng.randint(1, 12)))


def word_case(raw: bytes, pieces: text.WordPiece) -> dict:
    said, offsets = decoded(raw)
    name = {"text": said} if said.encode() == raw else {"hex": raw.hex()}
    return name | {"words": [x for a, b in text.split_words(said) for x in (offsets[a], offsets[b])], "fold": text.fold(said), "key": text.squash(said),
                   "stems": list(text.stems(said)), "stem": text.stem(text.fold(said)), "name": text.name_words(said), "pieces": list(pieces.text(said))}


def word_cases(rng: random.Random, pieces: text.WordPiece) -> list[dict]:
    raws = [t.encode() for t in TEXTS] + [random_text(rng).encode() for _ in range(RANDOM_TEXTS)] + BROKEN_BYTES
    return [word_case(raw, pieces) for raw in raws + [random_bytes(rng) for _ in range(RANDOM_BYTES)]]


def spoken_case(said: str) -> dict:
    return {"text": said, "number": values.number_of(said), "period": values.period_of(said), "in2021": values.period_of(said, 2021), "year": values.year_in(said),
            "parts": [values.part_value(p, said) for p in PARTS], "truth": {"1": True, "0": False}.get(values.boolean_of(said)),
            "look": LOOKS[features.word_feature(said)] if text.fold(said) else 0}


def spoken_cases(rng: random.Random) -> list[dict]:
    numbers = [*values.UNITS, *values.TENS, *values.ORDINALS, *values.SCALES, "and", "of", "half", "a", "12", "3.5", "7k", "1,000", "-", "%", "2nd"]
    dates = [*values.MONTHS, *values.QUARTERS, "2020", "1987", "2031", "5", "12", "31", "1st", "the", "of", "in", "half", "quarter", "h1", "h2", "1990s", "-", "/", "year"]
    said = list(SPOKEN)
    said += [" ".join(rng.choice(numbers) for _ in range(rng.randint(1, 5))) for _ in range(RANDOM_NUMBERS)]
    said += [rng.choice([" ", " ", "-", ", "]).join(rng.choice(dates) for _ in range(rng.randint(1, 4))) for _ in range(RANDOM_PERIODS)]
    return [spoken_case(s) for s in dict.fromkeys(said)]


def random_value(rng: random.Random) -> str:
    out = rng.choice([" ", " ", "-", "_", ", "]).join(rng.choice(FIRST_NAMES) for _ in range(rng.choice([1, 1, 2, 2, 3])))
    out = out.upper() if rng.random() < 0.2 else out
    if rng.random() < 0.15:
        out = "".join(chr(rng.randrange(97, 123)) for _ in range(rng.randint(4, 11)))
    return "long " * rng.randint(14, 18) + out if rng.random() < 0.03 else out


def typo(said: str, rng: random.Random) -> str:
    if not said:
        return said
    at, draw = rng.randrange(len(said)), rng.random()
    return said[:at] + ("" if draw < 0.33 else "x" + said[at] if draw < 0.66 else "e") + said[at + 1:]


def spelled(said: str, rng: random.Random) -> str:
    """A value as somebody may write it: as it is, small, plural, with typos, a part of it, or something else."""
    makers = ((0.15, lambda: said), (0.25, lambda: said.lower()), (0.4, lambda: said + "s"), (0.6, lambda: typo(said, rng)), (0.75, lambda: typo(typo(said, rng), rng)),
              (0.9, lambda: rng.choice(re.split(r"[ ,_-]+", said))), (1.0, lambda: rng.choice(FIRST_NAMES)))
    draw = rng.random()
    return next(make() for limit, make in makers if draw < limit)


def value_case(seed: int, columns: list[int], count: int) -> dict:
    """Values of some columns, questions that name some of them with their hits, and spellings with what they mean."""
    rng, known = random.Random(seed), linking.Contents()
    added = [(column, random_value(rng)) for column in columns for _ in range(count)]
    for column, said in added:
        known.add(column, said)
    pool, questions = [said for _, said in added], []
    for _ in range(25):
        parts = [rng.choice([rng.choice(pool), rng.choice(pool).lower(), typo(rng.choice(pool), rng), rng.choice(QUESTION_WORDS), rng.choice(FIRST_NAMES)]) for _ in range(rng.randint(1, 8))]
        question = " ".join(parts)
        questions.append([question, [[a, b, c, v, int(sure)] for a, b, c, v, sure in known.hits(question, text.split_words(question))]])
    spellings = []
    for _ in range(60):
        column, said = rng.choice(columns + [99]), spelled(rng.choice(pool), rng)
        spellings.append([column, said, known.spelling(column, said)])
    return {"values": added, "questions": questions, "spellings": spellings}


def fnv(data: bytes) -> int:
    out = FNV_BASIS
    for byte in data:
        out = ((out ^ byte) * FNV_PRIME) & (2**64 - 1)
    return out


def runs(numbers: list[int]) -> str:
    """Numbers with repeats as 3*2: short to store."""
    groups = ((x, len(list(same))) for x, same in itertools.groupby(numbers))
    return " ".join(f"{x}*{n}" if n > 1 else str(x) for x, n in groups)


def wide_schema(tables: int, columns: int, seed: int) -> Schema:
    """A schema of a given size with random names, types and keys."""
    rng = random.Random(seed)
    names, all_columns, types, primary, foreign = [], [(-1, "*")], ["text"], [], []
    for t in range(tables):
        names.append(f"{rng.choice(NOUNS)}_{rng.choice(NOUNS)}{t if rng.random() < 0.5 else ''}")
        primary.append(len(all_columns))
        for c in range(columns):
            all_columns.append((t, f"{names[-1]}_id" if c == 0 else rng.choice(NOUNS) + rng.choice(["_", "", " "]) + rng.choice(ATTRIBUTES)))
            types.append(rng.choice(features.TYPES))
    for t in range(1, tables):
        if columns > 2:
            foreign.append((primary[t] + rng.randrange(1, columns), primary[rng.randrange(t)]))
        if columns > 3 and rng.random() < 0.2:
            foreign.append((primary[rng.randrange(t)] + 2, primary[t]))
    return Schema(f"wide{tables}x{columns}", names, all_columns, types, primary, foreign)


class Inputs:
    """The cases of model inputs, and the schemas they are over."""

    def __init__(self, pieces: text.WordPiece):
        self.builder = features.Builder(pieces)
        self.schemas: list[Schema] = []
        self.cases: list[dict] = []

    def add(self, schema: Schema, question: str, hits: list[linking.Hit]) -> None:
        a = self.builder.build(question, schema, hits)
        n = len(a.kinds)
        self.cases.append({"schema": schema.name, "question": question, "hits": [[*h[:4], int(h[4])] for h in hits], "ids": a.ids, "items": runs(a.item),
                           "segments": runs(a.segment), "features": runs(a.feature), "kinds": runs(a.kinds), "words": a.words, "columns": runs(a.columns), "tables": a.tables,
                           "relations": f"{fnv(a.relations):016x}", "rows": "".join(f"{fnv(a.relations[i * n:(i + 1) * n]) & 0xffff:04x}" for i in range(n))})

    def add_own(self, d: described.Described, rng: random.Random) -> None:
        """Two questions over one of our own schemas that name its columns, tables and values."""
        schema = d.schema
        known = linking.read_contents(contents.generate(schema, 1, d.kinds), schema)
        said = [v for column in known.by_column.values() for v in column.values()]
        self.schemas.append(schema)
        for _ in range(2):
            question = rng.choice(MODEL_QUESTIONS).format(
                a=rng.choice(d.column_phrases[rng.randrange(1, len(schema.columns))]), b=text.name_words(schema.columns[rng.randrange(1, len(schema.columns))][1]),
                t=rng.choice(rng.choice(d.table_phrases)), v=rng.choice(said), w=rng.choice(rng.choice(said).split()), V=rng.choice(said).upper())
            self.add(schema, question, known.hits(question, text.split_words(question)))

    def add_wide(self, size: tuple[int, int, int], questions: list[str]) -> None:
        """Questions over a schema too wide for the network, with random hits."""
        schema = wide_schema(*size)
        self.schemas.append(schema)
        for question in questions:
            rng, count = random.Random(len(question)), len(text.split_words(question))
            self.add(schema, question, [(i, i, rng.randrange(1, len(schema.columns)), rng.choice(["Blue Harbor", "x", "a very long value with many words that goes on and on"]), rng.random() < 0.5)
                                        for i in range(count) if rng.random() < 0.3])

    def add_all(self, rng: random.Random) -> None:
        for d in described.own_schemas()[::EVERY_SCHEMA]:
            self.add_own(d, rng)
        odd = Schema(**ODD_SCHEMA)
        self.schemas.append(odd)
        for question, hits in ODD_QUESTIONS:
            self.add(odd, question, hits)
        for size, questions in WIDE:
            self.add_wide(size, questions)
        long = " ".join(["antidisestablishmentarianisms pneumonoultramicroscopic Ελλάδα_東京_Москва"] * 20)
        self.add(self.schemas[0], long, [(i, i, 1 + i % 9, "a value of many words and numbers 1,234.5 in it", i % 2 == 0) for i in range(30)])


def schema_case(s: Schema) -> dict:
    columns = [[t, name, features.TYPES.index(kind), int(i in s.primary)] for i, ((t, name), kind) in enumerate(zip(s.columns, s.types))]
    return {"name": s.name, "tables": s.tables, "columns": columns, "keys": s.foreign}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", help="folder with tokenizer.json")
    parser.add_argument("out", help="folder to write to")
    a = parser.parse_args()
    rng, pieces = random.Random(SEED), text.WordPiece(minilm.vocabulary(pathlib.Path(a.encoder)))
    inputs = Inputs(pieces)
    files = {"words.jsonl": word_cases(rng, pieces), "spoken_values.jsonl": spoken_cases(rng),
             "values.jsonl": [value_case(seed, columns, count) for seed, (columns, count) in enumerate(VALUE_CASES)]}
    inputs.add_all(rng)
    files |= {"schemas.jsonl": [schema_case(s) for s in inputs.schemas], "model_inputs.jsonl": inputs.cases}
    for name, cases in files.items():
        (pathlib.Path(a.out) / name).write_text("".join(json.dumps(c, ensure_ascii=False, separators=(",", ":")) + "\n" for c in cases))
        print(name, len(cases))


if __name__ == "__main__":
    main()
