"""SQL to the logical form: Spider's, and that of our written questions.

The latter says more than Spider's does: YEAR(c) and the other parts of dates, PCT(a, b) for 100 a / b, COUNT(*) FILTER (WHERE …), a query as the second
operand of a calculation, TIES n and NTH n in place of LIMIT n, and dates in words ('May 2021') that stand for the whole period.
"""
from __future__ import annotations

import re

from training import grammar
from training.logical_form import Query, Unsupported, aggregate, column, simplify, value
from training.schema import Schema

TOKEN = re.compile(r"""\s*('(?:[^']|'')*'|"[^"]*"|`[^`]*`|\d+\.\d+|\d+(?![A-Za-z_])|[A-Za-z0-9_]+|[<>!]\s*=|<>|[<>=(),.*+\-/;])""")
LIMITS = ("LIMIT", "TIES", "NTH")
CLAUSES = ("JOIN", "ON", "WHERE", "GROUP", "ORDER", *LIMITS, "INNER", "LEFT", "HAVING", "AS", *grammar.SETS)


def lex(sql: str) -> list[str]:
    out, at, sql = [], 0, sql.strip()
    while at < len(sql):
        match = TOKEN.match(sql, at)
        if not match:
            raise Unsupported("lex " + sql[at:at + 20])
        out.append(re.sub(r"\s", "", match[1]) if match[1][0] in "<>!" else match[1])
        at = match.end()
        while at < len(sql) and sql[at].isspace():
            at += 1
    return [t for t in out if t != ";"]


class Scope:
    """The table instances of one SELECT: alias to instance number, and the table of each instance."""

    def __init__(self, outer: "Scope | None"):
        self.alias: dict[str, int] = {}
        self.table: list[int] = []
        self.equalities: list[tuple] = []
        self.outer = outer


