"""The texts of the golden files for words, values and model inputs: chosen to be odd."""

# Questions, names, scripts, marks, numbers, and what comes close to being one of them.
TEXTS = [
    "Which customers from São Paulo spent more than 1,000.50 euros in May 2023?",
    "How many players never scored in the 2022-23 season?",
    "Show the names and ages of all singers, ordered by age (oldest first).",
    'List e-mail addresses ending with "@example.com"',
    "What's the average of O'Brien's & Müller's salaries?",
    "Straße STRASSE straße GROẞE Größe",
    "İstanbul ISTANBUL ıstanbul istanbul Diyarbakır",
    "Ελλάδα ΑΘΗΝΑ Ὀδυσσεύς ᾠδή ΣΊΣΥΦΟΣ ς",
    "Москва МОСКВА Ёлка ёж Йошкар-Ола Київ Ґалаґан",
    "東京 大阪の人口は？ 北京。上海、広州 ㈱会社",
    "서울특별시 부산",
    "עברית ירושלים العربية القاهرة",
    "नमस्ते दुनिया हिन्दी",
    "ภาษาไทย กรุงเทพ",
    '\U0001f44d \U0001f600 5 stars \u2b50\u2b50\u2b50 \U0001f469\u200d\U0001f469\u200d\U0001f467 family',
    "naïve café résumé Señor Ångström Łódź Øresund Þór Æsir œuvre ĳssel",
    'e\u0301te\u0301 A\u030a combining n\u0303o \u0301 alone',
    "ﬁne ﬂow Ⅳ ½ ² ³ ª º µ",
    "1,000 1,000,000 1,0000 12,34 1,000.5 2.5 2. .5 1.2.3 1,000,00 0,123 1,000abc 10km 3.5kg v2.5",
    "2023-05-01 12:30:59 01/02/2020 31.12.1999 2022/23 '99",
    "custID HTTPServer team2Name First_Name __x__ _ __ a_b_c ORDER_ITEMS tbl_dim_fct",
    'a\tb',
    'c\x0b\x0c\rd\xa0e\u2003f\u200bg\u202fh\u3000i\u1680j\u2028k\u205fl',
    "$100 €200 £300 50% ≥ 5 ≠ → … “quoted” ‘single’ «guillemets» – — §3 ©®™",
    "buses boxes churches dishes flies ties status analysis class glasses series news its as is us James's",
    "queries query entries ladies skies pies",
    "x = 'a''b'; DROP TABLE students; -- hi",
    '\x00\x01\x1c\x1f\x7f\x85 control',
    "ǅ Ǆ ǆ Ǽ Ǿ ſ ẞ ﬀ K Å ϒ ϓ ´ ΄ ; · ΅",
    "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß÷ÿ",
    "the quick brown fox jumps over the lazy dog",
    "customer customers Customer's CUSTOMERS customerships unbelievable antidisestablishmentarianism",
    "what is the Population of the Country with the highest GDP per capita?",
    "Wie viele Straßen gibt es in Köln? Où est l'hôtel? ¿Dónde está? Não! Ação",
    "Đà Nẵng Huế Việt Nam Quảng Ngãi",
    "ŠKODA Žižkov Česko ŁÓDŹ Gdańsk Šiauliai Āgenskalns Ķekava",
    "Ẁ ẃ Ẅ ỳ Ỹ Ḃ ḋ Ṡ ṫ Ạ ộ Ử ỵ",
    "ἀ ἁ Ἀ ᾳ ᾷ Ῥ ῥ ῾ ᾽ Ὧ ῼ ώ",
    '\u0400 \u040d \u0407 \u0457 \u040e \u045e \u047e \u0482 \u0483\u0488 \u04c1 \u04c2 \u04d0 \u04d2 \u04f8 \u0500 \u0501',
    "don't can't it's rock'n'roll 90's '90s 1990s",
    "C++ C# .NET node.js a.b.c www.example.org/path?x=1&y=2",
    "-5 −5 +5 5- --5 1e5 1E-5 0x1F",
    "",
    " ",
    "_",
    "'",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "ü" * 100,
    "ü" * 101,
    "ß" * 51,
    "a" * 40 + "zq" * 20,
]
BROKEN_BYTES = [
    b"\xff", b"\x80\x80abc", b"caf\xe9 bar", b"\xc3", b"abc\xe2\x82", b"\xe2\x82\xffA", b"\xf0\x9f\x98", b"\xf0\x9f\x98 1,000", b"\xed\xa0\x80x",
    b"\xc0\xaf", b"\xf5\x80\x80\x80", b"\xf4\x90\x80\x80", b"a\xcc", b"\xcc\x81\xcc", b"\xe0\x80\xaf z", b"1,\xe90", b"\xef\xbf\xbd\xef\xbf",
]
# What random texts are made of.
LETTERS = [
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789.,", " \t\u00a0\u2003\u200b\u3000", "_-'\".,;:!?()[]{}%$&/\\@#*+=<>~^|`",
    *("".join(map(chr, range(*limits))) for limits in ((0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x1E00, 0x2000), (0x2000, 0x2070))),
    "東京都大阪市北海道カタカナひらがな。、「」", "😀👍🏽🇩🇪⭐️♥", "שלוםمرحبا가나다"]
