"""Words, folding, stems and WordPiece: every rule about characters, small enough to be written again in another language."""
import functools
import unicodedata

MAX_WORDS = 60
MAX_PIECE_CHARS = 100

SPACES = frozenset([0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0xA0, 0x202F, 0x3000, *range(0x2000, 0x200C)])
# Code points from 0x80 on that are no part of a word; every other one from 0x80 on is a letter.
MARK_RANGES = ((0x80, 0xA9), (0xAB, 0xB4), (0xB6, 0xB9), (0xBB, 0xBF), (0xD7, 0xD7), (0xF7, 0xF7), (0x2000, 0x2BFF),
               (0x3000, 0x303F), (0xFE00, 0xFE0F), (0xFF00, 0xFF0F))
FOLD_RANGES = ((0x41, 0x5A), (0xC0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x1E00, 0x1FFF))
FOLD_EXTRA = {0xDF: "ss", 0xE6: "ae", 0xC6: "ae", 0xF8: "o", 0xD8: "o", 0x142: "l", 0x141: "l", 0x111: "d", 0x110: "d",
              0x153: "oe", 0x152: "oe", 0xFE: "th", 0xDE: "th", 0xF0: "d", 0xD0: "d", 0x131: "i"}

STOP_WORDS = frozenset(
    "a an the of in on at to for by with and or is are was were be been do does did have has had what which who whom whose how "
    "many much that this these those each every all any it its their there than more less most least from as not no give show "
    "list find return me us please tell number name names id".split())

# Written out when a name of a table or column is turned into words.
ABBREVIATIONS = {
    "dept": "department", "qty": "quantity", "num": "number", "nbr": "number", "addr": "address", "desc": "description",
    "descr": "description", "amt": "amount", "cust": "customer", "emp": "employee", "prod": "product", "dob": "date of birth",
    "dt": "date", "yr": "year", "fname": "first name", "lname": "last name", "mgr": "manager", "acct": "account",
    "org": "organisation", "pct": "percentage", "avg": "average", "min": "minimum", "max": "maximum", "cat": "category",
    "ctry": "country", "loc": "location", "tel": "telephone", "dest": "destination", "src": "source", "qtr": "quarter",
    "stu": "student", "fac": "faculty", "inv": "invoice", "pmt": "payment", "txn": "transaction", "trans": "transaction",
    "ref": "reference", "lang": "language", "veh": "vehicle", "wt": "weight", "ht": "height", "temp": "temperature",
    "lat": "latitude", "lng": "longitude", "lon": "longitude", "mfr": "manufacturer", "hosp": "hospital", "pat": "patient",
    "doc": "document", "appt": "appointment", "stn": "station", "arr": "arrival", "dep": "departure", "ppl": "people",
    "pop": "population", "capt": "captain", "pos": "position", "pts": "points", "sal": "salary", "bal": "balance",
    "msg": "message", "grp": "group", "cnt": "count", "tot": "total", "rev": "revenue", "stat": "status", "sup": "supplier",
    "whse": "warehouse", "cntry": "country", "reg": "region", "ins": "insurance", "pol": "policy", "std": "standard",
    "crs": "course", "tbl": "", "dim": "", "fct": ""}


def fold_table() -> dict[int, str]:
    """Code point to its lower-case form without accents, where that differs from the code point itself."""
    table = {}
    for low, high in FOLD_RANGES:
        for code in range(low, high + 1):
            lowered = unicodedata.normalize("NFD", chr(code).lower())
            plain = "".join(c for c in lowered if unicodedata.category(c) != "Mn")
            if plain != chr(code):
                table[code] = plain
    table.update(FOLD_EXTRA)
    return table


FOLD = fold_table()


@functools.lru_cache(200_000)
def fold(text: str) -> str:
    """Lower case without accents, code point by code point through the table."""
    return text.translate(FOLD)


def is_word_char(char: str) -> bool:
    code = ord(char)
    if code < 0x80:
        return "a" <= char <= "z" or "A" <= char <= "Z" or "0" <= char <= "9" or char == "_"
    return not any(low <= code <= high for low, high in MARK_RANGES)


