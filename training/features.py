"""A question and a schema to the arrays that the model reads. Plain Python, so that it can be tested and written again anywhere."""
from __future__ import annotations

import dataclasses
import functools
import random

from training.described import SHORT, SYNONYMS
from training.grammar import KEYWORD_ID, KEYWORDS
from training.linking import Hit
from training.logical_form import Token
from training.schema import TYPES, Schema
from training.text import MAX_WORDS, STOP_WORDS, WordPiece, fold, is_digit, name_words, split_words, stem, stems
from training.values import MONTHS, WEEKDAYS, number_of

MAX_PIECES = 500
MAX_COLUMNS = 110
MAX_VALUES_SHOWN = 2
MAX_VALUE_SHOWN_CHARS = 40
MIN_PREFIX = 4
RENAME_CHANCE = 0.2

NO_MATCH, PREFIX, PARTIAL, EXACT, WEAK_VALUE, VALUE = range(6)
RELATIONS = (["none"] + [f"word_word_{d}" for d in range(-2, 3)]
             + [f"{pair}_{level}" for pair in ("word_column", "column_word") for level in ("none", "prefix", "partial", "exact", "weak_value", "value")]
             + [f"{pair}_{level}" for pair in ("word_table", "table_word") for level in ("none", "prefix", "partial", "exact")]
             + ["column_self", "column_same_table", "column_to_key", "column_from_key", "column_other", "column_in_table", "column_key_of_table", "column_not_in_table",
                "table_has_column", "table_has_key", "table_without_column", "table_self", "table_to", "table_from", "table_both", "table_other"])
RELATION_ID = {name: at for at, name in enumerate(RELATIONS)}

# Features of pieces: 1..5 the type of a column, + 6 when it is a primary key, + 12 when it is (or is the target of) a foreign key.
F_WEAK_WORD, F_TABLE, F_VALUE_WORD, F_VALUE, F_NUMBER_WORD, F_DATE_WORD = 18, 19, 20, 21, 22, 23
FEATURES = 24
KIND_WORD, KIND_COLUMN, KIND_TABLE = 0, 1, 2


@dataclasses.dataclass
class Arrays:
    """One example. Items are the words, then the kept columns, then the tables; relations is a square of item pairs, row by row."""
    ids: list[int]
    item: list[int]
    segment: list[int]
    feature: list[int]
    relations: bytes
    kinds: list[int]
    words: int
    columns: list[int]
    tables: list[int]
    target: list[int] | None = None


@functools.lru_cache(100_000)
def word_feature(word: str) -> int:
    """What a question word looks like: a date word, a number, or nothing special."""
    folded = fold(word)
    if folded in MONTHS or folded.rstrip("s") in WEEKDAYS or len(folded) == 4 and folded[0] in "12" and all(is_digit(c) for c in folded):
        return F_DATE_WORD
    return F_NUMBER_WORD if is_digit(folded[0]) or number_of(folded) is not None else 0


