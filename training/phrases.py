"""Words for tables, columns and filters of a described schema: what the synthetic questions are made of."""
from __future__ import annotations

import dataclasses
import datetime
import random

from training.described import Described, plural
from training.logical_form import column, test, value
from training.spider import Database
from training.values import FALSE_WORDS, TRUE_WORDS, number_of

MARK = 0xE000  # the first of the private code points that stand for values in a question until it is finished
PLACES = frozenset(["city", "country", "region"])
PARTICIPLES = frozenset("built founded born opened established launched drafted hired shipped borrowed returned admitted discharged signed installed "
                        "joined started ended issued filed closed cancelled sold paid received delivered sent discovered elected listed commissioned "
                        "formed approved collected published released bought built taken made".split())
MONTH_NAMES = "January February March April May June July August September October November December".split()
WEEKDAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NO_MEASURE = ("id", "code", "zip", "phone", "latitude", "longitude", "year", "isbn", "room number", "postal")
# What a column that is named by a verb alone is called as a noun.
VERB_NAMES = {"since": "start date", "hired": "hire date", "joined": "joining date", "opened": "opening date", "started": "start date",
              "ended": "end date", "launched": "launch date", "founded": "founding year", "built": "year of construction", "born": "year of birth",
              "installed": "installation date", "formed": "founding year", "established": "founding year", "listed": "listing year",
              "commissioned": "year of commissioning", "discovered": "discovery year", "elected": "year of election", "drafted": "draft year"}
SMALL_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


@dataclasses.dataclass
class Filter:
    """A condition with its words before ("open") and after ("in Berlin") the noun it narrows."""
    before: str
    after: str
    condition: tuple
    column: int


class Ask:
    """The values of one question: each stands as a private code point until the question is finished."""

    def __init__(self, rng: random.Random):
        self.rng, self.texts = rng, []

    def say(self, text: str) -> str:
        self.texts.append(text)
        return chr(MARK + len(self.texts) - 1)

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)


