"""The logical form: a query without FROM, JOIN and aliases, as a tree and as a line of tokens, and the way between the two.

Expressions are tuples: ("column", column, via) where via is 0 or the foreign key column through which the table is reached,
("part", PART, column expression), ("aggregate", NAME, distinct, expression, condition or None), ("arithmetic", OP, left, right),
("sub", Query). Conditions: ("and", [..]), ("or", [..]), ("not", condition), ("test", expression, OP, [sides]). A side is
("value", text), ("words", first, last), ("outer", column), an expression or ("sub", Query).
"""
from __future__ import annotations

import dataclasses
from typing import Any

from training import grammar
from training.joins import connected
from training.schema import Schema

Token = tuple[str, Any]


class Unsupported(Exception):
    """What the form cannot hold."""


@dataclasses.dataclass
class Query:
    select: list = dataclasses.field(default_factory=list)
    distinct: bool = False
    tables: list[int] = dataclasses.field(default_factory=list)
    where: tuple | None = None
    group: list = dataclasses.field(default_factory=list)
    having: tuple | None = None
    order: list = dataclasses.field(default_factory=list)
    limit: tuple | None = None
    set: tuple | None = None


def column(index: int, via: int = 0) -> tuple:
    return ("column", index, via)


def aggregate(name: str, argument, distinct: bool = False, condition=None) -> tuple:
    return ("aggregate", name, distinct, argument, condition)


def test(expression, op: str, *sides) -> tuple:
    return ("test", expression, op, list(sides))


def value(text: str) -> tuple:
    return ("value", text)


def columns_in(node) -> list[tuple[int, int]]:
    """(column, via) of every column of this level in writing order; sub-queries are levels of their own."""
    if isinstance(node, Query):
        parts = [node.select, node.where, node.group, node.having, [o[0] for o in node.order]]
        return [c for part in parts for c in columns_in(part)]
    if isinstance(node, list):
        return [c for part in node for c in columns_in(part)]
    if not isinstance(node, tuple) or not node or node[0] in ("sub", "value", "words", "outer"):
        return []
    if node[0] == "column":
        return [(node[1], node[2])]
    return [c for part in node[1:] if isinstance(part, (tuple, list)) for c in columns_in(part)]


class Writer:
    """The tokens of a query."""

    def __init__(self, schema: Schema):
        self.schema = schema
        self.out: list[Token] = []

    def key(self, *words: str) -> None:
        self.out.extend(("k", word) for word in words)

    def query(self, q: Query) -> list[Token]:
        self.key("SELECT", *(["DISTINCT"] if q.distinct else []))
        self.expressions(q.select)
        extra = self.extra_tables(q)
        if extra:
            self.key("FROM")
            self.out.extend(("t", t) for t in extra)
        if q.where:
            self.key("WHERE")
            self.condition(q.where)
        if q.group:
            self.key("GROUP")
            self.expressions(q.group)
            if q.having:
                self.key("HAVING")
                self.condition(q.having)
        if q.order:
            self.key("ORDER")
            for expression, direction in q.order:
                self.expression(expression)
                self.key(direction)
        if q.limit:
            self.key(q.limit[0])
            self.side(q.limit[1])
        if q.set:
            self.key(q.set[0])
            return self.query(q.set[1])
        self.key("END")
        return self.out

    def extra_tables(self, q: Query) -> list[int]:
        """The tables of FROM that the columns do not bring along."""
        covered = connected(self.schema, columns_in(q), [])
        return [t for t in dict.fromkeys(q.tables) if t not in covered]

    def expressions(self, nodes: list) -> None:
        for node in nodes:
            self.expression(node)

    def expression(self, node: tuple) -> None:
        kind = node[0]
        if kind == "column":
            if node[2]:
                self.key("VIA")
                self.out.append(("c", node[2]))
            self.out.append(("c", node[1]))
        elif kind == "part":
            self.key(node[1])
            self.expression(node[2])
        elif kind == "aggregate":
            self.aggregate(node)
        elif kind == "arithmetic":
            self.expression(node[2])
            self.key(node[1])
            self.expression(node[3])
        elif kind == "sub":
            self.key("SUB")
            self.query(node[1])
        else:
            raise Unsupported(kind)

    def aggregate(self, node: tuple) -> None:
        _, name, distinct, argument, condition = node
        self.key(name, *(["DISTINCT"] if distinct else []))
        if argument[0] == "arithmetic":
            self.key("OPEN")
            self.expression(argument)
            self.key("CLOSE")
        else:
            self.expression(argument)
        if condition:
            self.key("FILTER")
            self.condition(condition)
            self.key("CLOSE")

    def condition(self, node: tuple, inside: str = "") -> None:
        kind = node[0]
        if kind in ("and", "or"):
            wrap = inside == "and" and kind == "or"
            if wrap:
                self.key("OPEN")
            for at, part in enumerate(node[1]):
                if at:
                    self.key(kind.upper())
                self.condition(part, kind)
            if wrap:
                self.key("CLOSE")
        elif kind == "not":
            self.key("NOT", "OPEN")
            self.condition(node[1])
            self.key("CLOSE")
        else:
            _, expression, op, sides = node
            self.expression(expression)
            self.key(op)
            for side in sides:
                self.side(side)
            if op in ("IN", "NOT_IN") and sides[0][0] != "sub":
                self.key("CLOSE")

    def side(self, node: tuple) -> None:
        if node[0] == "value":
            self.out.append(("v", node[1]))
        elif node[0] == "words":
            self.out.extend([("w", node[1]), ("w", node[2])])
        elif node[0] == "outer":
            self.key("OUTER")
            self.out.append(("c", node[1]))
        else:
            self.expression(node)


