"""Golden cases of forms, joins, the automaton and SQLite SQL over own schemas, for tests/native/form/forms.jsonl.

usage: python3 -m training.golden_forms OUT.jsonl
"""
import json
import random
import sys

from training import grammar
from training.described import own_schemas
from training.joins import plan
from training.logical_form import columns_in, linearise, read
from training.sql_writer import write_sql
from training.synthetic import own_database, questions
from training.text import split_words

DATABASES = 8
PER_DATABASE = 36
ROWS = 18
WALKS = 120

sets, lines = [], []


def set_id(allowed):
    allowed = sorted(allowed)
    if allowed not in sets:
        sets.append(allowed)
    return sets.index(allowed)


def rows_of(database):
    out = []
    for table in database.schema.tables:
        out.append([list(r) for r in database.connections[0].execute(f'SELECT * FROM "{table}" LIMIT {ROWS}')])
    return out


def schema_json(described, database):
    s = database.schema
    return {"schema": s.name, "tables": s.tables,
            "columns": [[t, n, s.types[c], c in s.primary, s.iso[c]] for c, (t, n) in enumerate(s.columns)],
            "keys": s.foreign,
            "values": {str(c): list(known.values()) for c, known in sorted(database.contents.by_column.items())},
            "rows": rows_of(database)}


def token_json(token):
    kind, value = token
    return value if kind == "k" else f"{kind}{value}"


def form_json(example, database):
    s = database.schema
    query = read(example.target)
    tokens = []
    for kind, value in linearise(query, s):
        if kind == "v":
            kind, value = "k", "V:" + value if "V:" + value in grammar.KEYWORD_ID else "V:UNK"
        tokens.append((kind, value))
    keys, state, allowed = frozenset(a for a, _ in s.foreign), grammar.START, []
    for kind, value in tokens:
        allowed.append(set_id(grammar.allowed(state)))
        state = grammar.step(state, grammar.terminal_of(kind, value, state, keys))
    assert state == ()
    steps = [[list(node), list(there) if there else None, list(on) if on else None] for node, there, on in plan(s, columns_in(query), query.tables)]
    sql = write_sql(query, s, example.question, split_words(example.question), database.contents)
    return {"question": example.question, "construct": example.construct, "tokens": [token_json(t) for t in tokens], "allowed": allowed,
            "plan": steps, "sql": sql}


def schema_order(described):
    """Those with two keys between the same tables first, then in order."""
    def twins(s):
        pairs = [frozenset((s.table_of(a), s.table_of(b))) for a, b in s.foreign]
        return len(pairs) - len(set(pairs)) + sum(len(p) == 1 for p in pairs)
    return sorted(described, key=lambda d: (-twins(d.schema), d.schema.name))


def small(database):
    return sum(len(v) for v in database.contents.by_column.values()) < 500


chosen = 0
for described in schema_order(own_schemas()):
    if len(described.schema.tables) > 7:
        continue
    database = own_database(described)
    if not small(database):
        continue
    lines.append(schema_json(described, database))
    lines += [form_json(e, database) for e in questions(described, database, PER_DATABASE)]
    chosen += 1
    if chosen == DATABASES:
        break
def linear_json(tokens):
    return [token_json(("k", ("V:" + v if "V:" + v in grammar.KEYWORD_ID else "V:UNK")) if k == "v" else (k, v)) for k, v in tokens]


def walk_json(rng, schema):
    """A random way through the automaton, mostly to an end, and the tokens of the tree that it makes."""
    keys = sorted({a for a, _ in schema.foreign})
    state, tokens, allowed = grammar.START, [], []
    while state and len(tokens) < 70:
        options = sorted(grammar.allowed(state))
        allowed.append(set_id(options))
        ends = [o for o in options if o in ("END", "CLOSE", "<column>", "<word>", "<end>")]
        pick = rng.choice(ends if ends and rng.random() < min(0.9, 0.3 + len(tokens) / 60) else options)
        last = tokens[-1] if tokens else None
        token = {"<column>": ("c", rng.randrange(1, len(schema.columns))), "<key>": ("c", rng.choice(keys)), "<table>": ("t", rng.randrange(len(schema.tables))),
                 "<word>": ("w", rng.randrange(20)), "<end>": ("w", last[1] + rng.randrange(grammar.MAX_SPAN) if last and last[0] == "w" else 0)}.get(pick, ("k", pick))
        tokens.append(token)
        state = grammar.step(state, pick)
    again = linear_json(linearise(read(tokens), schema)) if not state else None
    return {"walk": [token_json(t) for t in tokens], "allowed": allowed, "again": again}


rng = random.Random(7)
first = [d for d in own_schemas() if d.schema.name == lines[0]["schema"]][0].schema
lines += [walk_json(rng, first) for _ in range(WALKS)]
with open(sys.argv[1], "w") as out:
    out.write(json.dumps({"allowed_sets": sets}, ensure_ascii=False) + "\n")
    for line in lines:
        out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
import collections
print(len(lines), len(sets), collections.Counter(l.get("construct") for l in lines))