def is_digit(char: str) -> bool:
    return "0" <= char <= "9"


def number_end(text: str, start: int) -> int:
    """The end of a number with separators (1,000 or 2.5 or 1,000.5) that starts here, or start when there is none."""
    end = start
    while end < len(text) and is_digit(text[end]):
        end += 1
    if end == start:
        return start
    plain = end
    while (end + 3 < len(text) and text[end] == "," and all(is_digit(c) for c in text[end + 1:end + 4])
           and not (end + 4 < len(text) and is_digit(text[end + 4]))):
        end += 4
    if end + 1 < len(text) and text[end] == "." and is_digit(text[end + 1]):
        end += 1
        while end < len(text) and is_digit(text[end]):
            end += 1
    return end if end != plain else start


def split_words(text: str) -> list[tuple[int, int]]:
    """(start, end) of every word: a number with separators, a run of word characters, or one other character."""
    words, at = [], 0
    while at < len(text):
        if ord(text[at]) in SPACES:
            at += 1
            continue
        end = number_end(text, at)
        if end == at:
            while end < len(text) and is_word_char(text[end]):
                end += 1
        end = max(end, at + 1)
        words.append((at, end))
        at = end
    return words


@functools.lru_cache(200_000)
def stem(word: str) -> str:
    """A folded word without its plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@functools.lru_cache(200_000)
def plain_words(text: str) -> tuple[str, ...]:
    """The folded words of a text without marks; an underscore separates."""
    out = []
    for start, end in split_words(text):
        if is_word_char(text[start]):
            out.extend(part for part in fold(text[start:end]).split("_") if part)
    return tuple(out)


@functools.lru_cache(200_000)
def stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in plain_words(text))


@functools.lru_cache(200_000)
def squash(text: str) -> str:
    """The key under which two spellings of a value count as the same."""
    return " ".join(plain_words(text))


@functools.lru_cache(100_000)
def name_words(name: str) -> str:
    """The name of a table or column as words: split at case changes and marks, folded, abbreviations written out."""
    spaced = []
    for at, char in enumerate(name):
        before = name[at - 1] if at else ""
        after = name[at + 1] if at + 1 < len(name) else ""
        upper = "A" <= char <= "Z"
        starts_word = upper and ("a" <= before <= "z" or is_digit(before) if before else False)
        ends_acronym = upper and "A" <= before <= "Z" and "a" <= after <= "z" if before and after else False
        spaced.append(" " + char if starts_word or ends_acronym else char)
    words = plain_words("".join(spaced))
    expanded = [ABBREVIATIONS.get(word, word) for word in words]
    return " ".join(word for word in expanded if word) or " ".join(words) or fold(name)


class WordPiece:
    """Greedy longest-first WordPiece over folded words, as BERT's tokenizer for lower-cased English."""

    def __init__(self, vocabulary: list[str]):
        self.ids = {piece: at for at, piece in enumerate(vocabulary)}
        self.unknown = self.ids["[UNK]"]
        self.word = functools.lru_cache(200_000)(self._word)
        self.text = functools.lru_cache(200_000)(self._text)

    def _word(self, word: str) -> tuple[int, ...]:
        if len(word) > MAX_PIECE_CHARS:
            return (self.unknown,)
        out, at = [], 0
        while at < len(word):
            for end in range(len(word), at, -1):
                piece = ("##" if at else "") + word[at:end]
                if piece in self.ids:
                    out.append(self.ids[piece])
                    at = end
                    break
            else:
                return (self.unknown,)
        return tuple(out)

    def _text(self, text: str) -> tuple[int, ...]:
        """Pieces of a text: its words, split once more at underscores and at marks inside numbers."""
        out = []
        for start, end in split_words(text):
            run = ""
            for char in fold(text[start:end]) + " ":
                if is_word_char(char) and char != "_":
                    run += char
                    continue
                if run:
                    out.extend(self.word(run))
                run = ""
                if char != " ":
                    out.extend(self.word(char))
        return tuple(out)