class View:
    """A described database sorted by use: labels, measures, categories, dates, keys."""

    def __init__(self, described: Described, database: Database):
        self.d, self.schema, self.contents = described, database.schema, database.contents
        self.connection = database.connections[0]
        self.target = {a: b for a, b in reversed(self.schema.foreign)}
        tables = range(len(self.schema.tables))
        self.values = {c: self.distinct(c) for c in range(1, len(self.schema.columns))}
        self.plain = {t: [c for c in self.schema.columns_of(t) if c not in self.target and c not in self.schema.primary and self.values[c]] for t in tables}
        self.labels = {t: self.find_labels(t) for t in tables}
        self.measures = {t: [c for c in self.plain[t] if self.is_measure(c)] for t in tables}
        self.years = {t: [c for c in self.plain[t] if self.is_year(c)] for t in tables}
        self.dates = {t: [c for c in self.plain[t] if self.schema.iso[c]] for t in tables}
        self.flags = {t: [c for c in self.plain[t] if self.is_flag(c)] for t in tables}
        self.cats = {t: [c for c in self.plain[t] if self.is_category(c, t)] for t in tables}
        self.keys = {t: [c for c in self.schema.columns_of(t) if c in self.target] for t in tables}
        self.primary = {t: next((c for c in self.schema.columns_of(t) if c in self.schema.primary), 0) for t in tables}

    def distinct(self, c: int) -> list:
        table, name = self.schema.tables[self.schema.table_of(c)], self.schema.columns[c][1]
        rows = self.connection.execute(f'SELECT DISTINCT "{name}" FROM "{table}" WHERE "{name}" IS NOT NULL ORDER BY 1 LIMIT 300')
        return [r[0] for r in rows if self.usable(c, r[0])]

    def usable(self, c: int, v) -> bool:
        """Whether a stored value can be said: of its column's type, and not too long."""
        if self.schema.types[c] == "number":
            return isinstance(v, (int, float))
        if self.schema.iso[c]:
            return is_date(str(v))
        return not isinstance(v, str) or 0 < len(v) < 40

    def find_labels(self, t: int) -> list[int]:
        """The column, or first and last name, that people call a row by."""
        texts = [c for c in self.plain[t] if self.schema.types[c] == "text"]
        first = [c for c in texts if self.d.kinds[c].shape == "first"]
        last = [c for c in texts if self.d.kinds[c].shape == "last"]
        if first and last:
            return [first[0], last[0]]
        for c in texts:
            words = self.d.column_phrases[c][0]
            if words.endswith(("name", "title", "headline", "nickname", "symbol")) or words in ("model", "make", "username"):
                return [c]
        return []

    def is_measure(self, c: int) -> bool:
        return (self.schema.types[c] == "number" and self.d.kinds[c].shape in ("int", "float") and len(self.values[c]) > 3
                and not any(word in self.d.column_phrases[c][0] for word in NO_MEASURE))

    def is_year(self, c: int) -> bool:
        return self.d.kinds[c].shape == "year" and all(isinstance(v, int) for v in self.values[c][:20])

    def is_flag(self, c: int) -> bool:
        return bool(self.values[c]) and all(str(v).lower() in TRUE_WORDS | FALSE_WORDS for v in self.values[c]) and len(self.values[c]) == 2

    def is_category(self, c: int, t: int) -> bool:
        shape = self.d.kinds[c].shape
        return (self.schema.types[c] == "text" and c not in self.labels[t] and not self.is_flag(c) and not self.schema.iso[c]
                and shape in ("category", "city", "country", "region", "nationality", "language", "color", "genre", "subject", "status", "job", "gender", "word"))

    def noun(self, ask: Ask, t: int, many: bool = True) -> str:
        phrases = self.d.table_phrases[t]
        phrase = phrases[0] if ask.rng.random() < 0.65 else ask.rng.choice(phrases)
        return plural(phrase) if many else phrase

    def name(self, ask: Ask, c: int) -> str:
        """Words for a column: its own, a synonym, or now and then only its last word where that is enough."""
        phrases = self.d.column_phrases[c]
        phrase = phrases[0] if ask.rng.random() < 0.6 else ask.rng.choice(phrases)
        phrase = VERB_NAMES.get(phrase, phrase)
        words = phrase.split()
        if len(words) > 2 and words[-1] in ("on", "at", "in"):
            words = words[:-1]
        if len(words) > 1 and words[-1] in ("on", "at"):
            phrase = words[0] + " date" if words[-1] == "on" else words[0] + " time"
        short = phrase.split()[-1]
        if len(words) > 1 and len(short) > 3 and ask.rng.random() < 0.12 and self.unique_word(c, short):
            return short
        return phrase

    def unique_word(self, c: int, word: str) -> bool:
        others = [x for x in self.schema.columns_of(self.schema.table_of(c)) if x != c]
        return not any(word in p.split() for x in others for p in self.d.column_phrases[x])

    def is_person(self, t: int) -> bool:
        return bool(self.labels[t]) and self.d.kinds[self.labels[t][0]].shape in ("person", "first")

    def twins(self, key: int) -> bool:
        """Whether another key leads from the same table to the same table, or the key leads back to its own table."""
        t, there = self.schema.table_of(key), self.schema.table_of(self.target[key])
        return t == there or sum(self.schema.table_of(self.target[k]) == there for k in self.keys[t]) > 1

    def via(self, key: int) -> int:
        return key if self.twins(key) else 0


