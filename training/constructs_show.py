"""More constructs of the synthetic questions: which columns to show, in which order, adjectives, keys said by name, several sentences."""
from __future__ import annotations

from training.constructs import COUNT, LEASTS, MOSTS, Made, construct, group_of, how_many, is_many, linked, with_tables
from training.described import plural
from training.logical_form import Query, aggregate, column, test, value
from training.phrases import Ask, Noun, View, noun_phrase, number_words, own_filter

# Words in a measure's name, adjectives for its high end, adjectives for its low end.
ADJECTIVES = (
    (("birth",), ("youngest",), ("oldest",)),
    (("age",), ("oldest",), ("youngest",)),
    (("price", "cost", "fee", "fare", "rent"), ("most expensive", "priciest", "costliest", "dearest"), ("cheapest", "least expensive", "most affordable")),
    (("height",), ("tallest", "highest"), ("shortest", "lowest")),
    (("weight",), ("heaviest",), ("lightest",)),
    (("length", "distance", "duration", "minutes", "hours", "runtime"), ("longest",), ("shortest",)),
    (("population",), ("most populous", "most populated", "largest"), ("least populous", "smallest")),
    (("salary", "wage", "income", "pay"), ("best paid", "highest paid", "top earning"), ("worst paid", "lowest paid")),
    (("size", "area", "capacity", "seats", "surface"), ("largest", "biggest"), ("smallest",)),
    (("speed", "horsepower"), ("fastest",), ("slowest",)),
    (("rating", "score", "stars", "grade"), ("best rated", "highest rated", "best"), ("worst rated", "lowest rated", "worst")),
    (("sales", "copies", "sold"), ("best selling", "most successful"), ("worst selling",)),
    (("revenue", "profit", "balance", "wealth", "prize money", "net worth"), ("richest", "most profitable"), ("poorest", "least profitable")),
    (("depth",), ("deepest",), ("shallowest",)),
    (("temperature",), ("hottest", "warmest"), ("coldest",)),
    (("votes", "followers", "views", "visitors", "fans"), ("most popular",), ("least popular",)),
    (("experience",), ("most experienced",), ("least experienced",)),
    (("budget",), ("best funded",), ("worst funded",)))
NEW = ("newest", "most recent", "latest", "youngest", "last")
OLD = ("oldest", "earliest", "first")
GIVE = ("List", "Give me", "Show", "Return", "Report", "Tell me", "Provide", "Find", "Also show")
SORTS = (("ASC", ("in ascending order of {}", "sorted by {}", "ordered by {} ascending", "sorted by {} in ascending order", "from lowest to highest {}", "by increasing {}",
                  "order by {}", "with the lowest {} first")),
         ("DESC", ("in descending order of {}", "sorted by {} descending", "ordered by {} from highest to lowest", "by decreasing {}", "with the highest {} first",
                   "sorted in descending order by {}", "ranked by {}")))
TEXT_SORTS = (("ASC", ("in alphabetical order of {}", "sorted by {}", "ordered alphabetically by {}", "in lexicographic order of {}", "in order of {}")),
              ("DESC", ("in descending alphabetical order of {}", "in reverse alphabetical order of {}")))


def key_name(ask: Ask, view: View, c: int) -> str:
    """Words for a key column that make plain that the key itself is meant."""
    phrase = ask.rng.choice(view.d.column_phrases[c])
    if phrase.split()[-1] in ("id", "code", "number", "no", "ids"):
        return phrase
    return f"{phrase} {ask.pick('id', 'id', 'id', 'code', 'number')}"


def join_words(words: list[str], ask: Ask) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + ask.pick(" and ", " and ", ", and ", ", ", " as well as ") + words[-1]


