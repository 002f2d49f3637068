"""Execution accuracy on databases that training has not seen, and the candidates with right and wrong marked."""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import functools
import gzip
import json
import math
import pathlib
import random

import torch

from training import export, minilm, spider
from training.batches import collate
from training.described import own_schemas
from training.execution import run, same
from training.features import Builder
from training.hardness import hardness
from training.linking import Hit
from training.logical_form import Query, Unsupported, read
from training.model import Config, Parser
from training.prepare import held_out_questions
from training.schema import Schema
from training.search import search
from training.spider import Database, Example, is_ordered
from training.sql_reader import read_sql
from training.sql_writer import write_sql
from training.synthetic import own_database
from training.text import MAX_WORDS, WordPiece, split_words
from training.written import all_written, examples_of

WIDTH = 8
AMONG = 8
BATCH = 48
RESAMPLES = 1000


@dataclasses.dataclass
class Question:
    """An example with the hits of its words and the group its figure is counted in."""
    example: Example
    hits: list[Hit]
    group: str


@functools.lru_cache(4)
def open_set(name: str, database: str, folder: str) -> tuple[Database, list[Example]]:
    """One database of a set (selection, final, written or held_out) with its examples."""
    if name == "held_out":
        described = next(d for d in own_schemas() if d.schema.name == database)
        opened = own_database(described)
        return opened, held_out_questions(described, opened)
    if name == "written":
        opened, examples, _ = examples_of(next(w for w in all_written() if w.schema.name == database))
        return opened, examples
    databases, examples = spider.load(pathlib.Path(folder), frozenset([database]))
    return databases[database], examples


def gold_query(example: Example, schema: Schema) -> Query | None:
    """The form of the gold SQL, or None where the form cannot hold it."""
    try:
        return read_sql(example.sql, schema)
    except Unsupported:
        return None


def group_of(example: Example, schema: Schema) -> str:
    """The construct of a synthetic question, or the hardness of a Spider one."""
    if example.construct:
        return example.construct
    query = gold_query(example, schema)
    return hardness(query) if query else "extra"


def same_order(query: Query | None, gold: Query | None) -> bool:
    """Whether two queries sort by the same terms: then rows that differ only in the order of ties are the same answer."""
    return bool(query and gold and gold.order and query.order == gold.order and not query.set and not gold.set)


def gather(name: str, database: str, folder: str) -> tuple[Schema, list[Question]]:
    opened, examples = open_set(name, database, folder)
    out = []
    for example in examples:
        words = split_words(example.question)[:MAX_WORDS]
        out.append(Question(example, opened.contents.hits(example.question, words), group_of(example, opened.schema)))
    return opened.schema, out


def is_empty(rows: list[tuple] | None) -> bool:
    """Whether a result says nothing: failed, no rows, or nothing but NULL."""
    return not rows or all(cell is None for row in rows for cell in row)


def judge(name: str, database: str, found: list[list[tuple[float, list]]], folder: str) -> list[dict]:
    """Per question: its candidates with score, SQL, right or not, and the shape of the result."""
    opened, examples = open_set(name, database, folder)
    out = []
    for example, candidates in zip(examples, found):
        words, ordered, wanted = split_words(example.question), is_ordered(example.sql), gold_query(example, opened.schema)
        gold = [run(c, example.sql) for c in opened.connections]
        marked = []
        for score, tokens in candidates:
            query, sql, rows = None, "", [None, None]
            try:
                query = read(tokens)
                sql = write_sql(query, opened.schema, example.question, words, opened.contents)
                rows = [run(c, sql) for c in opened.connections]
            except Unsupported:
                pass
            strict = ordered and not same_order(query, wanted)
            right = all(same(g, r, strict) for g, r in zip(gold, rows))
            marked.append({"score": round(score, 4), "sql": sql, "tokens": [list(t) for t in tokens], "right": right, "empty": is_empty(rows[0]),
                           "failed": rows[0] is None, "rows": len(rows[0] or ()), "columns": len(rows[0][0]) if rows[0] else 0})
        out.append({"database": database, "question": example.question, "gold": example.sql, "candidates": marked})
    return out


def candidates_of(model: Parser, builder: Builder, sets: list[tuple[Schema, list[Question]]], width: int, device: str) -> list[list[list[tuple[float, list]]]]:
    """Runs the search over all questions of all databases, in batches of similar length."""
    flat = [(d, q) for d, (_, questions) in enumerate(sets) for q in range(len(questions))]
    arrays = {}
    for d, q in flat:
        schema, question = sets[d][0], sets[d][1][q]
        arrays[d, q] = builder.build(question.example.question, schema, question.hits)
    flat.sort(key=lambda at: len(arrays[at].ids))
    found: list[list] = [[None] * len(questions) for _, questions in sets]
    for start in range(0, len(flat), BATCH):
        part = flat[start:start + BATCH]
        batch = {name: t.to(device) for name, t in collate([arrays[at] for at in part]).items()}
        keys = [frozenset(a for a, _ in sets[d][0].foreign) for d, _ in part]
        for (d, q), result in zip(part, search(model, batch, [arrays[at] for at in part], keys, width)):
            found[d][q] = result
    return found