class SqlReader:
    def __init__(self, sql: str, schema: Schema):
        self.tokens, self.at, self.schema = lex(sql), 0, schema
        self.scope = Scope(None)
        self.table_names = [t.lower() for t in schema.tables]

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].upper() if at < len(self.tokens) else ""

    def eat(self, *words: str) -> str:
        word = self.peek()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def need(self, word: str) -> None:
        if not self.eat(word):
            raise Unsupported(f"expected {word} at {self.tokens[self.at:self.at + 4]}")

    def query(self, outer: Scope | None = None) -> Query:
        q = self.core(outer)
        op = self.eat(*grammar.SETS)
        if op:
            self.eat("ALL")
            q.set = (op, self.query(outer))
        return q

    def from_position(self) -> int:
        depth = 0
        for at in range(self.at, len(self.tokens)):
            word = self.tokens[at].upper()
            depth += (word == "(") - (word == ")")
            if depth == 0 and word == "FROM":
                return at
        raise Unsupported("no FROM")

    def sources(self) -> None:
        """Reads FROM with its joins into the scope."""
        while True:
            if self.peek() == "(":
                raise Unsupported("query in FROM")
            name = self.tokens[self.at].strip("\"`'").lower()
            if name not in self.table_names:
                raise Unsupported("table " + name)
            self.at += 1
            instance = len(self.scope.table)
            self.scope.table.append(self.table_names.index(name))
            self.scope.alias.setdefault(name, instance)
            named = self.eat("AS") or (re.fullmatch(r"[A-Z_][A-Z0-9_]*", self.peek()) and self.peek() not in CLAUSES)
            if named:
                self.scope.alias[self.tokens[self.at].lower()] = instance
                self.at += 1
            if self.eat("ON"):
                self.equality()
                while self.eat("AND", "OR"):
                    self.equality()
            if not self.eat("INNER") and self.eat("LEFT"):
                self.eat("OUTER")
            if not (self.eat("JOIN") or self.eat(",")):
                return

    def equality(self) -> None:
        left = self.reference()
        self.at += 1
        self.scope.equalities.append((left, self.reference()))

    def core(self, outer: Scope | None) -> Query:
        self.need("SELECT")
        select_at = self.at
        self.scope = Scope(outer)
        self.at = self.from_position() + 1
        self.sources()
        after, scope = self.at, self.scope
        self.at = select_at
        q = Query(distinct=bool(self.eat("DISTINCT")), tables=list(scope.table))
        q.select.append(self.item())
        while self.eat(","):
            q.select.append(self.item())
        self.at = after
        if self.eat("WHERE"):
            q.where = simplify(self.condition())
        if self.eat("GROUP"):
            self.need("BY")
            q.group.append(self.base())
            while self.eat(","):
                q.group.append(self.base())
            if self.eat("HAVING"):
                q.having = simplify(self.condition())
        if self.eat("ORDER"):
            self.need("BY")
            self.orders(q)
        if limit := self.eat(*LIMITS):
            q.limit = (limit, value(self.tokens[self.at]))
            self.at += 1
        Instances(self.schema, scope).resolve(q)
        return q

    def orders(self, q: Query) -> None:
        while True:
            q.order.append((self.item(), self.eat("ASC", "DESC") or "ASC"))
            if not self.eat(","):
                return

    def item(self) -> tuple:
        left = self.operand()
        while self.peek() in ("+", "-", "/", "*"):
            op = {"*": "MUL"}.get(self.peek(), self.peek())
            self.at += 1
            left = ("arithmetic", op, left, self.side() if self.peek() == "(" and self.peek(1) == "SELECT" else self.operand())
        if self.eat("AS"):
            self.at += 1
        return left

    def operand(self) -> tuple:
        if self.peek() == "(" and self.peek(1) != "SELECT":
            self.at += 1
            inner = self.item()
            self.need(")")
            return inner
        if self.peek() in grammar.AGGREGATES and self.peek(1) == "(":
            name = self.eat(*grammar.AGGREGATES)
            self.need("(")
            distinct = bool(self.eat("DISTINCT"))
            argument = self.item()
            self.need(")")
            return aggregate(name, argument, distinct, self.filter())
        if self.peek() == "PCT" and self.peek(1) == "(":
            self.at += 2
            part = self.operand()
            self.need(",")
            whole = self.side() if self.peek() == "(" else self.operand()
            self.need(")")
            return ("arithmetic", "PCT", part, whole)
        return self.base()

    def filter(self) -> tuple | None:
        """The condition that FILTER puts on an aggregate."""
        if self.peek() != "FILTER" or self.peek(1) != "(":
            return None
        self.at += 2
        self.need("WHERE")
        condition = simplify(self.condition())
        self.need(")")
        return condition

    def base(self) -> tuple:
        """A column, or a part of a date, as ("instance", scope, instance, column) until the joins are known."""
        if self.peek() in grammar.PARTS and self.peek(1) == "(":
            part = self.eat(*grammar.PARTS)
            self.need("(")
            inner = self.base()
            self.need(")")
            return ("part", part, inner)
        scope, instance, index = self.reference()
        return ("instance", scope, instance, index)

    def reference(self) -> tuple:
        word = self.tokens[self.at].strip('"`')
        if not re.fullmatch(r"[A-Za-z0-9_*\- /()%?]+", word):
            raise Unsupported("column " + word)
        self.at += 1
        if word == "*":
            return self.scope, -1, 0
        if self.peek() == ".":
            self.at += 1
            name = self.tokens[self.at].strip('"`')
            self.at += 1
            scope: Scope | None = self.scope
            while scope is not None and word.lower() not in scope.alias:
                scope = scope.outer
            if scope is None:
                raise Unsupported("alias " + word)
            instance = scope.alias[word.lower()]
            return scope, instance, 0 if name == "*" else self.find(scope, instance, name)
        scope = self.scope
        while scope is not None:
            for instance in range(len(scope.table)):
                found = self.find(scope, instance, word, missing=0)
                if found:
                    return scope, instance, found
            scope = scope.outer
        raise Unsupported("column " + word)

    def find(self, scope: Scope, instance: int, name: str, missing: int | None = None) -> int:
        for c in self.schema.columns_of(scope.table[instance]):
            if self.schema.columns[c][1].lower() == name.lower():
                return c
        if missing is None:
            raise Unsupported("column " + name)
        return missing

    def condition(self) -> tuple:
        groups = [[self.term()]]
        while joiner := self.eat("AND", "OR"):
            if joiner == "OR":
                groups.append([])
            groups[-1].append(self.term())
        return ("or", [("and", g) for g in groups])

    def opens_group(self) -> bool:
        """Whether the bracket here holds a condition rather than an expression or a query."""
        depth = 0
        for at in range(self.at, len(self.tokens)):
            word = self.tokens[at].upper()
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return False
            if depth == 1 and word in ("=", "!=", "<>", ">", "<", ">=", "<=", "LIKE", "IN", "BETWEEN"):
                return True
        return False

    def term(self) -> tuple:
        scope = self.scope
        negated = bool(self.eat("NOT"))
        if self.peek() == "(" and self.opens_group():
            self.at += 1
            inner = self.condition()
            self.need(")")
            return ("not", inner) if negated else inner
        expression = self.item()
        negated = bool(self.eat("NOT")) or negated
        op = {"<>": "!="}.get(self.peek(), self.peek())
        self.at += 1
        sides = self.sides(op)
        self.scope = scope
        if op == "IS":
            return ("test", expression, "NOTNULL" if sides else "ISNULL", [])
        if op == "LIKE":
            text = sides[0][1]
            if sides[0][0] != "value":
                raise Unsupported("LIKE")
            shape = "C" if text[:1] == "%" and text[-1:] == "%" else "E" if text[:1] == "%" else "S" if text[-1:] == "%" else "X"
            return ("test", expression, ("N" if negated else "") + "LIKE_" + shape, [value(text.strip("%"))])
        if op in ("IN", "BETWEEN"):
            return ("test", expression, ("NOT_" if negated else "") + op, sides)
        if op not in grammar.COMPARISONS:
            raise Unsupported("operator " + op)
        plain = ("test", expression, op, sides)
        return ("not", plain) if negated else plain

    def sides(self, op: str) -> list:
        if op == "IS":
            return [True] if self.eat("NOT") and self.eat("NULL") else [] if self.eat("NULL") else []
        if op == "BETWEEN":
            low = self.side()
            self.need("AND")
            return [low, self.side()]
        if op == "IN" and self.peek() == "(" and self.peek(1) != "SELECT":
            self.at += 1
            out = [self.side()]
            while self.eat(","):
                out.append(self.side())
            self.need(")")
            return out
        return [self.side()]

    def side(self) -> tuple:
        if self.peek() == "(":
            self.at += 1
            scope = self.scope
            inner = ("sub", self.query(scope)) if self.peek() == "SELECT" else self.side()
            self.scope = scope
            self.need(")")
            return inner
        word = self.tokens[self.at]
        if word[0] == "'" or word[0] == '"':
            self.at += 1
            return value(word[1:-1])
        if word == "-":
            self.at += 2
            return value("-" + self.tokens[self.at - 1])
        if re.fullmatch(r"\d+(\.\d+)?", word):
            self.at += 1
            return value(word)
        return self.base()