def some_columns(ask: Ask, view: View, t: int, most: int = 3, via: int = 0, owner: str = "") -> tuple[str, list] | None:
    """Words and columns of one to three columns of a table, its label often among them, its key now and then."""
    pool = [c for c in view.plain[t] if c not in view.labels[t]]
    chosen = list(view.labels[t]) if view.labels[t] and ask.rng.random() < 0.7 else []
    if view.primary[t] and ask.rng.random() < 0.25:
        chosen.insert(ask.rng.randint(0, len(chosen)), view.primary[t])
    chosen += ask.rng.sample(pool, min(len(pool), max(0, ask.rng.randint(0 if chosen else 1, most) - len(chosen))))
    if not chosen:
        return None
    many, words = ask.rng.random() < 0.4, []
    for c in chosen:
        name = key_name(ask, view, c) if c == view.primary[t] else view.name(ask, c)
        if name.startswith(owner + " "):
            name = name[len(owner) + 1:]
        words.append(plural(name) if many and not is_many(name) else name)
    if len(view.labels[t]) == 2 and chosen[:2] == view.labels[t] and ask.rng.random() < 0.5:
        words[:2] = [ask.pick("full name", "full name", "name", "first and last name")]
    return join_words(words, ask), [column(c, via) for c in chosen]


def adjective(ask: Ask, view: View, c: int, t: int, up: bool) -> str:
    """An adjective for the high or low end of a column, or ""."""
    phrase = view.d.column_phrases[c][0]
    for names, high, low in ADJECTIVES:
        if any(name in phrase.split() or " " in name and name in phrase for name in names):
            return ask.pick(*(high if up else low))
    return ask.pick(*(NEW if up else OLD)) if c in view.dates[t] + view.years[t] else ""


def extreme(ask: Ask, view: View, t: int, single: str, many: bool = False) -> tuple[str, list] | None:
    """(words, order) of the row with the highest or lowest value: "oldest pilot", "pilot with the most flights"."""
    columns = view.measures[t] * 2 + view.dates[t] + view.years[t]
    if not columns:
        return None
    c, up = ask.rng.choice(columns), ask.rng.random() < 0.6
    order, name, word = [(column(c), "DESC" if up else "ASC")], view.name(ask, c), adjective(ask, view, c, t, up)
    if word and ask.rng.random() < 0.65:
        return f"{word} {single}", order
    counted = next((name[len(p):] for p in ("number of ", "no of ", "num of ", "count of ") if name.startswith(p)), "")
    if counted or is_many(name):
        return f"{single} with the {ask.pick('most', 'most', 'largest number of', 'highest number of') if up else ask.pick('fewest', 'least', 'smallest number of')} {counted or name}", order
    if c not in view.measures[t]:
        return f"{single} with the {ask.pick('latest', 'most recent') if up else ask.pick('earliest', 'oldest')} {name}", order
    verb = ask.pick("with", "that has" if not many else "that have", "having")
    return f"{single} {verb} the {ask.pick(*(MOSTS if up else LEASTS))} {name}", order


@construct("attribute of extreme", 6)
def make_attribute_of_extreme(ask: Ask, view: View, t: int) -> Made:
    """Some columns of the row, or of the few rows, at one end: "name and age of the oldest host"."""
    n = ask.rng.choice((2, 3, 5, 10)) if ask.rng.random() < 0.25 else 1
    noun = noun_phrase(ask, view, t, n > 1, chances=(0.3,))
    found, shown = extreme(ask, view, t, noun.words, n > 1), some_columns(ask, view, t, owner=view.d.table_phrases[t][0])
    if not found or not shown:
        return None
    words, order = found
    limit = value("1")
    if n > 1:
        said = ask.say(number_words(ask, n))
        words, limit = f"{said} {words}", value(said)
    question = ask.pick(f"What is the {shown[0]} of the {words}?", f"What are the {shown[0]} of the {words}?", f"Show the {shown[0]} of the {words}.", f"Find the {shown[0]} of the {words}",
                        f"Give the {shown[0]} for the {words}.", f"Return the {shown[0]} of the {words}.", f"{shown[0]} of the {words}", f"Tell me the {shown[0]} of the {words}",
                        f"For the {words}, what is the {shown[0]}?", f"Which {words.removeprefix(noun.words + ' ')}? Give me the {shown[0]}." if not words.startswith(noun.words) else
                        f"Which {words.replace(' with the', ' has the', 1)}? {ask.pick(*GIVE)} the {shown[0]}.")
    return question, with_tables(view, t, Query(shown[1], where=noun.condition, order=order, limit=("LIMIT", limit)))