WORDS = "customers orders city status names total boxes Straße İzmir Ελλάς Жуковский 1,250.75 2023-05 q3 São order_items HTTPRequest buses flies".split()
# Numbers, periods, parts of dates and truth values as people say them, and what is none.
SPOKEN = [
    "1,000", "3 million", "10k", "two dozen", "twenty five", "twenty-five", "3rd", "third", "12.5%", "$1,200.50", "€ 5", "5 €", "-5", "-2.50", "+5",
    "a", "an", "a dozen", "an hundred", "a hundred", "half a million", "half", "one and a half", "two and a half million", "and", "of",
    "a couple of", "couple", "pair of", "once", "twice", "zero", "nineteen", "ninety nine", "one hundred and five", "two thousand three hundred",
    "1.5m", "2bn", "2.5 billion", "3 mn", "5%", "5 %", "%", "$", "1e5", "0x10", "007", "1.50", "1.", ".5", "1.2.3", "5 k", "12th", "1st",
    "2nd thing", "hello", "two hello", "hundred", "thousand", "million million", "two trillion", "1 2 3", "twelfth", "eleventh and third", "dozens",
    "hundreds", "thousands of", "1,2,3", "12,5", "1 000", "  7  ", '7\xa0million', '\u20037\u2003', "five-hundred", "0.1 million", "0.0000001k",
    "0.1 0.2", "1.23456789k", "99999999999999999999", "99999999999999999999 k", "123456789.123456789m", "half half", "one third", "three quarters",
    "0", "00", "0.0", "-0", "a million", "a of", "of a", "and a", "k", "m", "10 mn", "10st", "10 st", "2023", "1999", "2999", "3000", "999", "1000",
    "May 2023", "may", "MAY", "Sept 2020", "sep", "1 March 2020", "March 1st, 2020", "march 31 2021", "31 April 2020", "29 February 2020",
    "29 Feb 2021", "30 feb", "Q3 2021", "q4", "third quarter of 2021", "last quarter 2019", "2nd quarter 2020", "quarter 2 2020",
    "first half of 2022", "second half", "h1 2020", "H2 1999", "the 1990s", "1990s", "1995s", "90s", "2020s and", "in the year 2005", "year 2005",
    "month of July 2011", "2023-05", "2023-05-01", "2023-13-01", "2023-00", "2023-02-30", "2023/5/7", "05/2023", "5 2023", "01.05.2023", "12 2023",
    "2022-23", "2022 2023", "between May and July 2023", "May June 2020", "may 5 6 2020", "may 0 2020", "may 32 2020", "December 2020",
    "31 December 2020", "December 31, 1999", "q5 2020", "the", "of the", "monday", "since 1995", "1995 season", "2,020", "00002023",
    "123456789012345678901234567890", "2023rd", "4 2020", "quarter 2020", "half 2020", "first 2020", "second quarter half 2020", "Januar 2020",
    "mai 2020", "Mär 2020", "märz", "1 2020 may", "may may 2020", "2000 may 1000", "0001", "9999", "1000s", "2990s", "first quarter", "last", "h1",
    "H1 half first", "Mondays", "MONDAY", "mondayss", "wednesdays", "sunday night", "on a friday", "jan", "January", "Junes", "december",
    "third quarter", "Q1", "q2", "4", "5", "last quarter", "may or june", "first", "fourth", "Fridaуs", "saturdaÿ", "sundays and mondays", "thurs",
    "yes", "Yes", "YES", "true", "T", "y", "1", "no", "False", "f", "N", "maybe", "yes ", "ja", "ÿes", "nó", "TRÜE", "in 1995 and 2003",
    "from 12345 to 1999", "19995", "year1990s", "no year", "x2020y", "1999/2000", "0999", "2000 1500", "1234567", "tel 020 1999 2", "é1999",
]
FIRST_NAMES = ("Ana José Łukasz Müller Zoë Chloe Björn Nguyễn Smith Jones North South New York Los Angeles San Diego Saint Great Blue Harbor Trading Company "
               "Limited Straße Ελένη Иван 東京 Flies Boxes Class The Of No Yes id 1990 7 3.5 X Q").split()
