"""Writes golden.json: small examples of every step of inference, for tests of other implementations."""
from __future__ import annotations

import argparse
import base64
import json
import pathlib

import torch

from training import export, grammar, minilm
from training.batches import collate
from training.described import own_schemas
from training.features import Arrays, Builder
from training.joins import plan
from training.logical_form import Unsupported, columns_in, linearise, read
from training.model import Parser
from training.prepare import held_out_questions
from training.search import search
from training.spider import Database
from training.sql_writer import write_sql
from training.synthetic import own_database
from training.text import MAX_WORDS, WordPiece, fold, name_words, split_words, squash, stem
from training.values import number_of, part_value, period_of

DATABASES = ("book_market", "ride_hailing", "vet_clinic")
PER_DATABASE = 12
STEPS = 5
WIDTH = 8

TEXTS = ("What's the average price, in 2023?", "Größe der Städte: 1,000.5 m² – naïve café", "first_name=O'Neil 10k 2.5% 3rd", "customers 2023 top 5 revenue",
         "Łódź and Malmö (1,234,567)", "between May and July 2023", "e-mail: anna.berg@example.org", "")
NAMES = ("customer_id", "CustomerID", "custName", "HTTPCode", "order date", "tbl_emp_dept", "yr2023", "fname", "Größe", "FK_Prod_Cat")
NUMBERS = ("3 million", "two dozen", "1,000", "10k", "1.5m", "twenty five", "third", "3rd", "half a million", "two hundred and five", "Berlin", "a", "$5", "2.50", "minus one")
PERIODS = ("2023", "May 2023", "5 May 2023", "May 5, 2023", "2023-05-01", "2023-05", "Q2 2023", "first quarter of 2023", "the 1990s", "second half of 2022", "31 February 2020", "Berlin")


def text_cases(pieces: WordPiece) -> dict:
    """Words, folding, stems, pieces, names, numbers and periods."""
    return {"words": [{"text": t, "words": [t[a:b] for a, b in split_words(t)], "fold": fold(t), "squash": squash(t),
                       "stems": [stem(fold(t[a:b])) for a, b in split_words(t)], "pieces": list(pieces.text(t))} for t in TEXTS],
            "names": [{"name": n, "words": name_words(n)} for n in NAMES],
            "numbers": [{"text": t, "number": number_of(t)} for t in NUMBERS],
            "periods": [{"text": t, "period": period_of(t)} for t in PERIODS],
            "parts": [{"part": p, "text": t, "value": part_value(p, t)} for p, t in (("MONTH", "December"), ("WEEKDAY", "Mondays"), ("QUARTER", "Q3"), ("YEAR", "2021"))]}


def automaton_case(tokens: list, keys: frozenset[int]) -> list[dict]:
    """The allowed terminals before each token."""
    state, out = grammar.START, []
    for kind, what in tokens:
        terminal = grammar.terminal_of(kind, what, state, keys)
        out.append({"allowed": sorted(grammar.allowed(state)), "terminal": terminal})
        state = grammar.step(state, terminal)
    return out


def arrays_json(a: Arrays) -> dict:
    return {"ids": a.ids, "item": a.item, "segment": a.segment, "feature": a.feature, "kinds": a.kinds, "words": a.words, "columns": a.columns,
            "tables": a.tables, "relations": base64.b64encode(a.relations).decode(), "target": a.target}


@torch.no_grad()
def question_case(model: Parser, builder: Builder, database: Database, question: str, target: list) -> dict:
    """One question with hits, arrays, the first logits along its target, and the candidates of the search."""
    schema = database.schema
    words = split_words(question)[:MAX_WORDS]
    hits = database.contents.hits(question, words)
    arrays = builder.build(question, schema, hits, target)
    batch = collate([arrays])
    items, size = len(arrays.kinds), len(grammar.KEYWORDS)
    logits = model(batch)[0, :min(STEPS, len(arrays.target) - 1), :size + items]
    keys = frozenset(a for a, _ in schema.foreign)
    plain = builder.build(question, schema, hits)
    candidates = []
    for score, tokens in search(model, collate([plain]), [plain], [keys], WIDTH)[0]:
        try:
            sql = write_sql(read(tokens), schema, question, words, database.contents)
        except Unsupported:
            sql = None
        candidates.append({"score": round(score, 4), "tokens": tokens, "sql": sql})
    query = read(target)
    return {"question": question, "hits": hits, "arrays": arrays_json(arrays), "logits": [[round(x, 3) for x in row] for row in logits.tolist()],
            "target_sql": write_sql(query, schema, question, words, database.contents), "target_joins": plan(schema, columns_in(query), query.tables),
            "line_again": linearise(query, schema) == [tuple(t) for t in target] or None, "candidates": candidates}


def contents_json(database: Database) -> dict[str, list[str]]:
    return {str(c): sorted(values.values()) for c, values in sorted(database.contents.by_column.items())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="released file")
    parser.add_argument("encoder", help="folder with tokenizer.json")
    parser.add_argument("out", help="file to write")
    a = parser.parse_args()
    model = export.load(pathlib.Path(a.model))
    pieces = WordPiece(minilm.vocabulary(pathlib.Path(a.encoder)))
    builder = Builder(pieces)
    cases = {"text": text_cases(pieces), "databases": []}
    for described in own_schemas():
        if described.schema.name not in DATABASES:
            continue
        database = own_database(described)
        examples = held_out_questions(described, database)[:PER_DATABASE]
        keys = frozenset(k for k, _ in database.schema.foreign)
        cases["databases"].append({"schema": database.schema.to_json(), "values": contents_json(database),
                                   "automaton": automaton_case(examples[0].target, keys),
                                   "questions": [question_case(model, builder, database, e.question, e.target) for e in examples]})
    pathlib.Path(a.out).write_text(json.dumps(cases, separators=(",", ":"), ensure_ascii=False))
    print(a.out, pathlib.Path(a.out).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