@construct("named extreme", 3)
def make_named_extreme(ask: Ask, view: View, t: int) -> Made:
    """"Who is the oldest pilot?", and the parent of an extreme row: "Which club does the oldest player belong to?"."""
    single = view.noun(ask, t, False)
    found = extreme(ask, view, t, single)
    if not found or not view.labels[t]:
        return None
    words, order = found
    link = linked(ask, view, t)
    if link and ask.rng.random() < 0.4 and not view.via(link[0]):
        role, there = view.noun(ask, link[1], False), link[1]
        return ask.pick(f"Which {role} does the {words} belong to?", f"What is the {role} of the {words}?", f"Find the {view.name(ask, view.labels[there][0])} of the {role} of the {words}.",
                        f"Which {role} has the {words}?", f"{role} of the {words}"), with_tables(view, t, Query([column(c) for c in view.labels[there]], order=order, limit=("LIMIT", value("1"))))
    lead = "Who" if view.is_person(t) else "What"
    return ask.pick(f"{lead} is the {words}?", f"{lead} is the {words}?", f"Which one is the {words}?", f"Name the {words}.", f"the {words}"), \
        with_tables(view, t, Query([column(c) for c in view.labels[t]], order=order, limit=("LIMIT", value("1"))))


@construct("two sentences", 6)
def make_two_sentences(ask: Ask, view: View, t: int) -> Made:
    """A question, and then what to show of the answer."""
    noun, shown = noun_phrase(ask, view, t, chances=(1.0, 0.4)), some_columns(ask, view, t, owner=view.d.table_phrases[t][0])
    if not noun.condition or not shown:
        return None
    give = f"{ask.pick(*GIVE)} {ask.pick('the', 'the', 'their')} {shown[0]}"
    question = ask.pick(f"Which {noun.words}? {give}.", f"Find {noun.words}. {give}.", f"I am looking for {noun.words}. {give}.", f"Which are the {noun.words}? {give}",
                        f"Consider all {noun.words}. What are their {shown[0]}?", f"What are the {noun.words}? {give}.", f"Find the {noun.words} and {ask.pick('list', 'show', 'return')} their {shown[0]}.")
    order = []
    if ask.rng.random() < 0.25 and view.measures[t]:
        c = ask.rng.choice(view.measures[t])
        direction, wordings = ask.rng.choice(SORTS)
        how = ask.pick(*wordings).format(f"{ask.pick('the ', 'their ', '')}{view.name(ask, c)}")
        order = [(column(c), direction)]
        question = question.rstrip(".?") + ask.pick(f". Sort the result {how.removeprefix('sorted ').removeprefix('order ').removeprefix('ordered ')}.", f", {how}.")
    return question, with_tables(view, t, Query(shown[1], where=noun.condition, order=order))


@construct("counted and shown", 6)
def make_counted(ask: Ask, view: View, t: int) -> Made:
    """Rows per parent, or the parent with the most, and which of its columns to show."""
    link = linked(ask, view, t)
    if not link or view.via(link[0]):
        return None
    key, there = link
    role, many = view.noun(ask, there, False), noun_phrase(ask, view, t, chances=(0.25,))
    shown = some_columns(ask, view, there, 2, owner=role)
    if not shown:
        return None
    number = ask.pick(f"the number of {many.words}", f"how many {many.words} it has", f"the count of {many.words}", "the number", f"number of {many.words}")
    query = with_tables(view, t, Query(shown[1] + [COUNT], where=many.condition, group=[column(view.target[key])]))
    if ask.rng.random() < 0.45:
        return ask.pick(f"How many {many.words} does each {role} have? {ask.pick(*GIVE)} the {shown[0]} and {number}.", f"For each {role}, show the {shown[0]} and {number}.",
                        f"List the {shown[0]} of each {role} together with {number}.", f"Show the {shown[0]} and {number} for each {role}", f"What are the {shown[0]} of every {role}, and how many {many.words} does each have?",
                        f"Return the {shown[0]} of all {plural(role)} along with {number}."), query
    up = ask.rng.random() < 0.75
    query.order, query.limit = [(COUNT, "DESC" if up else "ASC")], ("LIMIT", value("1"))
    most = ask.pick("most", "largest number of", "greatest number of", "highest number of", "maximum number of") if up else ask.pick("fewest", "least number of", "smallest number of", "minimum number of")
    if ask.rng.random() < 0.6:
        query.select = shown[1]
        return ask.pick(f"Which {role} has the {most} {many.words}? {ask.pick(*GIVE)} the {shown[0]}.", f"What is the {shown[0]} of the {role} with the {most} {many.words}?",
                        f"Find the {shown[0]} of the {role} that has the {most} {many.words}.", f"Give the {shown[0]} for the {role} having the {most} {many.words}", f"{shown[0]} of the {role} with the {most} {many.words}"), query
    return ask.pick(f"Which {role} has the {most} {many.words}? {ask.pick(*GIVE)} the {shown[0]} and {number}.", f"Show the {shown[0]} of the {role} with the {most} {many.words}, and the number of {many.words}."), query


