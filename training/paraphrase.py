"""Other wordings of Spider's questions: leads, comparisons and nouns in other words, other values of the same columns, another tone."""
from __future__ import annotations

import random
import re

from training import grammar
from training.described import NOUNS, plural
from training.logical_form import Token
from training.phrases import MARK, SMALL_WORDS
from training.schema import Schema
from training.spider import Database, Example
from training.synthetic import finish, tone, with_spans
from training.text import MAX_WORDS, split_words

MAX_VALUE_WORDS = 4
SWAP_CHANCE, NOUN_CHANCE, REWRITE_CHANCE, BARE_CHANCE = 0.5, 0.12, 0.6, 0.05
DO = ("Find", "Show", "List", "Give me", "Return", "Tell me", "Show me", "Get", "Display", "Report", "Provide", "I want", "I need", "Please list", "Give")
# (pattern, what may stand in its place); the first that fits the beginning of a question is used.
LEADS = [(re.compile(p, re.I), options) for p, options in (
    (r"^how many (.+?) are there(.*?)\s*[?.]?$", (r"Count the number of \1\2.", r"What is the number of \1\2?", r"Find the number of \1\2.", r"What is the total number of \1\2?", r"number of \1\2", r"Tell me how many \1 there are\2.")),
    (r"^(?:count|find|show|return|give|give me) the (?:total )?number of (.+?)\s*[?.]?$", (r"How many \1 are there?", r"What is the number of \1?", r"How many \1?", r"Count the \1.", r"Count the number of \1")),
    (r"^what is the (?:total )?number of (.+?)\s*[?.]?$", (r"How many \1 are there?", r"Count the number of \1.", r"Find the number of \1", r"How many \1?")),
    (r"^(?:what are|what is|what's|which are) (the|all) (.+?)\s*[?.]?$", tuple(rf"{do} \1 \2." for do in DO) + (r"\2",)),
    (r"^(?:find out|find|show me|show|list out|list|give me|give|return|display|tell me|report|select) (the|all) (.+?)\s*[?.]?$",
     tuple(rf"{do} \1 \2" for do in DO) + (r"What are \1 \2?", r"What are \1 \2?", r"What is \1 \2?")),
    (r"^which (\w+) (have|has) (.+?)\s*[?.]?$", (r"Find the \1 that \2 \3.", r"Show the \1 which \2 \3", r"What \1 \2 \3?")))]
REWRITES = [(re.compile(rf"\b(?:{p})\b", re.I), options) for p, options in (
    (r"sorted by|ordered by", ("sorted by", "ordered by", "in order of")),
    (r"in descending order of", ("in descending order of", "from highest to lowest", "in decreasing order of", "sorted descending by")),
    (r"in ascending order of", ("in ascending order of", "in increasing order of", "sorted ascending by", "from lowest to highest")),
    (r"in alphabetical order|alphabetically", ("in alphabetical order", "alphabetically", "in lexicographic order")),
    (r"greater than or equal to|larger than or equal to|no less than|at least", ("at least", "no less than", "greater than or equal to", "larger than or equal to", "not less than")),
    (r"less than or equal to|no more than|at most", ("at most", "no more than", "less than or equal to", "not more than")),
    (r"(?:more|greater|larger|higher|bigger) than(?! or)", ("more than", "greater than", "larger than", "higher than", "over", "above")),
    (r"(?:less|smaller|lower|fewer) than(?! or)", ("less than", "smaller than", "lower than", "below", "under")),
    (r"the (?:most|largest|greatest|highest|maximum) number of", ("the most", "the largest number of", "the greatest number of", "the highest number of")),
    (r"the (?:least|smallest|fewest|lowest|minimum) number of", ("the fewest", "the smallest number of", "the least number of", "the lowest number of")),
    (r"maximum|highest|greatest|largest", ("maximum", "highest", "greatest", "largest")), (r"minimum|lowest|smallest", ("minimum", "lowest", "smallest")),
    (r"average(?! mean)", ("average", "mean", "average")), (r"different|distinct|unique", ("different", "distinct", "unique")),
    (r"for each|for every|of each", ("for each", "for every", "of each")), (r"do not have any|don't have any|have no|do not have", ("do not have any", "have no", "don't have any")),
    (r"as well as|along with|together with", ("as well as", "along with", "together with", "and")), (r"all the", ("all", "the", "all the")),
    (r"who have|that have|which have", ("who have", "that have", "having", "with")),
    (r"and also", ("and", "and also")), (r"corresponding", ("corresponding", "respective")), (r"in total", ("in total", "altogether")))]
