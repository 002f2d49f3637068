"""Generated contents for a schema: seeded rows with consistent keys, plausible values, and rows that answer the gold queries."""
from __future__ import annotations

import dataclasses
import datetime
import random
import sqlite3
import zlib

from training import pools
from training.logical_form import Query
from training.schema import Schema
from training.text import name_words
from training.values import PLAIN_NUMBER

NAMES = frozenset(["person", "title", "company", "team"])
PARTS_OF_NAMES = ("first", "last", "middle", "user", "nick", "file")
LABEL_DRAWS = 12
ROWS = (25, 70)
FIRST_DAY = datetime.date(2018, 1, 1)
DAYS = 2300


@dataclasses.dataclass(frozen=True)
class Kind:
    """What a column holds: a name of a pool or shape, limits of numbers, values of a category."""
    shape: str
    low: float = 0
    high: float = 0
    values: tuple[str, ...] = ()


# Words in a column's name (looked for in this order) to what it holds.
GUESSES = (
    (("first name", "given name", "fname", "firstname", "forename"), "first"), (("last name", "surname", "lname", "lastname", "family name"), "last"),
    (("email", "e mail"), "email"), (("phone", "fax", "mobile", "telephone"), "phone"), (("nationality",), "nationality"),
    (("country", "nation"), "country"), (("city", "town", "hometown", "birthplace", "birth place", "headquarter", "origin", "destination"), "city"),
    (("state", "region", "province", "county", "district", "area"), "region"), (("address", "street", "line 1"), "address"),
    (("language",), "language"), (("color", "colour"), "color"), (("genre",), "genre"), (("major", "subject", "department", "course", "dept"), "subject"),
    (("status", "result", "outcome"), "status"), (("job", "occupation", "position", "profession", "role"), "job"),
    (("gender", "sex"), "gender"), (("team", "club"), "team"), (("company", "manufacturer", "supplier", "publisher", "maker", "bank", "store", "shop", "brand", "organi"), "company"),
    (("product", "item", "furniture"), "product"), (("title", "book", "song", "film", "movie", "album", "event", "show", "theme", "description", "details"), "title"),
    (("code", "isbn", "zip", "postal"), "code"), (("type", "category", "class", "level", "grade", "kind", "style"), "category"),
    (("name", "author", "artist", "director", "manager", "president", "owner", "captain", "coach", "driver", "student", "customer", "staff", "actor", "singer", "player"), "person"),
)
PERSONAL = ("person people student customer employee staff author artist singer player actor member patient physician driver teacher user guest coach "
            "manager director candidate instructor doctor nurse journalist musician host reviewer visitor client owner advisor professor faculty gymnast "
            "swimmer athlete pilot architect entrepreneur body builder wrestler professional inhabitant resident lawyer judge voter performer donor").split()


def guess_number(words: str) -> Kind:
    for names, low, high in ((("year", "founded", "opened", "built"), 1950, 2023), (("age",), 18, 80), (("height",), 150, 210), (("weight",), 45, 120),
                             (("percent", "rate", "share", "gpa", "score", "rating"), 1, 100), (("price", "cost", "fee", "amount", "total"), 5, 900),
                             (("salary", "income", "budget", "revenue", "sales", "profit", "capacity", "attendance", "population"), 500, 90000),
                             (("month",), 1, 12), (("day",), 1, 28), (("rank", "order", "floor", "credit", "quantity", "number of", "num"), 1, 30)):
        if any(name in words for name in names):
            return Kind("int", low, high)
    return Kind("int", 1, 500)


def guess_kind(schema: Schema, c: int) -> Kind:
    """What a column of an undescribed schema probably holds."""
    words, kind = schema.spoken_columns[c].lower(), schema.types[c]
    table_words = name_words(schema.tables[schema.table_of(c)])
    if kind == "time" and "year" not in words:
        return Kind("datetime" if "time" in words and "date" not in words else "date")
    if kind == "time":
        return Kind("year", 1970, 2023)
    if kind == "boolean":
        return Kind("category", values=("T", "F"))
    if kind == "number":
        return guess_number(words)
    if "date" in words:
        return Kind("date")
    if "year" in words:
        return Kind("year", 1970, 2023)
    for names, shape in GUESSES:
        if any(name in words for name in names):
            if shape == "person" and words.endswith("name") and not any(p in table_words or p in words for p in PERSONAL):
                shape = "title"
            return Kind(shape)
    return Kind("word")