@construct("keys said", 4)
def make_keys_said(ask: Ask, view: View, t: int) -> Made:
    """Key columns asked for, filtered by and grouped by as such: "products with manufacturer code 2"."""
    if not view.keys[t]:
        return None
    key = ask.rng.choice(view.keys[t])
    name, noun = key_name(ask, view, key), noun_phrase(ask, view, t, chances=(0.3,))
    draw = ask.rng.random()
    if draw < 0.3:
        query = with_tables(view, t, Query([column(key), COUNT], where=noun.condition, group=[column(key)]))
        return ask.pick(f"How many {noun.words} are there for each {name}?", f"Number of {noun.words} grouped by {name}", f"Show the {name} and the number of {noun.words}", f"Count the {noun.words} per {name}."), query
    if draw < 0.5 and view.measures[t]:
        c = ask.rng.choice(view.measures[t])
        kind, word = ask.rng.choice((("AVG", "average"), ("SUM", "total"), ("MAX", "maximum"), ("MIN", "minimum")))
        query = with_tables(view, t, Query([column(key), aggregate(kind, column(c))], where=noun.condition, group=[column(key)]))
        return ask.pick(f"What is the {word} {view.name(ask, c)} of {noun.words} for each {name}?", f"{word} {view.name(ask, c)} of {noun.words}, grouped by {name}", f"Show each {name} with the {word} {view.name(ask, c)} of its {noun.words}"), query
    if draw < 0.75 and view.values.get(key):
        said = ask.say(str(ask.rng.choice(view.values[key])))
        where = test(column(key), "=", value(said))
        words = ask.pick(f"with {name} {said}", f"with {name} equal to {said}", f"whose {name} is {said}", f"for {name} {said}")
        shown = some_columns(ask, view, t, 2)
        if ask.rng.random() < 0.4 or not shown:
            return how_many(ask, f"{view.noun(ask, t)} {words}"), with_tables(view, t, Query([COUNT], where=where))
        return ask.pick(f"What are the {shown[0]} of {view.noun(ask, t)} {words}?", f"List the {shown[0]} of all {view.noun(ask, t)} {words}."), with_tables(view, t, Query(shown[1], where=where))
    distinct = ask.rng.random() < 0.4
    word = ask.pick("distinct ", "different ", "unique ") if distinct else ""
    return ask.pick(f"What are the {word}{plural(name)} of {noun.words}?", f"List all {word}{plural(name)} of {noun.words}", f"Show the {word}{name} of all {noun.words}."), \
        with_tables(view, t, Query([column(key)], distinct=distinct, where=noun.condition))


def sort_by(ask: Ask, view: View, t: int, c: int) -> tuple[str, str]:
    """(direction, words) of sorting by a column."""
    is_text = c not in view.measures[t] + view.years[t] + view.dates[t]
    direction, wordings = ask.rng.choice(TEXT_SORTS if is_text and ask.rng.random() < 0.6 else SORTS)
    return direction, ask.pick(*wordings).format(f"{ask.pick('the ', 'their ', '', '')}{view.name(ask, c)}")