def guided(candidates: list[dict]) -> bool:
    """Whether the first candidate that runs and says something is right (or, without such, the first that runs)."""
    for wanted in ("empty", "failed"):
        for candidate in candidates:
            if not candidate[wanted]:
                return candidate["right"]
    return False


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, in percent."""
    if not count:
        return 0.0, 0.0
    z, p = 1.96, right / count
    middle, half = p + z * z / (2 * count), z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return tuple(round(100 * (middle + sign * half) / (1 + z * z / count), 1) for sign in (-1, 1))


def by_database_interval(flags: dict[str, list[bool]]) -> tuple[float, float]:
    """The 95 % interval when databases, not questions, are drawn again."""
    rng, names, means = random.Random(1), sorted(flags), []
    for _ in range(RESAMPLES):
        drawn = [f for _ in names for f in flags[rng.choice(names)]]
        means.append(100 * sum(drawn) / len(drawn))
    means.sort()
    return round(means[int(0.025 * RESAMPLES)], 1), round(means[int(0.975 * RESAMPLES)], 1)


def figure(rows: list[tuple[str, bool]]) -> dict:
    """A share with its intervals; rows are (database, right)."""
    right, flags = sum(r for _, r in rows), {}
    for database, r in rows:
        flags.setdefault(database, []).append(r)
    out = {"percent": round(100 * right / max(1, len(rows)), 1), "n": len(rows), "interval": wilson(right, len(rows))}
    if len(flags) > 1:
        out["interval_by_database"] = by_database_interval(flags)
    return out


def distinct(candidates: list[dict], count: int) -> list[dict]:
    """The first so many that differ in more than their tokens: no two with the same SQL."""
    return list({c["sql"]: c for c in candidates}.values())[:count]


def figures(judged: list[dict], groups: list[str], greedy: list[bool]) -> dict:
    """All figures of a set."""
    database = [j["database"] for j in judged]
    first = [bool(j["candidates"]) and j["candidates"][0]["right"] for j in judged]
    chosen = [guided(j["candidates"]) for j in judged]
    among = [any(c["right"] for c in distinct(j["candidates"], AMONG)) for j in judged]
    out = {"beam 1": figure(list(zip(database, greedy))), "beam 8 first": figure(list(zip(database, first))),
           "beam 8 guided": figure(list(zip(database, chosen))), "right among 8": figure(list(zip(database, among))), "groups": {}}
    for group in sorted(set(groups)):
        at = [i for i, g in enumerate(groups) if g == group]
        out["groups"][group] = {"n": len(at), "beam 8 guided": round(100 * sum(chosen[i] for i in at) / len(at), 1),
                                "right among 8": round(100 * sum(among[i] for i in at) / len(at), 1), "interval": wilson(sum(chosen[i] for i in at), len(at))}
    return out


def databases_of(name: str, folder: str) -> list[str]:
    if name == "held_out":
        return [d.schema.name for d in own_schemas() if d.held_out]
    return [w.schema.name for w in all_written() if w.selection] if name == "written" else spider.names(pathlib.Path(folder), name)


def evaluate(model: Parser, builder: Builder, name: str, folder: str, device: str, workers: int, beam: int = WIDTH) -> tuple[dict, list[dict]]:
    """Figures and judged candidates of one set."""
    databases = databases_of(name, folder)
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        sets = list(pool.map(functools.partial(gather, name, folder=folder), databases))
        found = {width: candidates_of(model, builder, sets, width, device) for width in (1, beam)}
        judged = [list(pool.map(functools.partial(judge, name, folder=folder), databases, found[width])) for width in (1, beam)]
    greedy = [bool(j["candidates"]) and j["candidates"][0]["right"] for part in judged[0] for j in part]
    flat = [j for part in judged[1] for j in part]
    groups = [q.group for _, questions in sets for q in questions]
    return figures(flat, groups, greedy), [{**j, "group": g} for j, g in zip(flat, groups)]


def load_model(path: pathlib.Path, device: str) -> Parser:
    """A checkpoint (.pt) or a released file."""
    if path.suffix != ".pt":
        return export.load(path, device)
    saved = torch.load(path, map_location="cpu")
    model = Parser(Config(**saved["config"]))
    model.load_state_dict({k: v.float() for k, v in saved["weights"].items()})
    return model.to(device).eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="checkpoint or released file")
    parser.add_argument("encoder", help="folder with tokenizer.json")
    parser.add_argument("spider", help="folder with Spider's training data")
    parser.add_argument("--sets", nargs="+", default=["selection", "written", "held_out"], choices=["selection", "final", "written", "held_out"])
    parser.add_argument("--figures", help="JSON file to write")
    parser.add_argument("--candidates", help="folder for SET.jsonl.gz with all candidates")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--beam", type=int, default=WIDTH, help="width of the search; figures are still of the first 8")
    a = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = load_model(pathlib.Path(a.model), device)
    builder = Builder(WordPiece(minilm.vocabulary(pathlib.Path(a.encoder))))
    results = {}
    for name in a.sets:
        results[name], judged = evaluate(model, builder, name, a.spider, device, a.workers, a.beam)
        short = {k: (v["percent"], v["n"]) for k, v in results[name].items() if k != "groups"}
        print(a.model, name, short, {g: v["beam 8 guided"] for g, v in results[name]["groups"].items()}, flush=True)
        if a.candidates:
            lines = "".join(json.dumps(j) + "\n" for j in judged)
            (pathlib.Path(a.candidates) / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    if a.figures:
        pathlib.Path(a.figures).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