class Instances:
    """Turns instances of tables into plain columns, or columns through a key where a table is met twice or by one of two keys."""

    def __init__(self, schema: Schema, scope: Scope):
        self.schema, self.scope = schema, scope
        self.via = [0] * len(scope.table)

    def resolve(self, q: Query) -> None:
        self.find_branches()
        tables = [t for t, via in zip(self.scope.table, self.via) if not via]
        if len(set(tables)) != len(tables):
            raise Unsupported("same table twice")
        q.tables = tables
        for field in ("select", "where", "group", "having", "order"):
            setattr(q, field, self.swap(getattr(q, field)))

    def ambiguous(self, a: int, b: int) -> bool:
        """Whether the key a -> b is not the one that the default join of the two tables takes."""
        pair = {self.schema.table_of(a), self.schema.table_of(b)}
        return len(pair) == 1 or sum({self.schema.table_of(x), self.schema.table_of(y)} == pair for x, y in self.schema.foreign) > 1

    def find_branches(self) -> None:
        """Marks every instance on the far side of an ambiguous key, and what hangs on it, with that key."""
        keys = set(self.schema.foreign)
        links = []
        for (_, i, a), (_, j, b) in self.scope.equalities:
            if (b, a) in keys and (a, b) not in keys:
                i, a, j, b = j, b, i, a
            links.append((i, a, j, b))
        for i, a, j, b in links:
            if (a, b) in keys and i != j and self.ambiguous(a, b):
                self.spread(j, a, i, links)

    def spread(self, instance: int, via: int, back: int, links: list) -> None:
        self.via[instance] = via
        for i, _, j, _ in links:
            other = j if i == instance else i if j == instance else None
            if other is not None and other != back and other != instance and not self.via[other]:
                self.spread(other, via, instance, links)

    def swap(self, node):
        if isinstance(node, list):
            return [self.swap(n) for n in node]
        if not isinstance(node, tuple):
            return node
        if node[0] == "instance":
            _, scope, instance, index = node
            if scope is not self.scope:
                return node if scope is not None else column(index)
            return column(index, self.via[instance] if index and instance >= 0 else 0)
        if node[0] == "sub":
            return node
        return tuple(self.swap(n) for n in node)


def read_sql(sql: str, schema: Schema) -> Query:
    reader = SqlReader(sql, schema)
    q = reader.query()
    if reader.at != len(reader.tokens):
        raise Unsupported("rest " + " ".join(reader.tokens[reader.at:reader.at + 4]))
    return outer_columns(q)


def outer_columns(node):
    """Columns of an enclosing query become ("outer", column), which only the side of a test may be."""
    if isinstance(node, Query):
        for field in ("select", "where", "group", "having", "order", "limit", "set"):
            setattr(node, field, outer_columns(getattr(node, field)))
        return node
    if isinstance(node, list):
        return [outer_columns(n) for n in node]
    if isinstance(node, tuple):
        if node and node[0] == "instance":
            return ("outer", node[3])
        return tuple(outer_columns(n) for n in node)
    return node