@construct("sorted", 5)
def make_sorted(ask: Ask, view: View, t: int) -> Made:
    """A list by one or two columns, or by a count of something else."""
    noun, shown = noun_phrase(ask, view, t, chances=(0.4,)), some_columns(ask, view, t)
    columns = view.labels[t] + view.measures[t] + view.years[t] + view.dates[t]
    if not shown or not columns:
        return None
    a = ask.rng.choice(columns)
    direction, words = sort_by(ask, view, t, a)
    order = [(column(a), direction)]
    others = [c for c in columns if c != a]
    if others and ask.rng.random() < 0.35:
        b = ask.rng.choice(others)
        second, how = ask.rng.choice((("ASC", "ascending"), ("DESC", "descending")))
        order.append((column(b), second))
        first = "ascending" if direction == "ASC" else "descending"
        words = ask.pick(f"sorted by {view.name(ask, a)} {first} and then by {view.name(ask, b)} {how}", f"ordered by {view.name(ask, a)} ({first}), then {view.name(ask, b)} ({how})",
                         f"sorted first by {view.name(ask, a)} in {first} order and then by {view.name(ask, b)} in {how} order")
    return ask.pick(f"List the {shown[0]} of all {noun.words} {words}.", f"What are the {shown[0]} of {noun.words}, {words}?", f"Show the {shown[0]} of {noun.words} {words}", f"{noun.words}: {shown[0]}, {words}",
                    f"Find the {shown[0]} of {noun.words} and list them {words}.", f"Return the {shown[0]} of the {noun.words}, {words}."), with_tables(view, t, Query(shown[1], where=noun.condition, order=order))


@construct("sorted groups", 4)
def make_sorted_groups(ask: Ask, view: View, t: int) -> Made:
    """Groups, or parents, in the order of how many rows or how much they have; the number is shown only if asked for."""
    group, noun = group_of(ask, view, t), noun_phrase(ask, view, t, chances=(0.25,))
    if not group:
        return None
    words, shown, by = group
    measure, name = COUNT, f"number of {noun.words}"
    if view.measures[t] and ask.rng.random() < 0.35:
        c = ask.rng.choice(view.measures[t])
        kind, word = ask.rng.choice((("AVG", "average"), ("SUM", "total")))
        measure, name = aggregate(kind, column(c)), f"{word} {view.name(ask, c)} of {noun.words}"
    direction, wordings = ask.rng.choice(SORTS)
    how = ask.pick(*wordings).format(f"{ask.pick('the ', '')}{name}")
    query = with_tables(view, t, Query(list(shown), where=noun.condition, group=by, order=[(measure, direction)]))
    if ask.rng.random() < 0.35:
        query.select = shown + [measure]
        return ask.pick(f"Show each {words} and the {name}, {how.replace(name, 'that number')}", f"List the {words} and {name}, {how}."), query
    return ask.pick(f"List all {plural(words)} {how}.", f"Sort the {plural(words)} {how.removeprefix('sorted ').removeprefix('ordered ')}", f"Which {plural(words)} are there, {how}?", f"What are the {plural(words)}, {how}?"), query