def draw(kind: Kind, rng: random.Random, row: int):
    """One value of a kind."""
    shape = kind.shape
    if shape == "int":
        return rng.randint(int(kind.low), int(kind.high))
    if shape == "float":
        return round(rng.uniform(kind.low, kind.high), 2)
    if shape == "year":
        return rng.randint(int(kind.low), int(kind.high))
    if shape == "category":
        return rng.choice(kind.values or ("Type A", "Type B", "standard", "premium", "basic", "special"))
    if shape == "date":
        return (FIRST_DAY + datetime.timedelta(rng.randrange(DAYS))).isoformat()
    if shape == "datetime":
        return (FIRST_DAY + datetime.timedelta(rng.randrange(DAYS))).isoformat() + f" {rng.randrange(24):02d}:{rng.randrange(60):02d}:00"
    if shape == "person":
        return f"{rng.choice(pools.FIRST)} {rng.choice(pools.LAST)}"
    if shape == "email":
        return f"{rng.choice(pools.FIRST).lower()}.{rng.choice(pools.LAST).lower()}@example.org"
    if shape == "phone":
        return f"{rng.randint(200, 999)}-{rng.randint(100, 999)}-{rng.randint(1000, 9999)}"
    if shape == "address":
        return f"{rng.randint(1, 180)} {rng.choice(pools.STREETS)}"
    if shape == "title":
        return f"{rng.choice(pools.ADJECTIVES)} {rng.choice(pools.NOUNS)}"
    if shape == "company":
        return f"{rng.choice(pools.ADJECTIVES)} {rng.choice(pools.NOUNS)} {rng.choice(pools.COMPANY_TAILS)}"
    if shape == "team":
        return f"{rng.choice(pools.CITIES)} {rng.choice(pools.SPORTS_TEAMS)}"
    if shape == "code":
        return "".join(rng.choice("ABCDEFGHKLMNPRSTUVW") for _ in range(3)) + str(rng.randint(10, 99))
    if shape == "gender":
        return rng.choice(("M", "F"))
    if shape == "id":
        return row + 1
    pool = {"first": pools.FIRST, "last": pools.LAST, "city": pools.CITIES, "country": pools.COUNTRIES, "nationality": pools.NATIONALITIES,
            "region": pools.REGIONS, "language": pools.LANGUAGES, "color": pools.COLORS, "genre": pools.GENRES, "subject": pools.SUBJECTS,
            "status": pools.STATUSES, "job": pools.JOBS, "product": pools.PRODUCTS}.get(shape, pools.WORDS)
    return rng.choice(pool)


@dataclasses.dataclass
class Plant:
    """Rows that one gold query needs: per table the values its tests ask for."""
    tables: dict[int, dict[int, str]]


def tests_in(node) -> list[tuple]:
    """The tests of WHERE, and those that filter an aggregate."""
    if isinstance(node, Query):
        return tests_in(node.where) + [t for expression in node.select for t in filters_in(expression)]
    if isinstance(node, list):
        return [t for n in node for t in tests_in(n)]
    if not isinstance(node, tuple) or not node:
        return []
    if node[0] == "test":
        return [node]
    return tests_in(node[1]) if node[0] in ("and", "or", "not") else []


def filters_in(node) -> list[tuple]:
    if not isinstance(node, tuple) or not node or node[0] not in ("aggregate", "arithmetic"):
        return []
    return tests_in(node[4]) if node[0] == "aggregate" else filters_in(node[2]) + filters_in(node[3])


def levels_in(node) -> list[Query]:
    """Every SELECT of a query."""
    if isinstance(node, Query):
        return [node] + [q for f in (node.select, node.where, node.having, node.set) for q in levels_in(f)]
    if isinstance(node, (list, tuple)):
        return [q for n in node for q in levels_in(n)]
    return []


def wanted(op: str, text: str):
    """A value that passes a test, or None."""
    if op in ("=", ">=", "<=", "LIKE_X", "BETWEEN", "IN"):
        return text
    if op in (">", "<") and PLAIN_NUMBER.fullmatch(text):
        number = float(text)
        moved = number * 1.2 + 1 if op == ">" else number * 0.8 - 1
        return str(int(moved)) if "." not in text else str(round(moved, 2))
    return {"LIKE_C": f"the {text} one", "LIKE_S": text + " rest", "LIKE_E": "start " + text}.get(op)


