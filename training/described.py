"""Schemas with the words people use for them: our own (read from schemas/*.txt, named in many styles) and Spider's."""
from __future__ import annotations

import dataclasses
import pathlib
import re
import zlib

from training.contents import Kind, guess_kind
from training.schema import Schema

FOLDER = pathlib.Path(__file__).parent / "schemas"
SHAPES = frozenset("person first last city country nationality region language color genre subject status job product title company team email phone "
                   "address code gender word date datetime".split())
SHORT = {"department": "dept", "quantity": "qty", "number": "num", "address": "addr", "description": "desc", "amount": "amt", "customer": "cust",
         "employee": "emp", "product": "prod", "date": "dt", "manager": "mgr", "account": "acct", "percentage": "pct", "category": "cat",
         "location": "loc", "destination": "dest", "student": "stu", "payment": "pmt", "language": "lang", "vehicle": "veh", "weight": "wt",
         "height": "ht", "temperature": "temp", "position": "pos", "points": "pts", "salary": "sal", "balance": "bal", "group": "grp",
         "total": "tot", "revenue": "rev", "supplier": "sup", "country": "ctry", "region": "reg", "year": "yr", "reference": "ref"}


@dataclasses.dataclass
class Described:
    """A schema, what its columns hold, and phrases for tables and columns (singular, the commonest first)."""
    schema: Schema
    kinds: dict[int, Kind]
    table_phrases: list[list[str]]
    column_phrases: list[list[str]]
    held_out: bool = False


def plural(phrase: str) -> str:
    """The plural of the last word, or of the word before a preposition."""
    head, sep, rest = phrase.partition(" of ") if " of " in phrase else phrase.partition(" in ")
    word = head
    if word.endswith(("species", "series", "staff", "people", "equipment", "data", "information", "evidence", "livestock", "funding", "news", "crew", "olympics")):
        return phrase
    if word.endswith("person") and not word.endswith("salesperson"):
        word = word[:-6] + "people"
    elif word.endswith("man"):
        word = word[:-3] + "men"
    elif re.search("[^aeiou]y$", word):
        word = word[:-1] + "ies"
    elif re.search("(s|x|z|ch|sh)$", word):
        word += "es"
    else:
        word += "s"
    return word + sep + rest


def styled(words: str, style: str) -> str:
    """An identifier of these words in a naming style."""
    parts = re.findall(r"[A-Za-z0-9]+", words.lower())
    if style == "abbrev":
        return "_".join(SHORT.get(p, p) for p in parts)
    if style in ("camel", "pascal", "pascal_plural"):
        name = "".join("ID" if p == "id" and style != "camel" else p.capitalize() for p in parts)
        return name[0].lower() + name[1:] if style == "camel" else name
    if style == "upper":
        return "_".join(parts).upper()
    if style == "spaced":
        return " ".join(p.capitalize() for p in parts)
    return "_".join(parts)


def kind_of(spec: str) -> Kind | None:
    """The kind that a specification names, or None when it names none."""
    if spec in SHAPES:
        return Kind(spec)
    if spec.startswith("{"):
        return Kind("category", values=tuple(spec[1:-1].split("|")))
    numbers = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(\.\d+)?", spec)
    if not numbers:
        return None
    low, high = int(numbers[1]), int(numbers[2])
    if numbers[3]:
        return Kind("float", low, high)
    return Kind("year" if low >= 1400 and high <= 2030 and high - low < 800 else "int", low, high)


def type_of(kind: Kind) -> str:
    return "number" if kind.shape in ("int", "float", "year", "id") else "time" if kind.shape in ("date", "datetime") else "text"


class Block:
    """One database of a schema file."""

    def __init__(self, header: str, lines: list[str]):
        _, name, style, *marks = header.split()
        self.name, self.style, self.held_out = name, style, "!" in marks
        self.columns: list[tuple[int, str]] = [(-1, "*")]
        self.types, self.primary, self.links = ["text"], [], []
        self.phrases: list[list[str]] = [["*"]]
        self.kinds: dict[int, Kind] = {}
        self.tables, self.table_phrases, self.table_words = [], [], []
        for line in lines:
            self.table_words.append(line.split(":", 1)[0].split("/")[0].strip().lower())
        for line in lines:
            self.table(line)

    def table(self, line: str) -> None:
        names, specs = line.split(":", 1)
        phrases = [p.strip().lower() for p in names.split("/")]
        words = phrases[0]
        table_name = plural(words) if self.style.endswith("plural") else words
        if self.style == "prefix":
            table_name = "tbl " + words
        self.tables.append(styled(table_name, self.style))
        self.table_phrases.append(phrases)
        for spec in specs.split(";"):
            self.column(spec.strip(), words)

    def column(self, spec: str, table_words: str) -> None:
        spec, _, others = spec.partition("=")
        synonyms = [o.strip() for o in others.split("/") if o.strip()]
        index, table = len(self.columns), len(self.tables) - 1
        parts = re.findall(r"\{[^}]*\}|>[^=]+|\S+", spec.strip())
        if parts == ["id"]:
            bare = zlib.crc32(self.name.encode()) % 2 and self.style != "prefix"
            words, kind = ("id" if bare else table_words + " id"), Kind("id")
            self.primary.append(index)
            phrases = [table_words + " id"]
        elif parts[-1].startswith(">"):
            target = parts[-1][1:].strip()
            role = " ".join(parts[:-1]) or target
            words, kind, phrases = role + " id", Kind("id"), [role] + synonyms
            self.links.append((index, self.table_words.index(target)))
        else:
            kind = kind_of(parts[-1]) or Kind("word")
            words = " ".join(parts[:-1]) or parts[-1]
            phrases = [words] + synonyms
        if self.style == "prefix" and not words.startswith(table_words):
            words = table_words.split()[0][:4] + " " + words
        self.columns.append((table, styled(words, self.style)))
        self.types.append(type_of(kind))
        self.kinds[index] = kind
        self.phrases.append(phrases)

    def described(self) -> Described:
        key = {self.columns[p][0]: p for p in self.primary}
        foreign = [(c, key[t]) for c, t in self.links]
        schema = Schema(self.name, self.tables, self.columns, self.types, self.primary, foreign, [p[0] for p in self.table_phrases],
                        [p[0] for p in self.phrases])
        return Described(schema, self.kinds, self.table_phrases, self.phrases, self.held_out)


