"""Synthetic questions over described schemas: constructs, tones, typos, and the finished examples."""
from __future__ import annotations

import random
import re
import zlib

from training import grammar
from training.constructs_joins import CONSTRUCTS  # that module comes last: with it all constructs have entered themselves
from training.described import Described
from training.execution import run
from training.logical_form import Token, Unsupported, linearise, read, simplify
from training.phrases import MARK, Ask, View
from training.spider import Database, Example, open_database
from training.sql_writer import write_sql
from training.text import MAX_WORDS, split_words

POLITE = ("Could you please tell me: {}", "Please {}", "{} please", "Hi, {}", "I'd like to know: {}", "{} Thanks!", "Hey, {}", "quick question: {}")
TYPO_CHANCE = 0.08
MAX_TOKENS = 80
RARE = ("two keys", "self reference")  # asked more often where the schema allows them at all
MAX_TABLES = 5  # that a construct is tried on
PREAMBLES = ("I am preparing a report.", "We have a meeting tomorrow.", "My manager wants to know something.", "I have a question about our data.", "Let us look at the figures.",
             "I am new here.", "This is for a presentation.", "Sorry to bother you.", "I'm just curious.", "Here is what I need.", "We need this for planning.", "One more thing.")


def typo(word: str, rng: random.Random) -> str:
    """A long word with two letters swapped, one left out or one doubled."""
    if len(word) < 5 or not word.isalpha():
        return word
    at = rng.randrange(1, len(word) - 2)
    return rng.choice((word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1:], word[:at] + word[at] + word[at:]))


AFTER_PLURAL = "above|over|more|greater|higher|below|under|less|lower|of|at|no|up|from|smaller|larger|exceeding"
MENDS = ((re.compile(r"(whose (?:[a-z]+ )*[a-z]+[^su]s) is "), r"\1 are "),
         (re.compile(rf"\ba ((?:[a-z]+ )?[a-z]+[^sui]s) (?={AFTER_PLURAL}\b)"), r"\1 "),
         (re.compile(r"\ba (?=[aeio][a-z])(?!one\b)"), "an "))


def mend(question: str) -> str:
    """Numbers and articles put right."""
    for pattern, replacement in MENDS:
        question = pattern.sub(replacement, question)
    return " ".join(question.split())


def tone(question: str, rng: random.Random) -> str:
    """The question in another tone: polite, all small letters, without its mark, or with a typo. Values stay as they are."""
    if rng.random() < 0.06:
        text = question[0].lower() + question[1:] if rng.random() < 0.7 else question
        question = rng.choice(POLITE).format(text)
    elif rng.random() < 0.02:
        question = f"{rng.choice(PREAMBLES)} {question[0].upper()}{question[1:]}"
    if rng.random() < 0.25:
        question = question.lower() if rng.random() < 0.6 else question[0].lower() + question[1:]
        question = question.rstrip("?.")
    elif question[0].islower() and rng.random() < 0.5:
        question = question[0].upper() + question[1:]
    if rng.random() < TYPO_CHANCE:
        words = question.split(" ")
        at = rng.randrange(len(words))
        words[at] = typo(words[at], rng)
        question = " ".join(words)
    return question


def finish(question: str, texts: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """The question with its values in place, and the character range of each value."""
    out, ranges, length = [], [(0, 0)] * len(texts), 0
    for char in question:
        at = ord(char) - MARK
        piece = texts[at] if 0 <= at < len(texts) else char
        if piece is not char:
            ranges[at] = (length, length + len(piece))
        out.append(piece)
        length += len(piece)
    return "".join(out), ranges


def with_spans(tokens: list[Token], question: str, ranges: list[tuple[int, int]]) -> list[Token] | None:
    """Values become the words that stand in their range, constants stay; None when a value has no words of its own."""
    words = split_words(question)
    if len(words) > MAX_WORDS or len(tokens) > MAX_TOKENS:
        return None
    out: list[Token] = []
    for kind, what in tokens:
        if kind != "v":
            out.append((kind, what))
            continue
        at = ord(what[0]) - MARK if len(what) == 1 else -1
        if not 0 <= at < len(ranges):
            out.append(("k", "V:" + what))
            continue
        low, high = ranges[at]
        inside = [i for i, (start, end) in enumerate(words) if start < high and end > low]
        if not inside or inside[-1] - inside[0] >= grammar.MAX_SPAN:
            return None
        out += [("w", inside[0]), ("w", inside[-1])]
    return out


class Maker:
    """Questions over one database."""

    def __init__(self, described: Described, database: Database, seed: int):
        self.view, self.database = View(described, database), database
        self.rng = random.Random(zlib.crc32(described.schema.name.encode()) + 7919 * seed)
        self.names = list(CONSTRUCTS)
        rare = any(self.view.twins(k) for keys in self.view.keys.values() for k in keys)
        self.weights = [CONSTRUCTS[n][0] * (3 if rare and n in RARE else 1) for n in self.names]
        self.keys = [a for a, _ in database.schema.foreign]

    def one(self) -> Example | None:
        """A question, or None where a random choice did not work out."""
        name = self.rng.choices(self.names, self.weights)[0]
        tables = [t for t in self.view.plain if self.view.plain[t]]
        made = None
        for t in self.rng.sample(tables, min(len(tables), MAX_TABLES)):
            ask = Ask(self.rng)
            made = CONSTRUCTS[name][1](ask, self.view, t)
            if made:
                break
        if made is None:
            return None
        question, query = made
        query.where = simplify(query.where)
        question, ranges = finish(tone(mend(question), self.rng), ask.texts)
        target = with_spans(linearise(query, self.view.schema), question, ranges)
        if target is None or not grammar.accepts(target, self.keys):
            return None
        return self.checked(name, question, target)

    def checked(self, name: str, question: str, target: list[Token]) -> Example | None:
        """The example if its SQL runs; of those without an answer only every fifth stays."""
        try:
            sql = write_sql(read(target), self.view.schema, question, split_words(question), self.database.contents)
        except Unsupported:
            return None
        rows = run(self.database.connections[0], sql)
        if rows is None or (not rows or rows[0] == (None,) or rows == [(0,)]) and self.rng.random() < 0.8:
            return None
        return Example(self.view.schema.name, question, sql, target, name)

    def many(self, count: int) -> list[Example]:
        out, seen, tries = [], set(), 0
        while len(out) < count and tries < count * 12:
            tries += 1
            example = self.one()
            if example and example.question not in seen:
                seen.add(example.question)
                out.append(example)
        return out


def own_database(described: Described) -> Database:
    return open_database(described.schema, [], described.kinds)


def questions(described: Described, database: Database, count: int, seed: int = 1) -> list[Example]:
    return Maker(described, database, seed).many(count)