class Builder:
    """Makes Arrays; with rng set it also varies names, order and value hits as training needs it."""

    def __init__(self, pieces: WordPiece):
        self.pieces = pieces
        ids = pieces.ids
        self.cls, self.sep, self.star, self.colon, self.comma, self.open, self.close = (
            ids[t] for t in ("[CLS]", "[SEP]", "*", ":", ",", "(", ")"))

    def build(self, question: str, schema: Schema, hits: list[Hit], target: list[Token] | None = None, rng: random.Random | None = None) -> Arrays:
        words = split_words(question)[:MAX_WORDS]
        hits = [h for h in hits if h[1] < len(words)]
        column_names = ["*"] + [name_words(n) for _, n in schema.columns[1:]]
        table_names = [name_words(t) for t in schema.tables]
        gold = {what for kind, what in target or () if kind == "c"}
        tables = list(range(len(schema.tables)))
        columns = {t: schema.columns_of(t) for t in tables}
        if rng:
            column_names, table_names = vary_names(schema, column_names, table_names, rng)
            hits = vary_hits(hits, schema, len(words), question, words, rng)
            tables, columns = vary_order(schema, tables, columns, gold, target or [], rng)
        texts = [question[a:b] for a, b in words]
        word_stems = [stem(fold(w)) for w in texts]
        self.cut(schema, texts, word_stems, tables, columns, column_names, table_names, hits, gold)
        keep = [0] + [c for t in tables for c in columns[t]]
        arrays = self.sequence(schema, texts, tables, columns, keep, column_names, table_names, hits)
        arrays.relations = relations(schema, word_stems, keep, tables, column_names, table_names, hits)
        if target is not None:
            arrays.target = target_ids(target, len(words), keep, tables)
        return arrays

    def cut(self, schema, texts, word_stems, tables, columns, column_names, table_names, hits, gold) -> None:
        """Drops columns until all fits: the least likely first, and of equals the last ones."""
        said = {s for s in word_stems if s not in STOP_WORDS}
        hit_columns = {h[2] for h in hits}
        keys = {x for pair in schema.foreign for x in pair} | set(schema.primary)

        def priority(c: int) -> int:
            return 4 if c in gold else 3 if c in hit_columns else 2 if said & set(stems(column_names[c])) else 1 if c in keys else 0

        def size() -> int:
            total = 12 + sum(len(self.pieces.text(w)) for w in texts)
            total += sum(len(self.pieces.text(table_names[t])) + 2 + sum(len(self.pieces.text(column_names[c])) + 1 for c in columns[t]) for t in tables)
            return total + sum(len(self.pieces.text(h[3][:MAX_VALUE_SHOWN_CHARS])) + 2 for h in hits)
        while True:
            ranked = sorted((c for t in tables for c in columns[t]), key=lambda c: (-priority(c), c))
            if len(ranked) < 5 or (size() <= MAX_PIECES and len(ranked) <= MAX_COLUMNS):
                return
            dropped = set(ranked[-max(1, len(ranked) // 10):])
            for t in tables:
                columns[t] = [c for c in columns[t] if c not in dropped]

    def sequence(self, schema, texts, tables, columns, keep, column_names, table_names, hits) -> Arrays:
        """[CLS] question [SEP] * [SEP] table : column , column ( value ) , [SEP] table ..."""
        out = Arrays([], [], [], [], b"", [KIND_WORD] * len(texts) + [KIND_COLUMN] * len(keep) + [KIND_TABLE] * len(tables), len(texts), keep, tables)
        place = {c: len(texts) + i for i, c in enumerate(keep)}
        table_place = {t: len(texts) + len(keep) + i for i, t in enumerate(tables)}
        keys = {x for pair in schema.foreign for x in pair}
        sure = {i for h in hits if h[4] for i in range(h[0], h[1] + 1)}
        weak = {i for h in hits if not h[4] for i in range(h[0], h[1] + 1)}
        shown: dict[int, list[str]] = {}
        for h in hits:
            if h[3] not in shown.setdefault(h[2], []):
                shown[h[2]].append(h[3])

        def put(ids, item: int, segment: int, feature: int) -> None:
            count = len(ids)
            out.ids.extend(ids)
            out.item.extend([item] * count)
            out.segment.extend([segment] * count)
            out.feature.extend([feature] * count)
        put([self.cls], -1, 0, 0)
        for i, word in enumerate(texts):
            put(self.pieces.text(word), i, 0, F_VALUE_WORD if i in sure else F_WEAK_WORD if i in weak else word_feature(word))
        put([self.sep], -1, 0, 0)
        put([self.star], place[0], 1, 0)
        put([self.sep], -1, 1, 0)
        for t in tables:
            put(self.pieces.text(table_names[t]), table_place[t], 1, F_TABLE)
            put([self.colon], -1, 1, 0)
            for c in columns[t]:
                feature = TYPES.index(schema.types[c]) + 1 + (6 if c in schema.primary else 12 if c in keys else 0)
                put(self.pieces.text(column_names[c]) or (self.pieces.unknown,), place[c], 1, feature)
                for v in shown.get(c, ())[:MAX_VALUES_SHOWN]:
                    put((self.open, *self.pieces.text(v[:MAX_VALUE_SHOWN_CHARS]), self.close), place[c], 1, F_VALUE)
                put([self.comma], -1, 1, 0)
            put([self.sep], -1, 1, 0)
        for field in (out.ids, out.item, out.segment, out.feature):
            del field[512:]
        return out


def vary_names(schema: Schema, column_names: list[str], table_names: list[str], rng: random.Random) -> tuple[list[str], list[str]]:
    """Spoken names in place of the stored ones: of all, of some, or of none; now and then in other words."""
    mode = rng.random()
    if mode >= 0.35:
        share = 1.0 if mode > 0.7 else 0.5
        column_names = [s if rng.random() < share else n for s, n in zip(schema.spoken_columns, column_names)]
        table_names = list(schema.spoken_tables) if mode > 0.5 else table_names
    if rng.random() < RENAME_CHANCE:
        column_names, table_names = renamed(schema, column_names, table_names, rng)
    return column_names, table_names


def renamed(schema: Schema, column_names: list[str], table_names: list[str], rng: random.Random) -> tuple[list[str], list[str]]:
    """Names with synonyms and abbreviations of their words, and columns with or without their table's name in front."""
    short, other, mode = rng.random() * 0.4, rng.random() * 0.4, rng.random()

    def reword(name: str) -> str:
        words = []
        for word in name.split():
            draw = rng.random()
            words.append(SHORT[word] if draw < short and word in SHORT else rng.choice(SYNONYMS[word]) if draw > 1 - other and word in SYNONYMS else word)
        return " ".join(words)
    columns = ["*"]
    for c in range(1, len(column_names)):
        name, table = column_names[c], table_names[schema.table_of(c)]
        if mode < 0.15 and not name.startswith(table):
            name = f"{table} {name}"
        elif mode > 0.85 and name.startswith(table + " "):
            name = name[len(table) + 1:]
        columns.append(reword(name))
    return columns, [reword(t) for t in table_names]


def vary_hits(hits: list[Hit], schema: Schema, count: int, question: str, words, rng: random.Random) -> list[Hit]:
    """Some hits are lost, and some that mean nothing are added."""
    if rng.random() < 0.1:
        return []
    texts = [c for c in range(1, len(schema.columns)) if schema.types[c] == "text"]
    out = [h for h in hits if rng.random() > 0.05]
    for h in list(out):
        if texts and rng.random() < 0.1:
            out.append((h[0], h[1], rng.choice(texts), h[3], h[4]))
    if texts and count > 3 and rng.random() < 0.07:
        at = rng.randrange(count)
        out.append((at, at, rng.choice(texts), question[words[at][0]:words[at][1]], True))
    return out


def vary_order(schema: Schema, tables: list[int], columns: dict[int, list[int]], gold: set[int], target: list[Token], rng: random.Random):
    """Tables and columns in another order, some unused ones left out."""
    used = {what for kind, what in target if kind == "t"} | {schema.table_of(c) for c in gold if c}
    rng.shuffle(tables)
    if rng.random() < 0.3:
        chance = rng.random() * 0.5
        tables = [t for t in tables if t in used or rng.random() > chance]
    drop = rng.random() * 0.4 if rng.random() < 0.3 else 0
    out = {}
    for t in tables:
        order = [c for c in columns[t] if c in gold or rng.random() >= drop]
        if rng.random() < 0.7:
            rng.shuffle(order)
        out[t] = order
    return tables, out


class Said:
    """The words of a question, to be looked up by stem and by their first letters."""

    def __init__(self, word_stems: list[str]):
        self.stems = tuple(word_stems)
        self.places: dict[str, list[int]] = {}
        self.beginnings: dict[str, list[str]] = {}
        for i, word in enumerate(word_stems):
            self.places.setdefault(word, []).append(i)
        for word in self.places:
            if len(word) >= MIN_PREFIX and word not in STOP_WORDS:
                self.beginnings.setdefault(word[:MIN_PREFIX], []).append(word)

    def matches(self, name: str) -> dict[int, int]:
        """Word to how well it fits a name: a word of the name, the whole name, or only the same beginning."""
        parts, out = stems(name), {}
        for part in parts:
            if part in self.places and (part not in STOP_WORDS or part == "name"):
                out.update((i, PARTIAL) for i in self.places[part])
            for word in self.beginnings.get(part[:MIN_PREFIX], ()) if len(part) >= MIN_PREFIX else ():
                if word not in parts and (word.startswith(part) or part.startswith(word)):
                    out.update((i, PREFIX) for i in self.places[word])
        for i in self.places.get(parts[0], ()) if parts else ():
            if self.stems[i:i + len(parts)] == parts:
                out.update((j, EXACT) for j in range(i, i + len(parts)))
        return out


@functools.lru_cache(None)
def distances(count: int) -> tuple[bytes, ...]:
    """The relations of a question's words among themselves, row by row."""
    near = RELATION_ID["word_word_0"]
    return tuple(bytes(near + max(-2, min(2, j - i)) for j in range(count)) for i in range(count))


def relations(schema: Schema, word_stems: list[str], keep: list[int], tables: list[int], column_names: list[str], table_names: list[str], hits: list[Hit]) -> bytes:
    """The relation of every pair of items, row by row."""
    nw, nc, nt = len(word_stems), len(keep), len(tables)
    n = nw + nc + nt
    grid = [bytearray(n) for _ in range(n)]
    r, said = RELATION_ID, Said(word_stems)
    for i, row in enumerate(distances(nw)):
        grid[i][:nw] = row
        grid[i][nw:nw + nc] = bytes([r["word_column_none"]]) * nc
        grid[i][nw + nc:] = bytes([r["word_table_none"]]) * nt
    for j in range(nc):
        grid[nw + j][:nw] = bytes([r["column_word_none"]]) * nw
    for j in range(nt):
        grid[nw + nc + j][:nw] = bytes([r["table_word_none"]]) * nw
    for j, c in enumerate(keep):
        for i, level in (said.matches(column_names[c]) if c else {}).items():
            grid[i][nw + j], grid[nw + j][i] = r["word_column_none"] + level, r["column_word_none"] + level
    for j, t in enumerate(tables):
        for i, level in said.matches(table_names[t]).items():
            grid[i][nw + nc + j], grid[nw + nc + j][i] = r["word_table_none"] + level, r["table_word_none"] + level
    place = {c: nw + j for j, c in enumerate(keep)}
    for first, last, c, _, sure in sorted(hits, key=lambda h: h[4]):
        if c in place:
            level = VALUE if sure else WEAK_VALUE
            for i in range(first, last + 1):
                grid[i][place[c]], grid[place[c]][i] = r["word_column_none"] + level, r["column_word_none"] + level
    schema_relations(schema, grid, keep, tables, nw, place)
    return b"".join(bytes(row) for row in grid)


def schema_relations(schema: Schema, grid: list[bytearray], keep: list[int], tables: list[int], nw: int, place: dict[int, int]) -> None:
    """Columns and tables among themselves."""
    r, nc = RELATION_ID, len(keep)
    owner = [schema.table_of(c) for c in keep]
    primary = set(schema.primary)
    same_table = {t: bytes([r["column_same_table"] if o == t else r["column_other"] for o in owner]) for t in set(owner)}
    not_in = bytes([r["column_not_in_table"]]) * len(tables)
    at = {t: i for i, t in enumerate(tables)}
    for a in range(nc):
        row = grid[nw + a]
        row[nw:nw + nc] = same_table[owner[a]]
        row[nw + a] = r["column_self"]
        row[nw + nc:] = not_in
        if owner[a] in at:
            row[nw + nc + at[owner[a]]] = r["column_key_of_table"] if keep[a] in primary else r["column_in_table"]
    table_place = {t: nw + nc + i for i, t in enumerate(tables)}
    for t in tables:
        row = grid[table_place[t]]
        row[nw:nw + nc] = bytes([r["table_without_column"] if o != t else r["table_has_key"] if c in primary else r["table_has_column"] for c, o in zip(keep, owner)])
        row[nw + nc:] = bytes([r["table_other"]]) * len(tables)
        row[table_place[t]] = r["table_self"]
    for a, b in schema.foreign:
        if a in place and b in place:
            grid[place[a]][place[b]], grid[place[b]][place[a]] = r["column_to_key"], r["column_from_key"]
        x, y = table_place.get(schema.table_of(a)), table_place.get(schema.table_of(b))
        if x is not None and y is not None and x != y:
            grid[x][y] = r["table_both"] if grid[x][y] in (r["table_from"], r["table_both"]) else r["table_to"]
            grid[y][x] = r["table_both"] if grid[y][x] in (r["table_to"], r["table_both"]) else r["table_from"]


def target_ids(target: list[Token], words: int, keep: list[int], tables: list[int]) -> list[int]:
    """BOS and the tokens as numbers: keywords first, then pointers to items."""
    base = len(KEYWORDS)
    column_place = {c: base + words + i for i, c in enumerate(keep)}
    table_place = {t: base + words + len(keep) + i for i, t in enumerate(tables)}
    out = [KEYWORD_ID["BOS"]]
    for kind, what in target:
        if kind == "k":
            out.append(KEYWORD_ID[what])
        elif kind == "w":
            out.append(base + what if what < words else KEYWORD_ID["V:UNK"])
        else:
            out.append(column_place[what] if kind == "c" else table_place[what])
    return out


def token_of(arrays: Arrays, number: int) -> Token:
    """The token that a number means; the reverse of target_ids."""
    if number < len(KEYWORDS):
        return "k", KEYWORDS[number]
    number -= len(KEYWORDS)
    if number < arrays.words:
        return "w", number
    number -= arrays.words
    if number < len(arrays.columns):
        return "c", arrays.columns[number]
    return "t", arrays.tables[number - len(arrays.columns)]
