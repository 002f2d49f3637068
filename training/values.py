"""Values as people say them: numbers in words, periods of time, parts of dates; and the words of a question that say a literal."""
from __future__ import annotations

import datetime
import difflib
import re

from training.text import fold, plain_words, squash

UNITS = {w: i for i, w in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen".split())}
UNITS.update({"once": 1, "twice": 2, "single": 1, "a": 1, "an": 1, "couple": 2, "pair": 2})
ORDINALS = {w: i + 1 for i, w in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())}
TENS = {w: 10 * (i + 2) for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "millions": 10**6, "m": 10**6, "mn": 10**6,
          "billion": 10**9, "bn": 10**9, "trillion": 10**12, "thousands": 1000, "hundreds": 100}
MONTHS = {w: i + 1 for i, w in enumerate(
    "january february march april may june july august september october november december".split())}
MONTHS.update({w[:3]: i for w, i in list(MONTHS.items())})
MONTHS["sept"] = 9
WEEKDAYS = {w: i + 1 for i, w in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())}
QUARTERS = {"q1": 1, "q2": 2, "q3": 3, "q4": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "1": 1, "2": 2, "3": 3, "4": 4}
PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?")
TRUE_WORDS = frozenset(["yes", "true", "t", "y", "1"])
FALSE_WORDS = frozenset(["no", "false", "f", "n", "0"])


def written(number: float) -> str:
    """A number as SQL writes it: without a fraction where there is none."""
    rounded = round(number, 6)
    return str(int(rounded)) if rounded == int(rounded) else repr(rounded)


def number_of(text: str) -> str | None:
    """The number a text says ("1,000", "3 million", "10k", "two dozen", "twenty five", "3rd", "third"), or None."""
    folded = fold(text).strip().strip("$€£%").strip().replace(",", "")
    if PLAIN_NUMBER.fullmatch(folded):
        return folded
    total, current, seen = 0.0, None, False
    for word in folded.replace("-", " ").split():
        glued = re.fullmatch(r"(\d+(?:\.\d+)?)(k|m|mn|bn|st|nd|rd|th|%)?", word)
        if glued:
            current = (current or 0) + float(glued[1]) * SCALES.get(glued[2] or "", 1)
        elif word in UNITS or word in TENS or word in ORDINALS:
            if word in ("a", "an") and (current is not None or len(folded.split()) == 1):
                if current is None:
                    return None
                continue
            current = (current or 0) + UNITS.get(word, TENS.get(word, ORDINALS.get(word, 0)))
        elif word == "half":
            current = (current or 0) + 0.5
        elif word in SCALES:
            current = (1 if current is None else current) * SCALES[word]
            if SCALES[word] >= 1000:
                total, current = total + current, 0
        elif word not in ("and", "of"):
            return None
        seen = True
    return written(total + (current or 0)) if seen else None


def day(year: int, month: int, date: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, date)
    except ValueError:
        return None