def is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def nice_number(ask: Ask, values: list) -> float:
    """A round threshold inside the range of a column."""
    ordered = sorted(values)
    raw = ordered[int(len(ordered) * ask.rng.uniform(0.15, 0.85))]
    if abs(raw) >= 20:
        size = 10 ** (len(str(int(abs(raw)))) - 1)
        step = size if ask.rng.random() < 0.5 else max(1, size // 10)
        raw = round(raw / step) * step
    return round(raw, 1) if isinstance(raw, float) and abs(raw) < 20 else int(raw)


def number_words(ask: Ask, number: float) -> str:
    """A number as people write it: 5000, 5,000, 5k, 5 thousand, 1.5 million, five."""
    options = [str(number)] * 3
    if isinstance(number, int) and 1000 <= number:
        options += [f"{number:,}"] * 2
        for size, names in ((1000, (" thousand", "k")), (10**6, (" million", "m", "M")), (10**9, (" billion", "bn"))):
            if size <= number < size * 1000 and number % (size // 10) == 0:
                short = f"{number / size:g}"
                options += [short + ask.rng.choice(names)] * 2
    if isinstance(number, int) and 0 < number <= 12:
        options += [SMALL_WORDS[number]] * 2
    text = ask.rng.choice(options)
    return text if number_of(text) is not None and float(number_of(text)) == float(number) else str(number)


COMPARE = {
    ">": ("above", "over", "more than", "greater than", "higher than", "exceeding", "larger than", "bigger than", "in excess of"),
    "<": ("below", "under", "less than", "lower than", "smaller than", "fewer than"),
    ">=": ("of at least", "at least", "no less than", "of not less than", "greater than or equal to", "larger than or equal to", "higher than or equal to", "no lower than", "not below"),
    "<=": ("of at most", "at most", "no more than", "up to", "less than or equal to", "smaller than or equal to", "lower than or equal to", "not more than", "not above"),
    "=": ("of", "equal to", "of exactly", "equals", "")}
MONEY = ("price", "cost", "fee", "fare", "salary", "amount", "revenue", "budget", "wage", "rent", "balance", "income")


def number_filter(ask: Ask, view: View, c: int, via: int = 0) -> Filter:
    expression, name = column(c, via), view.name(ask, c)
    draw = ask.rng.random()
    if draw < 0.15:
        low, high = sorted((nice_number(ask, view.values[c]), nice_number(ask, view.values[c])))
        if low < high:
            a, b = ask.say(number_words(ask, low)), ask.say(number_words(ask, high))
            words = ask.pick(f"with {name} between {a} and {b}", f"whose {name} is between {a} and {b}", f"with a {name} from {a} to {b}", f"with {name} in the range {a} to {b}")
            return Filter("", words, test(expression, "BETWEEN", value(a), value(b)), c)
    op = ask.rng.choice((">", ">", ">", "<", "<", ">=", "<=", "="))
    number = ask.rng.choice(view.values[c]) if op == "=" else nice_number(ask, view.values[c])
    said = ask.say(number_words(ask, number))
    shown = f"${said}" if any(word in name for word in MONEY) and ask.rng.random() < 0.25 else said
    how = ask.rng.choice(COMPARE[op])
    if name.endswith("s") and op != "=" and not name.endswith("ss") and ask.rng.random() < 0.6:
        bare = how.removeprefix("of ")
        bare = {"above": "over", "greater than": "more than", "higher than": "more than", "larger than": "more than", "below": "under",
                "lower than": "fewer than", "smaller than": "fewer than", "exceeding": "more than"}.get(bare, bare)
        words = f"with {bare} {said} {name}" if ask.rng.random() < 0.8 else f"with {said} or more {name}" if op == ">=" else f"having {bare} {said} {name}"
    else:
        bare = how.removeprefix("of ").replace("equals", "equal to")
        options = [f"with a {name} {how} {shown}", f"with {name} {how} {shown}", f"whose {name} is {bare} {shown}",
                   f"where the {name} {'are' if name.endswith('s') else 'is'} {bare} {shown}", f"that have a {name} {how} {shown}", f"having {name} {bare} {shown}"]
        if op in (">=", "<="):
            options += [f"with a {name} of {shown} or {'more' if op == '>=' else 'less'}", f"whose {name} is {shown} or {'higher' if op == '>=' else 'lower'}"]
        words = " ".join(ask.rng.choice(options).split())
    return Filter("", words, test(expression, op, value(said)), c)


def participle(view: View, c: int) -> str:
    """"shipped" for a column called "shipped on", or ""."""
    for phrase in view.d.column_phrases[c]:
        words = phrase.split()
        if words[-1] in ("on", "at", "in") and len(words) == 2 and words[0].endswith(("ed", "en", "ght", "nt", "id", "ld", "ade", "lt", "rn")):
            return words[0]
        if len(words) == 1 and words[0] in PARTICIPLES:
            return words[0]
    return ""


def date_text(ask: Ask, text: str) -> tuple[str, str]:
    """(words, preposition) for a period that holds a stored date: a year, month, quarter or day."""
    date = datetime.date.fromisoformat(text[:10])
    month = MONTH_NAMES[date.month - 1]
    draw = ask.rng.random()
    if draw < 0.5:
        return str(date.year), ask.pick("in", "in", "during", "from")
    if draw < 0.75:
        return ask.pick(f"{month} {date.year}", f"{month[:3]} {date.year}", f"{date.year}-{date.month:02d}"), ask.pick("in", "during")
    if draw < 0.85:
        quarter = (date.month + 2) // 3
        return ask.pick(f"Q{quarter} {date.year}", f"the {('first', 'second', 'third', 'fourth')[quarter - 1]} quarter of {date.year}"), "in"
    return ask.pick(f"{date.day} {month} {date.year}", f"{month} {date.day}, {date.year}", date.isoformat()), "on"


def date_filter(ask: Ask, view: View, c: int, via: int = 0) -> Filter:
    """A filter on ISO dates: a period, since, before, after, between, or a month or weekday of any year."""
    expression, verb = column(c, via), participle(view, c)
    table = view.schema.table_of(c)
    only = len(view.dates[table]) == 1 and not view.is_person(table)
    lead = verb + " " if verb and (not only or ask.rng.random() < 0.6) else "" if only else f"with {view.name(ask, c)} "
    text = str(ask.rng.choice(view.values[c]))
    draw = ask.rng.random()
    if draw < 0.1:
        month = ask.say(MONTH_NAMES[int(text[5:7]) - 1])
        return Filter("", lead + ask.pick(f"in {month}", f"in the month of {month}", f"in any {month}"), test(("part", "MONTH", expression), "=", value(month)), c)
    if draw < 0.17:
        day = WEEKDAY_NAMES[datetime.date.fromisoformat(text[:10]).weekday()]
        many = ask.rng.random() < 0.5
        said = ask.say(day + "s" if many else day)
        return Filter("", f"{lead}on {'' if many else 'a '}{said}", test(("part", "WEEKDAY", expression), "=", value(said)), c)
    if draw < 0.55:
        words, preposition = date_text(ask, text)
        said = ask.say(words)
        return Filter("", f"{lead}{preposition} {said}", test(expression, "=", value(said)), c)
    if draw < 0.7:
        other = str(ask.rng.choice(view.values[c]))
        low, high = sorted((text, other))
        return between_filter(ask, lead, expression, c, low, high)
    words, _ = date_text(ask, text)
    said = ask.say(words)
    op, how = ask.rng.choice(((">=", "since"), (">", "after"), ("<", "before"), ("<=", "up to"), (">=", "from"), ("<", "earlier than"), (">", "later than")))
    return Filter("", f"{lead}{how} {said}" + (" on" if how == "from" else ""), test(expression, op, value(said)), c)


def between_filter(ask: Ask, lead: str, expression: tuple, c: int, low: str, high: str) -> Filter:
    """A range of years, of months (of one year, said once, or of two) or of days."""
    a, b = datetime.date.fromisoformat(low[:10]), datetime.date.fromisoformat(high[:10])
    if a.year != b.year and ask.rng.random() < 0.6:
        first, last = str(a.year), str(b.year)
    elif a.year == b.year and a.month != b.month:
        first, last = MONTH_NAMES[a.month - 1], f"{MONTH_NAMES[b.month - 1]} {b.year}"
    elif ask.rng.random() < 0.5:
        first, last = (f"{MONTH_NAMES[d.month - 1]} {d.year}" for d in (a, b))
    else:
        first, last = a.isoformat(), b.isoformat()
    x, y = ask.say(first), ask.say(last)
    return Filter("", lead + ask.pick(f"between {x} and {y}", f"from {x} to {y}", f"from {x} through {y}"), test(expression, "BETWEEN", value(x), value(y)), c)


def year_filter(ask: Ask, view: View, c: int, via: int = 0) -> Filter:
    """A filter on a column that holds years as numbers."""
    expression, verb = column(c, via), participle(view, c)
    lead = verb + " " if verb else "" if view.d.column_phrases[c][0] in ("year", "release year") and ask.rng.random() < 0.6 else f"with {view.name(ask, c)} "
    year = ask.rng.choice(view.values[c])
    draw = ask.rng.random()
    if draw < 0.2:
        other = ask.rng.choice(view.values[c])
        low, high = sorted((year, other))
        a, b = ask.say(str(low)), ask.say(str(high))
        return Filter("", lead + ask.pick(f"between {a} and {b}", f"from {a} to {b}"), test(expression, "BETWEEN", value(a), value(b)), c)
    said = ask.say(str(year))
    op, how = ask.rng.choice((("=", "in"), ("=", "in"), (">", "after"), ("<", "before"), (">=", "since"), ("<=", "up to"), (">=", "in or after")))
    if op == "=" and not verb:
        how = "" if lead else "from"
    return Filter("", f"{lead}{how} {said}".replace("  ", " "), test(expression, op, value(said)), c)


def category_filter(ask: Ask, view: View, c: int, via: int = 0, negative: bool | None = None) -> Filter:
    """A filter on a text column: one value, several, or all but one."""
    expression, name, shape = column(c, via), view.name(ask, c), view.d.kinds[c].shape
    values = [v for v in view.values[c] if isinstance(v, str)]
    text = ask.rng.choice(values)
    draw = ask.rng.random()
    if negative or negative is None and draw < 0.1:
        said = ask.say(text)
        words = (ask.pick(f"not in {said}", f"outside {said}", f"that are not in {said}") if shape in PLACES else
                 ask.pick(f"whose {name} is not {said}", f"with a {name} other than {said}", f"that are not {said}", f"except those with {name} {said}"))
        return Filter("", words, test(expression, "!=", value(said)), c)
    if draw < 0.2 and len(values) > 3 and negative is None:
        return list_filter(ask, expression, name, shape, c, values)
    said = ask.say(text)
    condition = test(expression, "=", value(said))
    if shape in PLACES:
        return Filter("", ask.pick(f"in {said}", f"from {said}", f"in {said}", f"based in {said}", f"located in {said}", f"whose {name} is {said}"), condition, c)
    adjective = text == text.lower() and shape in ("category", "status", "genre", "color") or shape in ("nationality",)
    if (adjective or shape in ("category", "status", "genre", "color") and len(text.split()) <= 2 and ask.rng.random() < 0.5) and ask.rng.random() < 0.5:
        return Filter(said, "", condition, c)
    quoted = ask.pick(said, said, said, f'"{said}"', f"'{said}'")
    options = [f"with {name} {said}", f"whose {name} is {quoted}", f"where the {name} is {said}", f"with {quoted} as {name}", f"of {name} {quoted}", f"that have {name} {said}", f"with the {name} {quoted}",
               f"having the {name} {said}", f"which have {said} as their {name}", f"with a {name} of {said}"]
    if adjective:
        options += [f"that are {said}"] * 2
    return Filter("", ask.rng.choice(options), condition, c)


def list_filter(ask: Ask, expression: tuple, name: str, shape: str, c: int, values: list[str]) -> Filter:
    """One of two or three values, or none of them."""
    chosen = ask.rng.sample(values, ask.rng.choice((2, 2, 3)))
    said = [ask.say(text) for text in chosen]
    joined = ", ".join(said[:-1]) + ask.pick(" or ", " and ", ", or ") + said[-1]
    if ask.rng.random() < 0.2:
        words = f"{'in' if shape in PLACES else 'with ' + name} neither {' nor '.join(said)}"
        return Filter("", words, test(expression, "NOT_IN", *map(value, said)), c)
    words = f"in {joined}" if shape in PLACES else ask.pick(f"with {name} {joined}", f"whose {name} is {joined}", f"whose {name} is one of {joined}")
    return Filter("", words, test(expression, "IN", *map(value, said)), c)


def flag_filter(ask: Ask, view: View, c: int, via: int = 0) -> Filter:
    """A yes or no column: its name is the adjective, and the value is not said."""
    expression, phrase = column(c, via), view.d.column_phrases[c][0]
    yes = ask.rng.random() < 0.6
    condition = test(expression, "=", value("Yes" if yes else "No"))
    if " " in phrase:
        said = ask.say("yes" if yes else "no")
        return Filter("", f"with {phrase} {said}", test(expression, "=", value(said)), c)
    if yes:
        return Filter(phrase, "", condition, c) if ask.rng.random() < 0.4 else Filter("", ask.pick(f"that are {phrase}", f"which were {phrase}", f"marked as {phrase}", f"with {phrase}", f"that have {phrase}"), condition, c)
    return Filter("", ask.pick(f"that are not {phrase}", f"which were not {phrase}", f"not marked as {phrase}", f"without {phrase}", f"that do not have {phrase}"), condition, c)


def null_filter(ask: Ask, view: View, c: int) -> Filter:
    """A missing or a known value."""
    name, verb = view.name(ask, c), participle(view, c)
    if ask.rng.random() < 0.7:
        options = [f"without a {name}", f"with no {name}", f"whose {name} is missing", f"whose {name} is unknown", f"that have no {name}"]
        if verb:
            options += [f"not yet {verb}", f"that have not been {verb}"] * 2
        return Filter("", ask.rng.choice(options), test(column(c), "ISNULL"), c)
    return Filter("", ask.pick(f"that have a {name}", f"whose {name} is known", f"with a known {name}"), test(column(c), "NOTNULL"), c)


def full_name(ask: Ask, view: View, t: int, via: int = 0) -> tuple[str, tuple]:
    """A person of a table with first and last names: the words, and the test of both columns."""
    first, last = view.labels[t]
    table, a, b = view.schema.tables[t], view.schema.columns[first][1], view.schema.columns[last][1]
    people = view.connection.execute(f'SELECT "{a}", "{b}" FROM "{table}" WHERE "{a}" IS NOT NULL AND "{b}" IS NOT NULL').fetchall()
    names = [str(n) for n in ask.rng.choice(people)] if people else ["Anna", "Berg"]
    said = [ask.say(n) for n in names]
    condition = ("and", [test(column(c, via), "=", value(s)) for c, s in zip((first, last), said)])
    words = ask.pick("{0} {1}", "{0} {1}", "{0} {1}", "{1}, {0}", "first name {0} and last name {1}").format(*said)
    return words, condition


def parent_filter(ask: Ask, view: View, key: int) -> Filter | None:
    """A filter through a foreign key: by the name of the other row, or by one of its own attributes."""
    there, via = view.schema.table_of(view.target[key]), view.via(key)
    role = ask.rng.choice(view.d.column_phrases[key]) if via else view.noun(ask, there, False)
    labels = view.labels[there]
    if len(labels) == 2 and ask.rng.random() < 0.65:
        words, condition = full_name(ask, view, there, via)
        lead = "with" if words.startswith("first") else "named"
        options = [f"of {role} {words}", f"for the {role} {lead} {words}", f"of the {role} {lead} {words}"] + ([] if via or lead == "with" else [f"by {words}"] * 3)
        return Filter("", ask.rng.choice(options), condition, labels[0])
    if len(labels) == 1 and ask.rng.random() < 0.65:
        values = [v for v in view.values[labels[0]] if isinstance(v, str)]
        if not values:
            return None
        text = ask.rng.choice(values)
        shown = text.split()[-1] if len(text.split()) == 2 and view.contents.partial.get(text.split()[-1].lower(), {}).get(labels[0]) and ask.rng.random() < 0.4 else text
        said = ask.say(shown)
        options = [f"of {role} {said}", f"for {role} {said}", f"whose {role} is {said}", f"with {role} {said}"]
        if not via:
            options += [f"by {said}"] * 3 if view.is_person(there) else [f"of {said}", f"for {said}", f"at {said}"]
        return Filter("", ask.rng.choice(options), test(column(labels[0], via), "=", value(said)), labels[0])
    further = [k for k in view.keys[there] if not view.twins(k) and view.schema.table_of(view.target[k]) != there]
    inner = parent_filter(ask, view, ask.rng.choice(further)) if further and not via and ask.rng.random() < 0.2 else own_filter(ask, view, there, via)
    if inner is None or inner.after == "":
        return None
    return Filter("", ask.pick(f"of {plural(role)} {inner.after}", f"for {plural(role)} {inner.after}", f"from {plural(role)} {inner.after}"), inner.condition, inner.column)


def own_filter(ask: Ask, view: View, t: int, via: int = 0) -> Filter | None:
    """A filter on a column of the table itself."""
    makers = ([(category_filter, c) for c in view.cats[t]] * 3 + [(number_filter, c) for c in view.measures[t]] * 2
              + [(date_filter, c) for c in view.dates[t]] * 4 + [(year_filter, c) for c in view.years[t]] * 2)
    if not via:
        makers += [(flag_filter, c) for c in view.flags[t]] * 2
        if ask.rng.random() < 0.12:
            makers += [(lambda a, v, x, _=0: null_filter(a, v, x), c) for c in view.dates[t] + view.cats[t]]
    if not makers:
        return None
    make, c = ask.rng.choice(makers)
    return make(ask, view, c, via)


def any_filter(ask: Ask, view: View, t: int) -> Filter | None:
    if view.keys[t] and ask.rng.random() < 0.4:
        return parent_filter(ask, view, ask.rng.choice(view.keys[t]))
    return own_filter(ask, view, t)


@dataclasses.dataclass
class Noun:
    """A noun with its filters: words and condition (None without any)."""
    words: str
    condition: tuple | None
    columns: tuple[int, ...] = ()


def noun_phrase(ask: Ask, view: View, t: int, many: bool = True, chances: tuple[float, ...] = (0.75, 0.25), word: str = "") -> Noun:
    """The table's noun with up to as many filters as there are chances; two are joined by and, or, or but not."""
    filters: list[Filter] = []
    for chance in chances:
        found = any_filter(ask, view, t) if ask.rng.random() < chance else None
        if found and all(found.column != f.column for f in filters):
            filters.append(found)
    noun = word or view.noun(ask, t, many)
    before = [f.before for f in filters if f.before][:1]
    filters = [f for f in filters if not f.before or f.before in before]
    afters = [f.after for f in filters if f.after]
    if not filters:
        return Noun(noun, None)
    conditions = [f.condition for f in filters]
    joiner, kind = " ", "and"
    if len(afters) == 2:
        draw = ask.rng.random()
        joiner, kind = (" or ", "or") if draw < 0.2 else (" and ", "and") if draw < 0.6 else (" ", "and")
    words = " ".join(before + [noun]) + (" " + joiner.join(afters) if afters else "")
    condition = conditions[0] if len(conditions) == 1 else (kind, conditions)
    return Noun(words, condition, tuple(f.column for f in filters))

