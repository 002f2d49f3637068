"""The closed vocabulary and the grammar of the linear form, and the automaton that says what may come next.

The grammar is LL(1): a state is a stack of symbols (a tuple, its top last), and one token decides the next state.
Symbols in angle brackets point outside the vocabulary: <column>, <key> (a foreign key column), <table>, <word> (the first
word of a value) and <end> (its last word, the same or at most MAX_SPAN - 1 words later).
"""
from __future__ import annotations

import functools

AGGREGATES = ["COUNT", "SUM", "AVG", "MIN", "MAX"]
PARTS = ["YEAR", "QUARTER", "MONTH", "DAY", "WEEKDAY"]
COMPARISONS = ["=", "!=", ">", "<", ">=", "<="]
LIKES = ["LIKE_C", "LIKE_S", "LIKE_E", "LIKE_X", "NLIKE_C", "NLIKE_S", "NLIKE_E", "NLIKE_X"]
SETS = ["INTERSECT", "UNION", "EXCEPT"]
ARITHMETIC = ["+", "-", "/", "MUL", "PCT"]
CONSTANTS = ["V:" + c for c in ("0", "1", "2", "3", "4", "5", "6", "7", "10", "100", "T", "F", "M", "Y", "N", "Yes", "No", "UNK")]
KEYWORDS = (["PAD", "BOS", "SELECT", "DISTINCT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "ASC", "DESC", "LIMIT", "TIES", "NTH",
             "AND", "OR", "NOT", "OPEN", "CLOSE", "SUB", "END", "FILTER", "VIA", "OUTER"]
            + AGGREGATES + PARTS + COMPARISONS + LIKES + ["IN", "NOT_IN", "BETWEEN", "NOT_BETWEEN", "ISNULL", "NOTNULL"]
            + SETS + ARITHMETIC + CONSTANTS)
KEYWORD_ID = {keyword: at for at, keyword in enumerate(KEYWORDS)}
BETWEEN_TWO_IDS = frozenset(KEYWORD_ID[k] for k in ARITHMETIC + COMPARISONS)
AGGREGATE_IDS = frozenset(KEYWORD_ID[k] for k in AGGREGATES)
POINTERS = ["<column>", "<key>", "<table>", "<word>", "<end>"]
MAX_SPAN = 10

RULES: dict[str, list[list[str]]] = {
    "query": [["SELECT", "distinct", "item", "items", "from", "where", "group", "order", "limit", "tail"]],
    "distinct": [["DISTINCT"], []],
    "items": [["item", "items"], []],
    "from": [["FROM", "<table>", "tables"], []],
    "tables": [["<table>", "tables"], []],
    "where": [["WHERE", "condition"], []],
    "group": [["GROUP", "base", "bases", "having"], []],
    "bases": [["base", "bases"], []],
    "having": [["HAVING", "condition"], []],
    "order": [["ORDER", "item", "direction", "orders"], []],
    "orders": [["item", "direction", "orders"], []],
    "direction": [["ASC"], ["DESC"]],
    "limit": [["LIMIT", "value"], ["TIES", "value"], ["NTH", "value"], []],
    "tail": [["END"]] + [[s, "query"] for s in SETS],
    "item": [["operand", "more"]],
    "more": [[a, "other", "more"] for a in ARITHMETIC] + [[]],
    "operand": [["base"], ["aggregate"]],
    "other": [["base"], ["aggregate"], ["SUB", "query"]],
    "aggregate": [[a, "distinct", "argument", "filter"] for a in AGGREGATES],
    "argument": [["base"], ["OPEN", "base", "arithmetic", "base", "factors", "CLOSE"]],
    "factors": [["arithmetic", "base", "factors"], []],
    "arithmetic": [[a] for a in ARITHMETIC],
    "filter": [["FILTER", "condition", "CLOSE"], []],
    "base": [["column"]] + [[p, "column"] for p in PARTS],
    "column": [["<column>"], ["VIA", "<key>", "<column>"]],
    "condition": [["term", "terms"]],
    "terms": [["AND", "term", "terms"], ["OR", "term", "terms"], []],
    "term": [["OPEN", "condition", "CLOSE"], ["NOT", "OPEN", "condition", "CLOSE"], ["item", "test"]],
    "test": ([[c, "side"] for c in COMPARISONS] + [[k, "value"] for k in LIKES]
             + [["IN", "members"], ["NOT_IN", "members"], ["BETWEEN", "side", "side"], ["NOT_BETWEEN", "side", "side"],
                ["ISNULL"], ["NOTNULL"]]),
    "side": [["value"], ["base"], ["OUTER", "<column>"], ["SUB", "query"]],
    "members": [["SUB", "query"], ["value", "values", "CLOSE"]],
    "value": [["<word>", "<end>"]] + [[c] for c in CONSTANTS],
    "values": [["value", "values"], []],
}

