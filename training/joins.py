"""Which tables a query needs and how they hang together: short paths over foreign keys, and branches through a named key."""
from __future__ import annotations

from training.schema import Schema

# A table of the query: the foreign key column of its branch (0: the trunk) and the table.
Node = tuple[int, int]


def paths(schema: Schema, start: list[int], need: list[int]) -> list[tuple[int, int, tuple[int, int] | None]]:
    """Steps (new table, table it hangs on, (column there, column here) or None) that reach every needed table.

    Breadth first from all tables reached so far, neighbours in the order of the keys; the first needed table that is met is
    taken with its path, until none is left. A table without a path hangs on by a column of the same name, or by nothing.
    """
    got, rest, steps = list(start), [t for t in dict.fromkeys(need) if t not in start], []
    while rest:
        previous: dict[int, tuple[int, int, int] | None] = {g: None for g in got}
        queue, hit = list(got), None
        while queue and hit is None:
            table = queue.pop(0)
            for other, own, foreign in schema.edges[table]:
                if other not in previous:
                    previous[other] = (table, own, foreign)
                    queue.append(other)
                    if other in rest:
                        hit = other
                        break
        if hit is None:
            steps.append(loose_step(schema, got, rest[0]))
            got.append(rest.pop(0))
            continue
        chain = []
        while previous[hit] is not None:
            table, own, foreign = previous[hit]
            chain.append((hit, table, (own, foreign)))
            hit = table
        for new, table, pair in reversed(chain):
            steps.append((new, table, pair))
            got.append(new)
            rest = [t for t in rest if t != new]
    return steps


def loose_step(schema: Schema, got: list[int], table: int) -> tuple[int, int, tuple[int, int] | None]:
    """A table without a key to the others: a column of the same name joins, or nothing does."""
    own = {schema.columns[c][1].lower(): c for c in schema.columns_of(table)}
    for there in got:
        for c in schema.columns_of(there):
            name = schema.columns[c][1].lower()
            if name in own and name not in ("name", "id"):
                return table, there, (c, own[name])
    return table, got[0], None


def plan(schema: Schema, columns: list[tuple[int, int]], tables: list[int]) -> list[tuple[Node, Node | None, tuple[int, int] | None]]:
    """Steps (node, node it hangs on or None for the first, key pair or None). columns are (column, via) in writing order."""
    trunk, branches = [], {}
    for c, via in columns:
        if via:
            trunk.append(schema.table_of(via))
            branches.setdefault(via, []).append(schema.table_of(c))
        elif c:
            trunk.append(schema.table_of(c))
    trunk = list(dict.fromkeys(trunk + list(tables)))
    if not trunk:
        return []
    steps: list = [((0, trunk[0]), None, None)]
    steps += [((0, new), (0, there), pair) for new, there, pair in paths(schema, [trunk[0]], trunk[1:])]
    for via, need in branches.items():
        target = next((b for a, b in schema.foreign if a == via), None)
        if target is None:
            raise ValueError("not a foreign key")
        root = schema.table_of(target)
        steps.append(((via, root), (0, schema.table_of(via)), (via, target)))
        steps += [((via, new), (via, there), pair) for new, there, pair in paths(schema, [root], need)]
    return steps


def connected(schema: Schema, columns: list[tuple[int, int]], tables: list[int]) -> set[int]:
    """The tables that the plan brings along."""
    try:
        return {node[1] for node, _, _ in plan(schema, columns, tables)}
    except ValueError:
        return set()
