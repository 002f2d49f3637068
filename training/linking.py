"""The values of a database's text columns, and which of them a question names."""
from __future__ import annotations

import sqlite3

from training.schema import Schema
from training.text import STOP_WORDS, squash, stem, stems
from training.values import PLAIN_NUMBER

MAX_VALUES = 5000
MAX_VALUE_CHARS = 80
MAX_SPAN_WORDS = 8

# (first word, last word, column, value in the database's spelling, sure): sure is false where only a word of the value is said.
Hit = tuple[int, int, int, str, bool]


def is_number_text(key: str) -> bool:
    return all(c in "0123456789. " for c in key)


class Contents:
    """Distinct values of the text columns: by whole key, and by single word where one value of the column has it."""

    def __init__(self):
        self.whole: dict[str, dict[int, str]] = {}
        self.partial: dict[str, dict[int, str]] = {}
        self.by_column: dict[int, dict[str, str]] = {}

    def add(self, column: int, text: str) -> None:
        key = squash(text)
        if not key or len(text) > MAX_VALUE_CHARS:
            return
        known = self.by_column.setdefault(column, {})
        if key in known or len(known) >= MAX_VALUES:
            return
        known[key] = text
        if len(key) > 1 and key not in STOP_WORDS and not is_number_text(key):
            self.whole.setdefault(key, {})[column] = text
        words = key.split()
        if len(words) > 1:
            for word in set(words):
                if len(word) >= 4 and word not in STOP_WORDS and not is_number_text(word):
                    at = self.partial.setdefault(word, {})
                    at[column] = "" if column in at else text

    def hits(self, question: str, words: list[tuple[int, int]]) -> list[Hit]:
        """Longest spans first, no word twice; then single words that only one value of a column has."""
        out: list[Hit] = []
        taken = [False] * len(words)
        for size in range(min(MAX_SPAN_WORDS, len(words)), 0, -1):
            for at in range(len(words) - size + 1):
                if any(taken[at:at + size]):
                    continue
                key = squash(question[words[at][0]:words[at + size - 1][1]])
                for candidate in (key, stem(key)):
                    if candidate in self.whole:
                        out += [(at, at + size - 1, c, v, True) for c, v in sorted(self.whole[candidate].items())]
                        taken[at:at + size] = [True] * size
                        break
        for at, (start, end) in enumerate(words):
            if not taken[at]:
                for c, v in sorted(self.partial.get(squash(question[start:end]), {}).items()):
                    if v:
                        out.append((at, at, c, v, False))
        return out

    def spelling(self, column: int, text: str) -> str:
        """The value of a column that a text means, in the database's spelling: only when sure, else the text itself."""
        known = self.by_column.get(column, {})
        key = squash(text)
        if key in known:
            return known[key]
        if stem(key) in known:
            return known[stem(key)]
        same = {v for k, v in known.items() if stems(k) == stems(key)}
        if len(same) == 1:
            return same.pop()
        holder = self.partial.get(key, {}).get(column, "")
        if holder:
            return holder
        near = {v for k, v in known.items() if close(key, k)}
        return near.pop() if len(near) == 1 else text


def close(a: str, b: str) -> bool:
    """Whether two keys of at least five letters differ by one edit, or by two from nine letters on."""
    limit = 0 if len(a) < 5 else 1 if len(a) < 9 else 2
    if not limit or abs(len(a) - len(b)) > limit or any("0" <= c <= "9" for c in a + b):
        return False
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1] <= limit


def looks_iso(text: str) -> bool:
    """Whether a value starts like 2023-05-01."""
    return len(text) >= 10 and text[4] == "-" and text[7] == "-" and all("0" <= text[i] <= "9" for i in (0, 1, 2, 3, 5, 6, 8, 9))


def read_contents(connection: sqlite3.Connection, schema: Schema) -> Contents:
    """Reads the values of all columns and notes in the schema which columns hold ISO dates."""
    contents = Contents()
    for c in range(1, len(schema.columns)):
        table, name = schema.tables[schema.table_of(c)], schema.columns[c][1]
        seen = []
        for (v,) in connection.execute(f'SELECT DISTINCT "{name}" FROM "{table}" WHERE "{name}" IS NOT NULL LIMIT {MAX_VALUES}'):
            if isinstance(v, str):
                seen.append(v)
                contents.add(c, v)
        schema.iso[c] = bool(seen) and all(looks_iso(v) for v in seen[:50])
    return contents


def is_number(text: str) -> bool:
    return PLAIN_NUMBER.fullmatch(text) is not None