NOUN_PATTERN = re.compile(r"\b(" + "|".join(sorted(NOUNS, key=len, reverse=True)) + r")(s?)\b", re.I)


def marked(example: Example) -> tuple[str, list[str], list[Token]] | None:
    """The question with a private code point for each value, the values, and the target that refers to them; None where values overlap."""
    words = split_words(example.question)[:MAX_WORDS]
    spans, target, at = [], [], 0
    while at < len(example.target):
        kind, what = example.target[at]
        if kind != "w":
            target.append((kind, what))
            at += 1
            continue
        span = (what, example.target[at + 1][1])
        if span not in spans:
            spans.append(span)
        target.append(("v", chr(MARK + spans.index(span))))
        at += 2
    ordered = sorted(spans)
    if any(a[1] >= b[0] for a, b in zip(ordered, ordered[1:])):
        return None
    question, texts = example.question, []
    for first, last in spans:
        texts.append(example.question[words[first][0]:words[last][1]])
    for first, last in reversed(ordered):
        question = question[:words[first][0]] + chr(MARK + spans.index((first, last))) + question[words[last][1]:]
    return question, texts, target


def other_number(text: str, rng: random.Random) -> str:
    """A number like a given one: a year stays a year, a small word a small word."""
    if text.lower() in SMALL_WORDS[2:]:
        return rng.choice(SMALL_WORDS[2:])
    if not text.isdecimal():
        return text
    number = int(text)
    if 1900 <= number <= 2030 and len(text) == 4:
        return str(rng.randint(max(1900, number - 15), min(2030, number + 15)))
    return str(max(1, int(number * rng.uniform(0.4, 1.8)) + rng.randint(0, 3)))


def with_other_values(texts: list[str], target: list[Token], schema: Schema, database: Database, rng: random.Random) -> list[str]:
    """Other values of the columns that the values are compared with; ranges stay as they are."""
    out = list(texts)
    for at, (kind, what) in enumerate(target):
        if kind != "v" or len(what) != 1 or at < 2 or rng.random() > SWAP_CHANCE:
            continue
        (before, c), (_, op), i = target[at - 2], target[at - 1], ord(what) - MARK
        if before != "c" or op not in ("=", "!=", ">", "<", ">=", "<=") or out[i] != texts[i]:
            continue
        if schema.types[c] == "number":
            out[i] = other_number(texts[i], rng)
        elif op in ("=", "!=") and not schema.iso[c]:
            values = [v for v in database.contents.by_column.get(c, {}).values() if len(v.split()) <= MAX_VALUE_WORDS]
            out[i] = rng.choice(values) if values else texts[i]
    return out


def other_noun(match: re.Match, rng: random.Random) -> str:
    if rng.random() > NOUN_CHANCE:
        return match[0]
    word = rng.choice(NOUNS[match[1].lower()])
    return plural(word) if match[2] else word


def reworded(question: str, rng: random.Random) -> str:
    """Another lead and other words; values are single code points and stay."""
    for pattern, options in LEADS:
        if pattern.search(question) and rng.random() < REWRITE_CHANCE:
            question = pattern.sub(rng.choice(options), question, count=1)
            break
    for pattern, options in REWRITES:
        if rng.random() < REWRITE_CHANCE:
            question = pattern.sub(lambda _: rng.choice(options), question)
    question = NOUN_PATTERN.sub(lambda m: other_noun(m, rng), question)
    if rng.random() < BARE_CHANCE:
        question = re.sub(r"\b(?:the|a|an|of the) ", "", question)
    return " ".join(question.split())


def paraphrases(example: Example, database: Database, count: int, rng: random.Random) -> list[Example]:
    """Up to count other wordings of one of Spider's examples, each with its own target."""
    found = marked(example)
    if not found:
        return []
    question, texts, target = found
    out, seen, keys = [], {example.question}, [a for a, _ in database.schema.foreign]
    for _ in range(2 * count):
        said, ranges = finish(tone(reworded(question, rng), rng), with_other_values(texts, target, database.schema, database, rng))
        tokens = with_spans(target, said, ranges)
        if tokens and said not in seen and grammar.accepts(tokens, keys):
            seen.add(said)
            out.append(Example(example.database, said, example.sql, tokens, "paraphrase"))
        if len(out) == count:
            break
    return out