State = tuple[str, ...]
START: State = ("query",)


@functools.lru_cache(None)
def nullable(symbol: str) -> bool:
    return symbol in RULES and any(all(nullable(s) for s in body) for body in RULES[symbol])


@functools.lru_cache(None)
def first(symbol: str) -> frozenset[str]:
    """The terminals with which a symbol may begin."""
    if symbol not in RULES:
        return frozenset([symbol])
    out: set[str] = set()
    for body in RULES[symbol]:
        for part in body:
            out |= first(part)
            if not nullable(part):
                break
    return frozenset(out)


@functools.lru_cache(None)
def expansions(symbol: str) -> dict[str, tuple[str, ...]]:
    """Terminal to the body that begins with it; raises when two do, which would break LL(1)."""
    table: dict[str, tuple[str, ...]] = {}
    for body in RULES[symbol]:
        for terminal in first(body[0]) if body else ():
            if terminal in table:
                raise ValueError(f"{symbol} is not LL(1) at {terminal}")
            table[terminal] = tuple(body)
    return table


@functools.lru_cache(100_000)
def allowed(state: State) -> frozenset[str]:
    """The terminals that may come next."""
    out: set[str] = set()
    for symbol in reversed(state):
        out |= first(symbol)
        if not nullable(symbol):
            break
    return frozenset(out)


@functools.lru_cache(200_000)
def step(state: State, terminal: str) -> State:
    """The state after a terminal; raises ValueError when it may not come here. () means that the query is complete."""
    stack = list(state)
    while stack:
        top = stack.pop()
        if top == terminal:
            return tuple(stack)
        if top not in RULES:
            break
        body = expansions(top).get(terminal)
        if body is not None:
            stack.extend(reversed(body))
        elif not nullable(top):
            break
    raise ValueError(f"{terminal} may not follow")


def terminal_of(kind: str, value, state: State, keys: frozenset[int]) -> str:
    """The terminal of a token of kind k (keyword), c (column), t (table) or w (word) in this state."""
    if kind == "k":
        return value
    if kind == "t":
        return "<table>"
    options = allowed(state)
    if kind == "w":
        return "<end>" if "<end>" in options else "<word>"
    return "<key>" if "<key>" in options and value in keys else "<column>"


def accepts(tokens, keys) -> bool:
    """Whether the automaton takes the whole sequence of (kind, value) tokens."""
    state, keys = START, frozenset(keys)
    try:
        for kind, value in tokens:
            state = step(state, terminal_of(kind, value, state, keys))
    except ValueError:
        return False
    return state == ()


def is_idle(tokens: list[int], token: int) -> bool:
    """Whether a token (as a number: keywords, then what is pointed at) would compare a column, or its aggregate, with itself or compute with both. No
    question means that; reached through different keys, one column is two."""
    if len(tokens) < 2 or token < len(KEYWORDS):
        return False
    if tokens[-1] in AGGREGATE_IDS:
        return len(tokens) > 3 and tokens[-2] in BETWEEN_TWO_IDS and tokens[-3] == token and tokens[-4] == tokens[-1]
    return tokens[-1] in BETWEEN_TWO_IDS and tokens[-2] == token and (len(tokens) < 4 or tokens[-4] != KEYWORD_ID["VIA"])
