"""Spider's four levels of hardness, counted on the logical form."""
from __future__ import annotations

from training.contents import levels_in, tests_in
from training.logical_form import Query


def has_or(node) -> int:
    """How many alternatives a condition offers beyond the first."""
    if not isinstance(node, tuple) or node[0] == "test":
        return 0
    parts = node[1] if isinstance(node[1], list) else [node[1]]
    return (len(parts) - 1 if node[0] == "or" else 0) + sum(has_or(p) for p in parts)


def aggregates_in(node) -> int:
    if isinstance(node, (list, tuple)):
        own = 1 if isinstance(node, tuple) and node and node[0] == "aggregate" else 0
        return own + sum(aggregates_in(n) for n in node if not isinstance(n, Query))
    return 0


def hardness(q: Query) -> str:
    """easy, medium, hard or extra, by the rules of Spider's evaluation."""
    tests = tests_in(q.where) + tests_in(q.having)
    first = sum((bool(q.where), bool(q.group), bool(q.order), bool(q.limit), max(0, len(q.tables) - 1), has_or(q.where) + has_or(q.having),
                 sum("LIKE" in t[2] for t in tests)))
    nested = len(levels_in(q)) - 1
    others = sum((aggregates_in([q.select, q.where, q.group, q.order, q.having]) > 1, len(q.select) > 1, len(tests_in(q.where)) > 1, len(q.group) > 1))
    if first <= 1 and others == 0 and nested == 0:
        return "easy"
    if others <= 2 and first <= 1 and nested == 0 or first <= 2 and others < 2 and nested == 0:
        return "medium"
    if others > 2 and first <= 2 and nested == 0 or 2 < first <= 3 and others <= 2 and nested == 0 or first <= 1 and others == 0 and nested <= 1:
        return "hard"
    return "extra"