QUESTION_WORDS = "which customers live in the city of and , ? ( ) smiths flies boxes class companies".split()
NOUNS = "order customer product region payment invoice student course flight airport hospital patient match player team stadium station sensor reading".split()
ATTRIBUTES = ("id name city date amount status total quantity price code kind rating year weight height dt amt desc addr first_name last_name createdAt isActive "
              "populationCount").split()
MODEL_QUESTIONS = ("What is the {a} of the {t} with {v}?", "Show {b} and {a} for each {t} since May 2021, not {v}", "how many {t}s have more than 1,500.5 {a}; {v} or {w}",
                   "{V} {a}", "Which {t} named {w} have the highest {a} in the 1990s?")
ODD_SCHEMA = {"name": "odd", "tables": ["tbl", "Straße", "__", "人口"],
              "columns": [(-1, "*"), (0, "id"), (0, "dim"), (1, "GrößeÜber"), (1, "__"), (2, "createdAt"), (3, "首都"), (3, "東京_name"), (3, "x" * 120)],
              "types": ["text", "number", "text", "time", "boolean", "others", "text", "text", "number"], "primary": [1, 3], "foreign": [(5, 1), (3, 5), (5, 3)]}
ODD_QUESTIONS = [
    ("", []), ("?", []),
    ("Größe über 5 in 東京 👍", [(0, 1, 3, "Größe über", True), (4, 4, 7, "東京", False), (4, 4, 7, "東京都" * 30, True), (4, 4, 7, "third", True)]),
    ("names of tbl straße name name", [(0, 0, 6, "n", False), (0, 1, 6, "N of", True), (0, 0, 6, "n", False)]),
    ("word " * 80 + "end", [(59, 59, 1, "a", True), (59, 60, 1, "b", True), (70, 70, 2, "c", True)]),
    ("create created creation at", []), ("\ufffd_ a_b 1,000.5 Mondays", [])]
# (tables, columns of each, seed) and questions over a schema of that size.
WIDE = [
    ((30, 10, 1), ["total amount of orders by customer city", "players in the match of team 7 with rating over three million"]),
    ((12, 40, 2), ["which student has the highest course price in 2020", ""]), ((3, 60, 3), ["first names"]), ((40, 3, 4), ["list every sensor reading"]),
    ((1, 4, 5), ["all flights"]), ((1, 113, 6), ["customer status codes"])]
