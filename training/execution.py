"""Running SQL on generated databases and comparing results."""
from __future__ import annotations

import itertools
import sqlite3

MAX_ROWS = 2000
MAX_STEPS = 4_000_000


def run(connection: sqlite3.Connection, sql: str) -> list[tuple] | None:
    """The rows, at most MAX_ROWS of them, or None when the statement fails or takes too long."""
    connection.text_factory = lambda b: b.decode("utf-8", "replace")
    steps = [0]

    def tick() -> int:
        steps[0] += 20_000
        return steps[0] > MAX_STEPS
    connection.set_progress_handler(tick, 20_000)
    try:
        return connection.execute(sql).fetchmany(MAX_ROWS)
    except (sqlite3.Error, sqlite3.Warning):
        return None
    finally:
        connection.set_progress_handler(None, 0)


def plain(cell):
    """A cell for comparing: numbers rounded, whatever their type."""
    if isinstance(cell, (int, float)):
        return f"{round(float(cell), 4):.4f}"
    return cell if cell is None else str(cell)


def same_rows(a: list[tuple], b: list[tuple], ordered: bool) -> bool:
    if ordered:
        return a == b
    return sorted(a, key=repr) == sorted(b, key=repr)


def same(gold: list[tuple] | None, other: list[tuple] | None, ordered: bool) -> bool:
    """Whether two results are equal as lists (when ordered) or bags of rows, columns in any order."""
    if gold is None or other is None or len(gold) != len(other):
        return False
    if not gold:
        return True
    width = len(gold[0])
    if len(other[0]) != width:
        return False
    a = [tuple(map(plain, row)) for row in gold]
    b = [tuple(map(plain, row)) for row in other]
    if same_rows(a, b, ordered):
        return True
    if width == 1 or width > 6:
        return False
    columns = [sorted(map(repr, column)) for column in zip(*a)]
    others = [sorted(map(repr, column)) for column in zip(*b)]
    for order in itertools.permutations(range(width)):
        if all(columns[i] == others[o] for i, o in enumerate(order)):
            if same_rows(a, [tuple(row[o] for o in order) for row in b], ordered):
                return True
    return False