@construct("most common", 5)
def make_most_common(ask: Ask, view: View, t: int) -> Made:
    """The value that most rows share."""
    columns = [c for c in view.cats[t] + view.years[t] if len(view.values[c]) < 40]
    if not columns:
        return None
    c, noun = ask.rng.choice(columns), noun_phrase(ask, view, t, chances=(0.25,))
    name, up = view.name(ask, c), ask.rng.random() < 0.75
    word = ask.pick("most common", "most frequent", "most popular", "commonest", "most used") if up else ask.pick("least common", "rarest", "least popular", "least frequent")
    query = with_tables(view, t, Query([column(c)], where=noun.condition, group=[column(c)], order=[(COUNT, "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))
    tail, draw = "", ask.rng.random()
    if draw < 0.2:
        query.select.append(COUNT)
        tail = ask.pick(", and how many are there", " and its number", ", and how often does it occur")
    elif draw < 0.4:
        said = ask.say(number_words(ask, ask.rng.choice((2, 3, 5))))
        query.limit = ("LIMIT", value(said))
        return ask.pick(f"What are the {said} {word} {plural(name)} of {noun.words}?", f"List the {said} {word} {plural(name)} among {noun.words}", f"top {said} {plural(name)} by number of {noun.words}" if up else f"the {said} {word} {plural(name)} of {noun.words}"), query
    return ask.pick(f"What is the {word} {name} of {noun.words}{tail}?", f"Which {name} is the {word} among {noun.words}{tail}?", f"Find the {word} {name} of all {noun.words}{tail}.",
                    f"Which {name} do {'most' if up else 'fewest'} {noun.words} have{tail}?", f"Which {name} has the {'most' if up else 'fewest'} {noun.words}{tail}?",
                    f"Show the {name} that the {'largest' if up else 'smallest'} number of {noun.words} have{tail}", f"{word} {name} of {noun.words}"), query


@construct("how old", 2)
def make_how_old(ask: Ask, view: View, t: int) -> Made:
    """An extreme or average value asked for with its adjective: "How old is the youngest host?"."""
    hows = {"age": "old", "height": "tall", "weight": "heavy", "length": "long", "distance": "long", "price": "expensive", "duration": "long", "depth": "deep", "population": "populous"}
    columns = [(c, hows[w]) for c in view.measures[t] for w in view.d.column_phrases[c][0].split() if w in hows]
    if not columns:
        return None
    c, how = ask.rng.choice(columns)
    noun, up = noun_phrase(ask, view, t, False, chances=(0.3,)), ask.rng.random() < 0.5
    if ask.rng.random() < 0.35:
        many = noun_phrase(ask, view, t, chances=(0.3,))
        return ask.pick(f"How {how} are {many.words} on average?", f"On average, how {how} are the {many.words}?"), with_tables(view, t, Query([aggregate("AVG", column(c))], where=many.condition))
    return f"How {how} is the {adjective(ask, view, c, t, up)} {noun.words}?", with_tables(view, t, Query([aggregate("MAX" if up else "MIN", column(c))], where=noun.condition))


@construct("two extremes", 2)
def make_two_extremes(ask: Ask, view: View, t: int) -> Made:
    """Several aggregates at once, also of two columns: "the average age and the highest salary"."""
    if len(view.measures[t]) < 2:
        return None
    noun, names = noun_phrase(ask, view, t, chances=(0.5,)), {"AVG": "average", "SUM": "total", "MAX": "maximum", "MIN": "minimum"}
    columns = [ask.rng.choice(view.measures[t]) for _ in range(2)]
    kinds = ask.rng.sample(list(names), 2)
    words = f"{names[kinds[0]]} {view.name(ask, columns[0])} and {ask.pick('the ', '')}{names[kinds[1]]} {view.name(ask, columns[1])}"
    if columns[0] == columns[1]:
        words = f"{names[kinds[0]]} and {names[kinds[1]]} {view.name(ask, columns[0])}"
    select = [aggregate(k, column(c)) for k, c in zip(kinds, columns)]
    if ask.rng.random() < 0.3:
        select.insert(0, COUNT)
        words = f"number of {noun.words} and their {words}"
        return ask.pick(f"What is the {words}?", f"Show the {words}.", f"Give me the {words}"), with_tables(view, t, Query(select, where=noun.condition))
    return ask.pick(f"What are the {words} of {noun.words}?", f"Show the {words} of all {noun.words}.", f"Find the {words} for {noun.words}", f"Return the {words} across {noun.words}."), \
        with_tables(view, t, Query(select, where=noun.condition))


@construct("whole and part", 2)
def make_whole(ask: Ask, view: View, t: int) -> Made:
    """All rows and all columns, or one column of all rows, in the plainest words."""
    many = view.noun(ask, t)
    found = own_filter(ask, view, t) if ask.rng.random() < 0.3 else None
    noun = Noun(" ".join(w for w in (found.before, many, found.after) if w), found.condition) if found else Noun(many, None)
    if ask.rng.random() < 0.5:
        return how_many(ask, noun.words), with_tables(view, t, Query([COUNT], where=noun.condition))
    shown = some_columns(ask, view, t, 4)
    if not shown:
        return None
    return ask.pick(f"What are the {shown[0]} of each {view.noun(ask, t, False)}?" if not found else f"What are the {shown[0]} of the {noun.words}?", f"Show {shown[0]} of {noun.words}.", f"List {shown[0]} for all {noun.words}.",
                    f"Show all {noun.words} with their {shown[0]}", f"Give the {shown[0]} of every one of the {noun.words}", f"{shown[0]} of all {noun.words}"), with_tables(view, t, Query(shown[1], where=noun.condition))