def plants_of(queries: list[Query], schema: Schema) -> tuple[list[Plant], dict[int, list[str]]]:
    """Rows to plant, and per column the literals that the queries compare it with."""
    plants, literals, seen = [], {}, set()
    for level in (level for q in queries for level in levels_in(q)):
        tables: dict[int, dict[int, str]] = {t: {} for t in level.tables}
        for _, expression, op, sides in tests_in(level):
            if expression[0] != "column" or not expression[1] or not sides or sides[0][0] != "value":
                continue
            c = expression[1]
            for side in sides:
                if side[0] == "value":
                    literals.setdefault(c, []).append(side[1])
            value = wanted(op, sides[0][1])
            if value is not None:
                tables.setdefault(schema.table_of(c), {}).setdefault(c, value)
        key = repr(sorted(tables.items()))
        if any(tables.values()) and key not in seen:
            seen.add(key)
            plants.append(Plant(tables))
    return plants, literals


class Generator:
    """The rows of one database."""

    def __init__(self, schema: Schema, seed: int, kinds: dict[int, Kind] | None = None, queries: list[Query] = ()):
        self.schema, self.described = schema, kinds is not None
        self.rng = random.Random(zlib.crc32(schema.name.encode()) * 31 + seed)
        self.kinds = kinds or {c: guess_kind(schema, c) for c in range(1, len(schema.columns))}
        self.plants, self.literals = plants_of(list(queries), schema)
        for c, said in self.literals.items():
            if schema.types[c] == "boolean":
                self.kinds[c] = Kind("category", values=("1", "0") if {"0", "1"} & set(said) else tuple(dict.fromkeys([*said, "F"])))
        self.target = {a: b for a, b in reversed(schema.foreign)}
        self.labels = {t: self.label(t) for t in range(len(schema.tables))}
        self.tags: dict[int, list[int]] = {}
        self.homes: dict[tuple[int, int], int] = {}
        self.cells: dict[int, list] = {}

    def label(self, t: int) -> int:
        """The column by which people tell the rows of a table apart ("name", "title"), or 0."""
        columns = self.schema.columns_of(t)
        if sum(c in self.schema.primary for c in columns) != 1:
            return 0
        for c in columns:
            words = self.schema.spoken_columns[c].lower()
            if (self.schema.types[c] == "text" and c not in self.target and words.endswith(("name", "title")) and not any(w in words for w in PARTS_OF_NAMES)
                    and (not self.described or self.kinds[c].shape in NAMES)):
                return c
        return 0

    def planted(self, t: int) -> list[int]:
        """The plants that need a row of a table. Those that only want a name share the row of a plant that names it already."""
        out, homes = [], {}
        for p in sorted((p for p, plant in enumerate(self.plants) if t in plant.tables), key=lambda p: -len(self.plants[p].tables[t])):
            wants = self.plants[p].tables[t]
            name = wants.get(self.labels[t], "").casefold()
            if name and name in homes and len(wants) == 1:
                self.homes[t, p] = homes[name]
                continue
            if name:
                homes.setdefault(name, p)
            out += [p] if wants else [p, p]
        return out

    def rows(self) -> dict[int, list[tuple]]:
        for t in range(len(self.schema.tables)):
            keys = [c for c in self.schema.columns_of(t) if c in self.target]
            count = self.rng.randint(*ROWS) * (2 if len(keys) > 1 else 1)
            self.tags[t] = self.planted(t) + [-1] * count
            self.rng.shuffle(self.tags[t])
        for c in range(1, len(self.schema.columns)):
            self.fill(c, ())
        return {t: list(zip(*(self.cells[c] for c in self.schema.columns_of(t)))) for t in self.tags}

    def fill(self, c: int, busy: tuple[int, ...]) -> list:
        if c in self.cells:
            return self.cells[c]
        table = self.schema.table_of(c)
        target = self.target.get(c)
        if target and target not in busy and target != c:
            values = self.from_parent(c, self.fill(target, busy + (c,)))
        elif c in self.schema.primary and not self.shared_key(c):
            values = self.unique(c)
        else:
            values = self.plain_values(c, len(self.tags[table]))
        for row, tag in enumerate(self.tags[table]):
            if tag >= 0 and c in self.plants[tag].tables[table]:
                values[row] = self.typed(c, self.plants[tag].tables[table][c])
        if c in self.schema.primary and not self.shared_key(c):
            self.make_unique(values)
        self.cells[c] = values
        return values

    def plain_values(self, c: int, count: int) -> list:
        """Values of a column that is no key; numbers and names are drawn again where they repeat: few ties, and no namesakes by chance."""
        is_label = self.labels[self.schema.table_of(c)] == c
        values, seen = [], {p.tables[self.schema.table_of(c)].get(c) for p in self.plants if self.schema.table_of(c) in p.tables} if is_label else set()
        for row in range(count):
            v = self.value(c, row)
            for _ in range(LABEL_DRAWS if is_label else 3):
                if v not in seen and not (is_label and v is None) or isinstance(v, str) and not is_label and self.kinds[c].shape not in NAMES:
                    break
                v = self.value(c, row)
            if is_label and v in seen:
                v = f"{v or 'Number'} {row + 1}"
            seen.add(v)
            values.append(v)
        return values

    def shared_key(self, c: int) -> bool:
        """Whether a key column is one of several of its table, or that of a table which only links others."""
        table = self.schema.table_of(c)
        keys = [x for x in self.schema.columns_of(table) if x in self.schema.primary]
        return len(keys) > 1 or c in self.target and sum(x in self.target for x in self.schema.columns_of(table)) > 1

    def from_parent(self, c: int, parent: list) -> list:
        """Values of a foreign key: skewed towards a few parents, some parents left out, planted rows linked to planted ones."""
        table, there = self.schema.table_of(c), self.schema.table_of(self.target[c])
        by_tag: dict[int, list[int]] = {}
        for row, tag in enumerate(self.tags[there]):
            by_tag.setdefault(tag, []).append(row)
        pool = self.rng.sample(range(len(parent)), max(1, int(len(parent) * 0.75)))
        one_to_one = c in self.schema.primary and not self.shared_key(c)
        order = self.rng.sample(range(len(parent)), len(parent))
        values = []
        for row, tag in enumerate(self.tags[table]):
            tag = self.homes.get((there, tag), tag)
            if tag >= 0 and tag in by_tag:
                values.append(parent[self.rng.choice(by_tag[tag])])
            elif one_to_one:
                values.append(parent[order[row % len(order)]])
            elif table == there and row < 3:
                values.append(None)
            else:
                values.append(parent[pool[int(len(pool) * self.rng.random() ** 1.6)]])
        return values

    def unique(self, c: int) -> list:
        count = len(self.tags[self.schema.table_of(c)])
        if self.schema.types[c] == "number" or self.kinds[c].shape in ("id", "int"):
            start = self.rng.choice((1, 1, 1, 100, 1000))
            values = list(range(start, start + count))
        else:
            values = [draw(self.kinds[c], self.rng, row) for row in range(count)]
        for row, literal in zip(self.rng.sample(range(count), min(count, 12)), dict.fromkeys(self.literals.get(c, ()))):
            values[row] = self.typed(c, literal)
        return values

    def make_unique(self, values: list) -> None:
        """Repeats get another value; the first occurrence keeps its own."""
        seen = set()
        top = max([v for v in values if isinstance(v, int)], default=0)
        for row, v in enumerate(values):
            if v in seen:
                top += 1
                values[row] = top if isinstance(v, (int, float)) else f"{v} {row}"
            seen.add(values[row])

    def typed(self, c: int, text: str):
        """A literal as the column stores it."""
        if self.schema.types[c] not in ("text", "others") and PLAIN_NUMBER.fullmatch(text):
            return float(text) if "." in text else int(text)
        return text

    def value(self, c: int, row: int):
        literals = self.literals.get(c)
        if literals and self.rng.random() < 0.45:
            literal = self.rng.choice(literals)
            value = self.typed(c, literal)
            if isinstance(value, (int, float)) and self.rng.random() < 0.7:
                spread = abs(value) * 0.5 + 3
                moved = value + self.rng.uniform(-spread, spread)
                return round(moved, 1) if isinstance(value, float) else int(moved)
            return value
        if c not in self.schema.primary and c not in self.target and self.rng.random() < 0.02:
            return None
        return draw(self.kinds[c], self.rng, row)


SQL_TYPES = {"number": "NUMERIC", "time": "DATETIME", "boolean": "BOOLEAN", "text": "TEXT COLLATE NOCASE",
             "others": "TEXT COLLATE NOCASE"}


def create(schema: Schema, rows: dict[int, list[tuple]]) -> sqlite3.Connection:
    """An SQLite database in memory with these rows."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    for t, table in enumerate(schema.tables):
        columns = schema.columns_of(t)
        declared = ", ".join(f'"{schema.columns[c][1]}" {SQL_TYPES[schema.types[c]]}' for c in columns)
        connection.execute(f'CREATE TABLE "{table}" ({declared})')
        connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})', rows[t])
    connection.commit()
    return connection


def generate(schema: Schema, seed: int, kinds: dict[int, Kind] | None = None, queries: list[Query] = ()) -> sqlite3.Connection:
    return create(schema, Generator(schema, seed, kinds, queries).rows())
