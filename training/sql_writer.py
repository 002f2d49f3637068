"""The logical form to SQL for SQLite."""
from __future__ import annotations

from training.joins import Node, plan
from training.linking import Contents, is_number
from training.logical_form import Query, Unsupported, columns_in
from training.schema import Schema
from training.values import boolean_of, number_of, part_value, period_of, year_in

PART_SQL = {
    "YEAR": "CAST(strftime('%Y', {}) AS INTEGER)", "MONTH": "CAST(strftime('%m', {}) AS INTEGER)",
    "DAY": "CAST(strftime('%d', {}) AS INTEGER)", "QUARTER": "((CAST(strftime('%m', {}) AS INTEGER) + 2) / 3)",
    "WEEKDAY": "((CAST(strftime('%w', {}) AS INTEGER) + 6) % 7 + 1)"}
LIKE_SHAPE = {"C": "%{}%", "S": "{}%", "E": "%{}", "X": "{}"}


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class SqlWriter:
    """One statement. `question` and `words` give the text of values that are spans; `contents` maps them to stored spellings."""

    def __init__(self, schema: Schema, question: str = "", words: list[tuple[int, int]] = (), contents: Contents | None = None):
        self.schema, self.question, self.words, self.contents = schema, question, words, contents
        self.aliases = 0
        self.scopes: list[dict[Node, str]] = []

    def query(self, q: Query) -> str:
        steps = plan(self.schema, columns_in(q), q.tables)
        if not steps:
            raise Unsupported("no table")
        names: dict[Node, str] = {}
        source = []
        for node, there, pair in steps:
            if node in names:
                continue
            self.aliases += 1
            names[node] = f"T{self.aliases}"
            table = f"{quote(self.schema.tables[node[1]])} AS {names[node]}"
            if there is None:
                source.append(table)
            elif pair is None:
                source.append(f"CROSS JOIN {table}")
            else:
                left, right = (quote(self.schema.columns[c][1]) for c in pair)
                source.append(f"JOIN {table} ON {names[there]}.{left} = {names[node]}.{right}")
        self.scopes.append(names)
        sql = self.body(q, " ".join(source))
        self.scopes.pop()
        if q.set:
            sql += f" {q.set[0]} {self.query(q.set[1])}"
        return sql

    def body(self, q: Query, source: str) -> str:
        select = [self.expression(e) for e in q.select]
        distinct = "DISTINCT " if q.distinct else ""
        tail = f" WHERE {self.condition(q.where)}" if q.where else ""
        if q.group:
            tail += " GROUP BY " + ", ".join(self.expression(e) for e in q.group)
            if q.having:
                tail += f" HAVING {self.condition(q.having)}"
        order = ", ".join(f"{self.expression(e)} {d}" for e, d in q.order)
        if q.limit and q.limit[0] == "TIES" and order:
            inner = ", ".join(f"{e} AS C{i}" for i, e in enumerate(select))
            names = ", ".join(f"C{i}" for i in range(len(select)))
            return (f"SELECT {names} FROM (SELECT {distinct}{inner}, RANK() OVER (ORDER BY {order}) AS place FROM {source}{tail}) "
                    f"WHERE place <= {self.count(q.limit[1])} ORDER BY place")
        sql = f"SELECT {distinct}{', '.join(select)} FROM {source}{tail}"
        if order:
            sql += f" ORDER BY {order}"
        if q.limit:
            count = self.count(q.limit[1])
            sql += f" LIMIT 1 OFFSET {max(0, int(count) - 1)}" if q.limit[0] == "NTH" else f" LIMIT {count}"
        return sql

    def count(self, side: tuple) -> str:
        number = number_of(self.said(side))
        return number if number and number.isdigit() else "1"

    def said(self, side: tuple) -> str:
        if side[0] == "words":
            return self.question[self.words[side[1]][0]:self.words[side[2]][1]]
        return side[1]

    def name(self, column: int, via: int, depth: int = 1) -> str:
        if column == 0:
            return "*"
        scope = self.scopes[-depth] if depth <= len(self.scopes) else {}
        node = (via, self.schema.table_of(column))
        if node not in scope:
            raise Unsupported("table not in reach")
        return f"{scope[node]}.{quote(self.schema.columns[column][1])}"

    def expression(self, node: tuple) -> str:
        kind = node[0]
        if kind == "column":
            return self.name(node[1], node[2])
        if kind == "part":
            return PART_SQL[node[1]].format(self.expression(node[2]))
        if kind == "aggregate":
            _, name, distinct, argument, condition = node
            sql = f"{name}({'DISTINCT ' if distinct else ''}{self.expression(argument)})"
            return sql + (f" FILTER (WHERE {self.condition(condition)})" if condition else "")
        if kind == "arithmetic":
            return self.arithmetic(node)
        if kind == "sub":
            return f"({self.query(node[1])})"
        raise Unsupported(kind)

    def arithmetic(self, node: tuple) -> str:
        _, op, left, right = node
        if op == "-" and self.is_time(left) and self.is_time(right):
            return f"(julianday({self.expression(left)}) - julianday({self.expression(right)}))"
        a, b = self.expression(left), self.expression(right)
        if op == "PCT":
            return f"(100.0 * {a} / {b})"
        if op == "/":
            return f"(1.0 * {a} / {b})"
        return f"({a} {'*' if op == 'MUL' else op} {b})"

    def is_time(self, node: tuple) -> bool:
        return node[0] == "column" and node[1] > 0 and self.schema.iso[node[1]]

    def condition(self, node: tuple) -> str:
        kind = node[0]
        if kind in ("and", "or"):
            return "(" + f" {kind.upper()} ".join(self.condition(part) for part in node[1]) + ")"
        if kind == "not":
            return f"NOT ({self.condition(node[1])})"
        _, expression, op, sides = node
        left = self.expression(expression)
        if op in ("ISNULL", "NOTNULL"):
            return f"{left} IS {'NOT ' if op == 'NOTNULL' else ''}NULL"
        periods = self.periods(expression, sides)
        if periods and op in ("=", "!=", ">", "<", ">=", "<=", "BETWEEN", "NOT_BETWEEN"):
            return period_test(left, op, periods)
        rights = [self.side(s, expression, op) for s in sides]
        if op in ("BETWEEN", "NOT_BETWEEN"):
            return f"{left} {op.replace('_', ' ')} {rights[0]} AND {rights[1]}"
        if op in ("IN", "NOT_IN"):
            inner = rights[0] if sides[0][0] == "sub" else f"({', '.join(rights)})"
            return f"{left} {op.replace('_', ' ')} {inner}"
        if "LIKE" in op:
            return f"{left} {'NOT ' if op[0] == 'N' else ''}LIKE {rights[0]}"
        return f"{left} {op} {rights[0]}"

    def periods(self, expression: tuple, sides: list) -> list[tuple[str, str]] | None:
        """The periods that the sides name, where a column of ISO dates is compared with nothing but periods."""
        if not self.is_time(expression) and not (expression[0] == "aggregate" and self.is_time(expression[3])):
            return None
        if any(s[0] not in ("value", "words") for s in sides):
            return None
        texts = [self.said(s) for s in sides]
        year = next((y for y in map(year_in, reversed(texts)) if y), None)
        found = [period_of(t, year) for t in texts]
        return found if all(found) else None

    def side(self, side: tuple, expression: tuple, op: str) -> str:
        if side[0] == "sub":
            return f"({self.query(side[1])})"
        if side[0] == "outer":
            return self.name(side[1], 0, 2)
        if side[0] not in ("value", "words"):
            return self.expression(side)
        return self.literal(self.said(side), expression, op)

    def literal(self, text: str, expression: tuple, op: str) -> str:
        """A value in SQL, by the type of what it is compared with."""
        if "LIKE" in op:
            return text_literal(LIKE_SHAPE[op[-1]].format(text))
        if expression[0] == "part":
            return part_value(expression[1], text)
        if expression[0] == "aggregate" and expression[1] in ("MIN", "MAX"):
            expression = expression[3]
        if expression[0] != "column" or not expression[1]:
            return number_of(text) or text_literal(text)
        kind = self.schema.types[expression[1]]
        if kind == "boolean" or kind == "text" and self.is_flag(expression[1]):
            return self.boolean(expression[1], text)
        if kind == "number":
            return number_of(text) or text_literal(text)
        if self.contents:
            text = self.contents.spelling(expression[1], text)
        return text if is_number(text) and kind != "text" else text_literal(text)

    def is_flag(self, column: int) -> bool:
        """Whether a text column holds nothing but ways to say yes and no."""
        known = self.contents.by_column.get(column, {}) if self.contents else {}
        return 0 < len(known) <= 2 and all(boolean_of(key) is not None for key in known)

    def boolean(self, column: int, text: str) -> str:
        """Stored as text ('T', 'yes') it keeps its stored spelling, else it is 1 or 0."""
        known = self.contents.by_column.get(column, {}) if self.contents else {}
        truth = boolean_of(text)
        for key, stored in known.items():
            if truth is not None and boolean_of(key) == truth:
                return text_literal(stored)
        return truth if truth is not None else text_literal(text)


def period_test(left: str, op: str, periods: list[tuple[str, str]]) -> str:
    """A comparison of an ISO date with periods: each is from its first day up to the day after its last."""
    (start, after), (_, last) = periods[0], periods[-1]
    inside = f"({left} >= '{start}' AND {left} < '{last}')"
    return {"=": inside, "BETWEEN": inside, "!=": f"NOT {inside}", "NOT_BETWEEN": f"NOT {inside}", ">": f"{left} >= '{after}'",
            ">=": f"{left} >= '{start}'", "<": f"{left} < '{start}'", "<=": f"{left} < '{after}'"}[op]


def write_sql(q: Query, schema: Schema, question: str = "", words=(), contents: Contents | None = None) -> str:
    """SQL of a logical form; raises Unsupported when its columns cannot be brought together."""
    try:
        return SqlWriter(schema, question, words, contents).query(q)
    except (ValueError, IndexError) as error:
        raise Unsupported(str(error)) from error