def period_of(text: str, default_year: int | None = None) -> tuple[str, str] | None:
    """(first day, day after the last) of the period a text names, or None.

    Known are a year, a decade ("1990s"), a month with or without its year, a quarter or half of a year, and a day.
    """
    words = [w for w in plain_words(text) if w not in ("the", "of", "in", "year", "month", "quarter", "half")]
    kinds = set(plain_words(text))
    numbers = [int(re.match(r"\d+", w)[0]) for w in words if re.fullmatch(r"\d+(st|nd|rd|th)?", w)]
    years = [n for n in numbers if 1000 <= n <= 2999]
    small = [n for n in numbers if n < 1000]
    months = [MONTHS[w] for w in words if w in MONTHS]
    decade = [w for w in words if re.fullmatch(r"[12]\d\d0s", w)]
    unknown = [w for w in words if w not in MONTHS and w not in QUARTERS and w not in ("h1", "h2") and not re.fullmatch(r"\d+(st|nd|rd|th|s)?", w)]
    if unknown or not words:
        return None
    if decade and len(words) == 1:
        start = int(decade[0][:4])
        return f"{start}-01-01", f"{start + 10}-01-01"
    year = years[0] if years else default_year
    if year is None or len(years) > 1:
        return None
    if len(months) == 1 and len(small) <= 1:
        return span_of_day(year, months[0], small[0]) if small else span_of_months(year, months[0], 1)
    quarter = next((QUARTERS[w] for w in words if w in QUARTERS and ("quarter" in kinds or w[0] == "q")), None)
    if quarter:
        return span_of_months(year, 3 * quarter - 2, 3)
    half = 1 if "h1" in kinds or "half" in kinds and "first" in kinds else 2 if "h2" in kinds or "half" in kinds else None
    if half:
        return span_of_months(year, 6 * half - 5, 6)
    if years and len(words) == 1:
        return f"{year}-01-01", f"{year + 1}-01-01"
    if years and not months and len(words) == len(numbers) and numbers[0] == year:
        if len(small) == 2:
            return span_of_day(year, small[0], small[1])
        if len(small) == 1 and 1 <= small[0] <= 12:
            return span_of_months(year, small[0], 1)
    return None


def span_of_day(year: int, month: int, date: int) -> tuple[str, str] | None:
    start = day(year, month, date)
    return (start.isoformat(), (start + datetime.timedelta(1)).isoformat()) if start else None


def span_of_months(year: int, month: int, count: int) -> tuple[str, str] | None:
    if not 1 <= month <= 12:
        return None
    after = month + count
    return f"{year:04d}-{month:02d}-01", f"{year + (after - 1) // 12:04d}-{(after - 1) % 12 + 1:02d}-01"


def year_in(text: str) -> int | None:
    found = re.findall(r"(?<!\d)([12]\d\d\d)(?!\d)", text)
    return int(found[-1]) if found else None


def part_value(part: str, text: str) -> str:
    """The number of a part of a date: months and weekdays by name (Monday is 1), quarters by name, anything else as a number."""
    words = plain_words(text)
    for word in words:
        if part == "MONTH" and word in MONTHS:
            return str(MONTHS[word])
        if part == "WEEKDAY":
            for name in (word, word[:-1]):
                if name in WEEKDAYS:
                    return str(WEEKDAYS[name])
        if part == "QUARTER" and word in QUARTERS:
            return str(QUARTERS[word])
    return number_of(text) or "0"


def boolean_of(text: str) -> str | None:
    word = fold(text)
    return "1" if word in TRUE_WORDS else "0" if word in FALSE_WORDS else None


def find_literal(literal: str, question: str, words: list[tuple[int, int]]) -> tuple[int, int] | None:
    """(first, last) word that says a literal of a gold query: exactly, as a number in words, or nearly; None if not said."""
    count, target = len(words), squash(literal)
    if not target:
        return None
    for size in range(1, min(10, count) + 1):
        for at in range(count - size + 1):
            if squash(question[words[at][0]:words[at + size - 1][1]]) == target:
                return at, at + size - 1
    if PLAIN_NUMBER.fullmatch(literal):
        for size in (3, 2, 1):
            for at in range(count - size + 1):
                said = number_of(question[words[at][0]:words[at + size - 1][1]])
                if said is not None and float(said) == float(literal) and fold(question[words[at][0]:words[at][1]]) not in ("a", "an"):
                    return at, at + size - 1
        return None
    start = (period_of(literal) or ("",))[0]
    for size in range(min(5, count), 1, -1) if start else ():
        for at in range(count - size + 1):
            if (period_of(question[words[at][0]:words[at + size - 1][1]]) or (None,))[0] == start:
                return at, at + size - 1
    best, where = 0.72, None
    for size in range(1, min(8, count) + 1):
        for at in range(count - size + 1):
            ratio = difflib.SequenceMatcher(None, squash(question[words[at][0]:words[at + size - 1][1]]), target).ratio()
            if ratio > best:
                best, where = ratio, (at, at + size - 1)
    return where