def linearise(q: Query, schema: Schema) -> list[Token]:
    return Writer(schema).query(q)


class Reader:
    """The tree of a line of tokens; the mirror image of Writer."""

    def __init__(self, tokens: list[Token]):
        self.tokens, self.at = [tuple(t) for t in tokens], 0

    def peek(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("k", "")

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def eat(self, *words: str) -> str:
        kind, word = self.peek()
        if kind == "k" and word in words:
            self.at += 1
            return word
        return ""

    def query(self) -> Query:
        if not self.eat("SELECT"):
            raise Unsupported("SELECT expected")
        q = Query(distinct=bool(self.eat("DISTINCT")))
        q.select = self.items()
        if self.eat("FROM"):
            while self.peek()[0] == "t":
                q.tables.append(self.take()[1])
        if self.eat("WHERE"):
            q.where = self.condition()
        if self.eat("GROUP"):
            q.group = self.items()
            if self.eat("HAVING"):
                q.having = self.condition()
        if self.eat("ORDER"):
            while self.starts_item():
                expression = self.item()
                q.order.append((expression, self.eat("ASC", "DESC")))
        limit = self.eat("LIMIT", "TIES", "NTH")
        if limit:
            q.limit = (limit, self.side())
        op = self.eat(*grammar.SETS)
        if op:
            q.set = (op, self.query())
        else:
            self.eat("END")
        return q

    def starts_item(self) -> bool:
        kind, word = self.peek()
        return kind == "c" or kind == "k" and (word == "VIA" or word in grammar.AGGREGATES or word in grammar.PARTS)

    def items(self) -> list:
        out = []
        while self.starts_item():
            out.append(self.item())
        return out

    def item(self) -> tuple:
        left = self.operand()
        while op := self.eat(*grammar.ARITHMETIC):
            left = ("arithmetic", op, left, self.operand())
        return left

    def operand(self) -> tuple:
        if self.eat("SUB"):
            return ("sub", self.query())
        name = self.eat(*grammar.AGGREGATES)
        if not name:
            return self.base()
        distinct = bool(self.eat("DISTINCT"))
        if self.eat("OPEN"):
            argument = self.item()
            self.eat("CLOSE")
        else:
            argument = self.base()
        condition = None
        if self.eat("FILTER"):
            condition = self.condition()
            self.eat("CLOSE")
        return ("aggregate", name, distinct, argument, condition)

    def base(self) -> tuple:
        part = self.eat(*grammar.PARTS)
        if part:
            return ("part", part, self.base())
        via = self.take()[1] if self.eat("VIA") else 0
        kind, index = self.take()
        if kind != "c":
            raise Unsupported("column expected")
        return ("column", index, via)

    def condition(self) -> tuple:
        groups = [[self.term()]]
        while joiner := self.eat("AND", "OR"):
            if joiner == "OR":
                groups.append([])
            groups[-1].append(self.term())
        parts = [g[0] if len(g) == 1 else ("and", g) for g in groups]
        return parts[0] if len(parts) == 1 else ("or", parts)

    def term(self) -> tuple:
        negated = bool(self.eat("NOT"))
        if self.eat("OPEN"):
            inner = self.condition()
            self.eat("CLOSE")
            return ("not", inner) if negated else inner
        expression = self.item()
        op = self.take()[1]
        if op in ("ISNULL", "NOTNULL"):
            return ("test", expression, op, [])
        sides = [self.side()]
        if op in ("BETWEEN", "NOT_BETWEEN"):
            sides.append(self.side())
        elif op in ("IN", "NOT_IN") and sides[0][0] != "sub":
            while not self.eat("CLOSE"):
                sides.append(self.side())
        return ("test", expression, op, sides)

    def side(self) -> tuple:
        kind, what = self.peek()
        if kind == "w":
            return ("words", self.take()[1], self.take()[1])
        if kind == "v":
            return ("value", self.take()[1])
        if kind == "k" and what.startswith("V:"):
            return ("value", self.take()[1][2:])
        if self.eat("SUB"):
            return ("sub", self.query())
        if self.eat("OUTER"):
            return ("outer", self.take()[1])
        return self.base()


def read(tokens: list[Token]) -> Query:
    return Reader(tokens).query()


def simplify(node: tuple | None) -> tuple | None:
    """A condition with groups of the same kind merged, so that equal meanings are written equally."""
    if not node or node[0] not in ("and", "or"):
        return node
    parts = []
    for part in map(simplify, node[1]):
        parts.extend(part[1] if part[0] == node[0] else [part])
    return parts[0] if len(parts) == 1 else (node[0], parts)