def own_schemas(folder: pathlib.Path = FOLDER) -> list[Described]:
    """All databases of schemas/*.txt."""
    out = []
    for path in sorted(folder.glob("*.txt")):
        blocks: list[list[str]] = []
        for line in path.read_text().splitlines():
            if line.startswith("@"):
                blocks.append([line])
            elif line.strip() and not line.startswith("#"):
                blocks[-1].append(line)
        out += [Block(b[0], b[1:]).described() for b in blocks]
    return out


# Other words for parts of names; used for schemas that bring no phrases of their own.
SYNONYMS = {"salary": ["pay", "wage"], "price": ["cost"], "city": ["town"], "customer": ["client"], "employee": ["worker"], "staff": ["employees"],
            "movie": ["film"], "film": ["movie"], "country": ["nation"], "location": ["place"], "student": ["pupil"], "physician": ["doctor"],
            "title": ["name"], "date": ["day"], "company": ["firm"], "store": ["shop"], "song": ["track"], "capacity": ["size"], "amount": ["sum"],
            "department": ["division"], "course": ["class"], "author": ["writer"], "birthday": ["date of birth"], "population": ["number of inhabitants"],
            "address": ["place of residence"], "phone": ["telephone number"], "email": ["mail address"], "start": ["beginning"], "end": ["finish"],
            "nationality": ["citizenship"], "instructor": ["lecturer"], "teacher": ["instructor"], "vehicle": ["car"], "product": ["item"], "order": ["purchase"],
            "manager": ["boss"], "description": ["details"], "rating": ["score"], "height": ["tallness"], "founder": ["creator"], "owner": ["proprietor"],
            "airline": ["carrier"], "apartment": ["flat"], "building": ["house"], "gender": ["sex"], "quantity": ["number"], "language": ["tongue"]}
# Other nouns in questions that people wrote; plurals take an s as well.
NOUNS = {"student": ["pupil", "learner"], "employee": ["worker", "staff member"], "customer": ["client", "buyer"], "movie": ["film"], "film": ["movie"],
         "country": ["nation"], "salary": ["pay", "wage"], "price": ["cost"], "company": ["firm", "business"], "store": ["shop"], "shop": ["store"], "song": ["track"],
         "department": ["division"], "course": ["class"], "author": ["writer"], "teacher": ["instructor"], "instructor": ["lecturer"], "product": ["item"],
         "doctor": ["physician"], "physician": ["doctor"], "car": ["automobile", "vehicle"], "vehicle": ["car"], "apartment": ["flat"], "location": ["place"],
         "phone number": ["telephone number", "phone"], "email": ["mail address", "e-mail"], "address": ["place of residence"], "manager": ["boss", "head"],
         "airline": ["carrier"], "player": ["sportsman", "athlete"], "team": ["squad"], "club": ["society"], "building": ["house"], "room": ["chamber"],
         "artist": ["performer"], "singer": ["vocalist"], "photo": ["picture"], "town": ["city"],
         "gender": ["sex"], "nationality": ["citizenship"], "rating": ["score"], "school": ["academy"], "university": ["college"], "district": ["area"], "dog": ["hound"],
         "owner": ["holder"], "transaction": ["payment"], "invoice": ["bill"], "festival": ["celebration"], "match": ["game"], "race": ["competition"], "museum": ["gallery"],
         "patient": ["sick person"], "ship": ["vessel"], "investor": ["backer"], "document": ["paper"], "member": ["participant"], "candidate": ["applicant"]}


def singular(phrase: str) -> str:
    if phrase.endswith("ies") and len(phrase) > 4:
        return phrase[:-3] + "y"
    return phrase[:-1] if phrase.endswith("s") and not phrase.endswith(("ss", "us", "is", "series", "species")) else phrase


def other_words(phrase: str) -> list[str]:
    """The phrase, and the phrase with one word replaced by a synonym."""
    out = [phrase]
    words = phrase.split()
    for at, word in enumerate(words):
        for synonym in SYNONYMS.get(word, ()):
            out.append(" ".join(words[:at] + [synonym] + words[at + 1:]))
    return out


def describe(schema: Schema) -> Described:
    """A Spider schema: phrases from its hand-cleaned names, without a table's name in front of its columns."""
    tables = [other_words(singular(t)) for t in schema.spoken_tables]
    columns = [["*"]]
    for c in range(1, len(schema.columns)):
        phrase, table = schema.spoken_columns[c], singular(schema.spoken_tables[schema.table_of(c)])
        bare = phrase[len(table):].strip() if phrase.startswith(table + " ") else phrase
        columns.append(other_words(bare or phrase))
    return Described(schema, {c: guess_kind(schema, c) for c in range(1, len(schema.columns))}, tables, columns)
