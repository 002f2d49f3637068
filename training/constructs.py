"""The constructs of the synthetic questions: each makes a question with marks for its values, and its logical form."""
from __future__ import annotations

from typing import Callable

from training.described import plural
from training.logical_form import Query, aggregate, column, test, value
from training.phrases import (Ask, MONTH_NAMES, Noun, View, any_filter, category_filter, date_text, full_name, nice_number, noun_phrase, number_words,
                              own_filter, participle)

Made = tuple[str, Query] | None
CONSTRUCTS: dict[str, tuple[int, Callable[[Ask, View, int], Made]]] = {}

STAR = column(0)
COUNT = aggregate("COUNT", STAR)
AVERAGES = ("average", "mean", "average", "typical")
SUMS = ("total", "sum of the", "combined", "overall", "total")
MOSTS = ("highest", "largest", "biggest", "greatest", "maximum")
LEASTS = ("lowest", "smallest", "least", "minimum")


def construct(name: str, weight: int):
    """Registers a maker of questions about a table under a name, with how often it is used."""
    def register(make: Callable[[Ask, View, int], Made]):
        CONSTRUCTS[name] = (weight, make)
        return make
    return register


def what(ask: Ask, view: View, t: int, many: bool = True) -> tuple[str, list] | None:
    """Words and columns by which rows of a table are listed."""
    labels = view.labels[t] or ([view.primary[t]] if view.primary[t] else [])
    if not labels:
        return None
    if len(labels) == 2:
        return ask.pick("full names" if many else "full name", "first and last names" if many else "first and last name", "names" if many else "name"), [column(c) for c in labels]
    name = view.name(ask, labels[0]) if view.labels[t] else "id"
    return plural(name) if many else name, [column(labels[0])]


def listing(ask: Ask, words: str, noun: str) -> str:
    """A request for columns of some rows, in one of many tones."""
    return ask.pick(f"List the {words} of all {noun}", f"What are the {words} of {noun}?", f"Show the {words} of {noun}", f"Give me the {words} of {noun}",
                    f"Find the {words} of {noun}.", f"show me {words} of {noun}", f"I need the {words} of {noun}", f"{words} of {noun}",
                    f"Could you list the {words} of {noun}, please?", f"Return the {words} for all {noun}.", f"What are the {words} of the {noun}?",
                    f"Find all {noun} and show their {words}", f"Display the {words} for {noun}.", f"Give the {words} of every one of the {noun}.", f"Tell me the {words} of {noun}",
                    f"I want to see the {words} of {noun}", f"Select the {words} of {noun}.", f"What {words} do the {noun} have?", f"Please provide the {words} of the {noun}",
                    f"Name the {words} of all the {noun}.", f"Show {words} for all {noun}", f"Get me the {words} of {noun}", f"Which are the {words} of {noun}?")


def asked(ask: Ask, thing: str) -> str:
    """A question for one value."""
    return ask.pick(f"What is the {thing}?", f"what's the {thing}", f"Show the {thing}", f"Find the {thing}.", f"Give the {thing}.", f"{thing}",
                    f"Tell me the {thing}", f"I would like to know the {thing}", f"Can you tell me the {thing}?", f"Compute the {thing}.", f"Return the {thing}.",
                    f"What is the {thing}?", f"Calculate the {thing}", f"Determine the {thing}.", f"Show me the {thing}.", f"I need the {thing}", f"Report the {thing}.",
                    f"Please work out the {thing}", f"How high is the {thing}?", f"Do you know the {thing}?")


def how_many(ask: Ask, noun: str) -> str:
    return ask.pick(f"How many {noun} are there?", f"How many {noun} do we have?", f"Count the {noun}", f"What is the number of {noun}?", f"number of {noun}",
                    f"How many {noun}?", f"Tell me how many {noun} there are.", f"Give the total number of {noun}.", f"count of {noun}", f"how many {noun} exist",
                    f"Find the number of {noun}.", f"What is the total number of {noun}?", f"Count the number of {noun}.", f"Show the number of {noun}", f"Return the number of {noun}.",
                    f"How many {noun} can you find?", f"What is the total count of {noun}?", f"I want to know how many {noun} there are", f"Compute the number of {noun}.")


def aggregate_words(ask: Ask, view: View, c: int) -> tuple[str, str]:
    """(aggregate, words) for a measure."""
    name = view.name(ask, c)
    kind = ask.rng.choice(("AVG", "AVG", "SUM", "MAX", "MIN"))
    if kind == "AVG":
        return kind, f"{ask.pick(*AVERAGES)} {name}"
    if kind == "SUM":
        return kind, f"{ask.pick(*SUMS)} {name}"
    return kind, f"{ask.pick(*(MOSTS if kind == 'MAX' else LEASTS))} {name}"


def group_of(ask: Ask, view: View, t: int) -> tuple[str, list, list] | None:
    """(words, columns to show, columns to group by) of something to group rows of a table by."""
    options: list = [("own", c) for c in view.cats[t] if len(view.values[c]) < 25] + [("year", c) for c in view.years[t]]
    options += [("key", k) for k in view.keys[t] if view.labels[view.schema.table_of(view.target[k])]] * 2
    options += [("far", k) for k in view.keys[t] if view.cats[view.schema.table_of(view.target[k])]]
    if not options:
        return None
    kind, c = ask.rng.choice(options)
    if kind in ("own", "year"):
        return view.name(ask, c), [column(c)], [column(c)]
    there, via = view.schema.table_of(view.target[c]), view.via(c)
    role = ask.rng.choice(view.d.column_phrases[c]) if via else view.noun(ask, there, False)
    if role.endswith(" by"):
        return None
    if kind == "far":
        far = ask.rng.choice(view.cats[there])
        return f"{role} {view.name(ask, far)}", [column(far, via)], [column(far, via)]
    return role, [column(x, via) for x in view.labels[there]], [column(view.target[c], via)]


def is_many(name: str) -> bool:
    """Whether the name of a column counts things, as "rooms" does."""
    return name.endswith("s") and not name.endswith("ss")


def with_tables(view: View, t: int, query: Query) -> Query:
    """The query with its table said, which the linear form leaves out where the columns already tell."""
    query.tables = [t]
    return query


@construct("list", 5)
def make_list(ask: Ask, view: View, t: int) -> Made:
    shown, noun = what(ask, view, t), noun_phrase(ask, view, t)
    if not shown:
        return None
    if noun.condition and ask.rng.random() < 0.35 and view.labels[t]:
        return ask.pick(f"Which {noun.words}?", f"which {noun.words} are there", f"List {noun.words}", f"show {noun.words}", f"{noun.words}", f"Who are the {noun.words}?" if view.is_person(t) else f"Find {noun.words}"), \
            with_tables(view, t, Query(shown[1], where=noun.condition))
    return listing(ask, shown[0], noun.words), with_tables(view, t, Query(shown[1], where=noun.condition))


@construct("everything", 2)
def make_everything(ask: Ask, view: View, t: int) -> Made:
    """All columns of some rows."""
    found = own_filter(ask, view, t) if ask.rng.random() < 0.6 else None
    noun = " ".join(w for w in (found.before if found else "", view.noun(ask, t), found.after if found else "") if w)
    question = ask.pick(f"Show all information about {noun}", f"What are all the details of {noun}?", f"List everything about {noun}", f"Give me all data on {noun}",
                        f"Find the details of all {noun}", f"Return all columns for {noun}", f"What is all the information on {noun}?", f"full records of {noun}")
    return question, with_tables(view, t, Query([STAR], where=found.condition if found else None))


@construct("columns", 4)
def make_columns(ask: Ask, view: View, t: int) -> Made:
    columns = [c for c in view.plain[t]]
    if len(columns) < 2:
        return None
    chosen = ask.rng.sample(columns, min(len(columns), ask.rng.choice((1, 2, 2, 3))))
    names = [view.name(ask, c) for c in chosen]
    words = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    noun = noun_phrase(ask, view, t)
    order, tail = [], ""
    if ask.rng.random() < 0.3 and view.measures[t] + view.dates[t]:
        c = ask.rng.choice(view.measures[t] + view.dates[t])
        direction, tail = ask.rng.choice((("ASC", f" sorted by {view.name(ask, c)}"), ("ASC", f", ordered by {view.name(ask, c)} ascending"),
                                          ("DESC", f" in descending order of {view.name(ask, c)}"), ("DESC", f", highest {view.name(ask, c)} first") if c in view.measures[t]
                                          else ("DESC", f", newest {view.name(ask, c)} first")))
        order = [(column(c), direction)]
        return f"{ask.pick('List', 'Show', 'Give me', 'What are')} the {words} of all {noun.words}{tail}", with_tables(view, t, Query([column(c) for c in chosen], where=noun.condition, order=order))
    return listing(ask, words, noun.words), with_tables(view, t, Query([column(c) for c in chosen], where=noun.condition))


@construct("one value", 4)
def make_one_value(ask: Ask, view: View, t: int) -> Made:
    if not view.labels[t] or not (others := [c for c in view.plain[t] if c not in view.labels[t] + view.flags[t]]):
        return None
    c = ask.rng.choice(others)
    if len(view.labels[t]) == 2:
        said, where = full_name(ask, view, t)
    else:
        said = ask.say(ask.rng.choice(view.values[view.labels[t][0]]))
        where = test(column(view.labels[t][0]), "=", value(said))
    name, noun, verb = view.name(ask, c), view.noun(ask, t, False), participle(view, c)
    options = [f"What is the {name} of {said}?", f"{name} of {said}", f"What is the {name} of the {noun} {said}?", f"Tell me {said}'s {name}", f"give me the {name} for {said}"]
    if verb and (c in view.dates[t] or c in view.years[t]):
        options += [f"When was {said} {verb}?"] * 3
    if c in view.years[t] and ask.rng.random() < 0.4:
        options += [f"In which year was {said} {verb}?"] if verb else []
    shape = view.d.kinds[c].shape
    if shape in ("city", "country", "region"):
        options += [f"Where is {said}?", f"Which {name} is {said} from?", f"In which {name} is {said}?"]
    return ask.rng.choice(options), Query([column(c)], where=where)


@construct("count", 5)
def make_count(ask: Ask, view: View, t: int) -> Made:
    noun = noun_phrase(ask, view, t, chances=(0.9, 0.3))
    return how_many(ask, noun.words), with_tables(view, t, Query([COUNT], where=noun.condition))


@construct("aggregate", 5)
def make_aggregate(ask: Ask, view: View, t: int) -> Made:
    if not view.measures[t]:
        return None
    c, noun = ask.rng.choice(view.measures[t]), noun_phrase(ask, view, t)
    if c in noun.columns:
        return None
    kind, words = aggregate_words(ask, view, c)
    if ask.rng.random() < 0.15:
        name = view.name(ask, c)
        return asked(ask, f"minimum, maximum and average {name} of {noun.words}"), with_tables(view, t, Query([aggregate(k, column(c)) for k in ("MIN", "MAX", "AVG")], where=noun.condition))
    return asked(ask, f"{words} {ask.pick('of', 'of', 'for', 'across')} {noun.words}"), with_tables(view, t, Query([aggregate(kind, column(c))], where=noun.condition))


@construct("distinct", 2)
def make_distinct(ask: Ask, view: View, t: int) -> Made:
    if not view.cats[t]:
        return None
    c, noun = ask.rng.choice(view.cats[t]), noun_phrase(ask, view, t, chances=(0.4,))
    name, word = plural(view.name(ask, c)), ask.pick("different", "distinct", "unique")
    if ask.rng.random() < 0.5:
        return ask.pick(f"How many {word} {name} of {noun.words} are there?", f"Count the {word} {name} among {noun.words}", f"number of {word} {name} of {noun.words}"), \
            with_tables(view, t, Query([aggregate("COUNT", column(c), True)], where=noun.condition))
    return ask.pick(f"What are the {word} {name} of {noun.words}?", f"List all {word} {name} of {noun.words}", f"Show the {word} {name} of {noun.words}"), \
        with_tables(view, t, Query([column(c)], distinct=True, where=noun.condition))


@construct("group count", 5)
def make_group_count(ask: Ask, view: View, t: int) -> Made:
    group, noun = group_of(ask, view, t), noun_phrase(ask, view, t, chances=(0.35,))
    if not group:
        return None
    words, shown, by = group
    query = with_tables(view, t, Query(shown + [COUNT], where=noun.condition, group=by))
    question = ask.pick(f"How many {noun.words} are there for each {words}?", f"Number of {noun.words} per {words}", f"Count the {noun.words} by {words}",
                        f"Show each {words} and the number of {noun.words}", f"{noun.words} per {words}", f"For each {words}, how many {noun.words} are there?",
                        f"Break down the number of {noun.words} by {words}", f"How many {noun.words} does each {words} have?")
    if ask.rng.random() < 0.2:
        query.order = [(COUNT, "DESC")]
        question = question.rstrip("?") + ask.pick(", most first", ", from most to fewest", ", in descending order of the number", ", largest first")
    return question, query


@construct("group aggregate", 5)
def make_group_aggregate(ask: Ask, view: View, t: int) -> Made:
    group = group_of(ask, view, t)
    if not group or not view.measures[t]:
        return None
    c, noun = ask.rng.choice(view.measures[t]), noun_phrase(ask, view, t, chances=(0.35,))
    if c in noun.columns:
        return None
    (kind, measure), (words, shown, by) = aggregate_words(ask, view, c), group
    question = ask.pick(f"What is the {measure} of {noun.words} per {words}?", f"{measure} of {noun.words} by {words}", f"For each {words}, show the {measure} of {noun.words}",
                        f"Show the {measure} of {noun.words} for each {words}", f"What is the {measure} of {noun.words} in each {words}?", f"Give me the {measure} by {words} for {noun.words}")
    return question, with_tables(view, t, Query(shown + [aggregate(kind, column(c))], where=noun.condition, group=by))


@construct("superlative", 5)
def make_superlative(ask: Ask, view: View, t: int) -> Made:
    columns = view.measures[t] * 2 + view.dates[t] + view.years[t]
    shown = what(ask, view, t, False)
    if not columns or not shown:
        return None
    c, noun = ask.rng.choice(columns), noun_phrase(ask, view, t, False, chances=(0.4,))
    name, up = view.name(ask, c), ask.rng.random() < 0.65
    if c in view.measures[t]:
        ending = f"with the {ask.pick(*(MOSTS if up else LEASTS))} {name}"
        if is_many(name):
            ending = f"with the {'most' if up else 'fewest'} {name}"
    else:
        verb = participle(view, c)
        ending = f"{verb} {'last' if up else 'first'}" if verb and ask.rng.random() < 0.6 else f"with the {ask.pick('latest', 'most recent') if up else ask.pick('earliest', 'oldest')} {name}"
    question = ask.pick(f"Which {noun.words} has the {ending.removeprefix('with the ')}?" if ending.startswith("with the") else f"Which {noun.words} was {ending}?",
                        f"What is the {shown[0]} of the {noun.words} {ending}?", f"Find the {noun.words} {ending}", f"{noun.words} {ending}", f"Show the {shown[0]} of the {noun.words} {ending}.")
    return question, with_tables(view, t, Query(shown[1], where=noun.condition, order=[(column(c), "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))


@construct("top", 5)
def make_top(ask: Ask, view: View, t: int) -> Made:
    shown = what(ask, view, t)
    if not view.measures[t] or not shown:
        return None
    c, noun = ask.rng.choice(view.measures[t]), noun_phrase(ask, view, t, chances=(0.4,))
    n = ask.rng.choice((2, 3, 3, 5, 5, 10, 10, 20))
    said, name, up = ask.say(number_words(ask, n)), view.name(ask, c), ask.rng.random() < 0.7
    kind, cue = "LIMIT", ""
    if ask.rng.random() < 0.15:
        kind, cue = "TIES", ask.pick(", including ties", " (with ties)", ", ties included", ", keep ties")
    word = ask.pick("top", "first") if up else ask.pick("bottom", "lowest", "last")
    question = ask.pick(f"{word} {said} {noun.words} by {name}", f"What are the {shown[0]} of the {said} {noun.words} with the {ask.pick(*(MOSTS if up else LEASTS))} {name}?",
                        f"List the {said} {noun.words} with the {ask.pick(*(MOSTS if up else LEASTS))} {name}", f"Show the {word} {said} {noun.words} in terms of {name}",
                        f"{noun.words} {word} {said} {name}", f"Give me the {word} {said} {noun.words} by {name}, please")
    if cue:
        question = question.rstrip("?.") + cue
    return question, with_tables(view, t, Query(shown[1], where=noun.condition, order=[(column(c), "DESC" if up else "ASC")], limit=(kind, value(said))))


@construct("nth", 2)
def make_nth(ask: Ask, view: View, t: int) -> Made:
    shown = what(ask, view, t, False)
    if not view.measures[t] or not shown:
        return None
    c, noun = ask.rng.choice(view.measures[t]), noun_phrase(ask, view, t, False, chances=(0.3,))
    said = ask.say(ask.pick("second", "third", "fourth", "2nd", "3rd", "fifth"))
    up, name = ask.rng.random() < 0.75, view.name(ask, c)
    word = ask.pick("highest", "largest", "biggest") if up else ask.pick("lowest", "smallest")
    question = ask.pick(f"Which {noun.words} has the {said} {word} {name}?", f"What is the {shown[0]} of the {noun.words} with the {said} {word} {name}?", f"{noun.words} with the {said} {word} {name}")
    return question, with_tables(view, t, Query(shown[1], where=noun.condition, order=[(column(c), "DESC" if up else "ASC")], limit=("NTH", value(said))))


def linked(ask: Ask, view: View, t: int) -> tuple[int, int] | None:
    """(key, other table) for a table whose rows belong to another by a key; the other has a name."""
    keys = [k for k in view.keys[t] if view.labels[view.schema.table_of(view.target[k])] and view.schema.table_of(view.target[k]) != t]
    if not keys:
        return None
    key = ask.rng.choice(keys)
    return key, view.schema.table_of(view.target[key])


@construct("most linked", 4)
def make_most_linked(ask: Ask, view: View, t: int) -> Made:
    link = linked(ask, view, t)
    if not link:
        return None
    key, there = link
    via, noun = view.via(key), noun_phrase(ask, view, t, chances=(0.35,))
    role = ask.rng.choice(view.d.column_phrases[key]) if via else view.noun(ask, there, False)
    shown, by = [column(c, via) for c in view.labels[there]], [column(view.target[key], via)]
    measure, words = COUNT, noun.words
    up = ask.rng.random() < 0.8
    ending = f"the {'most' if up else 'fewest'} {words}"
    if view.measures[t] and ask.rng.random() < 0.4:
        c = ask.rng.choice(view.measures[t])
        kind = ask.rng.choice(("SUM", "AVG"))
        measure = aggregate(kind, column(c))
        ending = f"the {'highest' if up else 'lowest'} {'total' if kind == 'SUM' else 'average'} {view.name(ask, c)}" + (f" of {words}" if noun.condition or ask.rng.random() < 0.5 else "")
    query = with_tables(view, t, Query(shown, where=noun.condition, group=by, order=[(measure, "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))
    if ask.rng.random() < 0.35:
        said = ask.say(number_words(ask, ask.rng.choice((2, 3, 5, 10))))
        query.limit = (ask.rng.choice(("LIMIT", "LIMIT", "LIMIT", "TIES")), value(said))
        tie = ", with ties" if query.limit[0] == "TIES" else ""
        return ask.pick(f"Which {said} {plural(role)} have {ending}{tie}?", f"top {said} {plural(role)} with {ending}{tie}", f"List the {said} {plural(role)} with {ending}{tie}"), query
    name = view.name(ask, view.labels[there][0])
    if ask.rng.random() < 0.2:
        query.select = shown + [measure]
        return ask.pick(f"Which {role} has {ending}, and how {'many' if measure is COUNT else 'much'}?", f"Show the {role} with {ending} together with that number"), query
    return ask.pick(f"Which {role} has {ending}?", f"What is the {name} of the {role} with {ending}?", f"{role} with {ending}", f"Find the {role} that has {ending}."), query


@construct("having", 4)
def make_having(ask: Ask, view: View, t: int) -> Made:
    link = linked(ask, view, t)
    if not link:
        return None
    key, there = link
    via, noun = view.via(key), noun_phrase(ask, view, t, chances=(0.3,))
    role = ask.rng.choice(view.d.column_phrases[key]) if via else view.noun(ask, there, False)
    op, how = ask.rng.choice(((">", "more than"), (">=", "at least"), ("<", "fewer than"), ("=", "exactly"), (">", "over")))
    said = ask.say(number_words(ask, ask.rng.randint(1, 6)))
    if view.measures[t] and ask.rng.random() < 0.35:
        c = ask.rng.choice(view.measures[t])
        kind, words = aggregate_words(ask, view, c)
        said = ask.say(number_words(ask, nice_number(ask, view.values[c]) * (3 if kind == "SUM" else 1)))
        op, how = ask.rng.choice(((">", "above"), ("<", "below"), (">=", "of at least")))
        measure, ending = aggregate(kind, column(c)), f"{words} {how} {said}"
    else:
        measure, ending = COUNT, f"{how} {said} {noun.words}"
        if op == ">" and ask.rng.random() < 0.1:
            measure, ending = COUNT, f"multiple {noun.words}"
            having = test(COUNT, ">", value("1"))
            return f"Which {plural(role)} have {ending}?", with_tables(view, t, Query([column(c, via) for c in view.labels[there]], where=noun.condition, group=[column(view.target[key], via)], having=having))
    having = test(measure, op, value(said))
    by = [column(view.target[key], via)]
    if ask.rng.random() < 0.3 and not via:
        inner = with_tables(view, t, Query([column(key)], where=noun.condition, group=[column(key)], having=having))
        return how_many(ask, f"{plural(role)} with {ending}"), with_tables(view, there, Query([COUNT], where=test(column(view.target[key]), "IN", ("sub", inner))))
    return ask.pick(f"Which {plural(role)} have {ending}?", f"List the {plural(role)} with {ending}", f"{plural(role)} with {ending}", f"Find all {plural(role)} that have {ending}.",
                    f"What are the names of {plural(role)} with {ending}?"), with_tables(view, t, Query([column(c, via) for c in view.labels[there]], where=noun.condition, group=by, having=having))


@construct("never", 4)
def make_never(ask: Ask, view: View, t: int) -> Made:
    link = linked(ask, view, t)
    if not link:
        return None
    key, there = link
    noun = noun_phrase(ask, view, t, chances=(0.55,))
    many = view.noun(ask, there)
    outer = noun_phrase(ask, view, there, chances=(0.2,), word=many)
    inner = with_tables(view, t, Query([column(key)], where=noun.condition))
    never = test(column(view.target[key]), "NOT_IN", ("sub", inner))
    where = ("and", [outer.condition, never]) if outer.condition else never
    role = f" as {view.d.column_phrases[key][0]}" if view.via(key) else ""
    ending = ask.pick(f"without any {noun.words}{role}", f"that have no {noun.words}{role}", f"with no {noun.words}{role}", f"that never had any {noun.words}{role}",
                      f"who never had {noun.words}{role}" if view.is_person(there) else f"that do not have any {noun.words}{role}", f"which have never had a {view.noun(ask, t, False)}{role}" if not noun.condition else f"without {noun.words}{role}")
    if ask.rng.random() < 0.35:
        return how_many(ask, f"{outer.words} {ending}"), with_tables(view, there, Query([COUNT], where=where))
    shown = what(ask, view, there)
    return ask.pick(f"Which {outer.words} {ending.replace('that ', '', 1) if ending.startswith('that ') else 'are ' + ending}?", f"List the {shown[0]} of {outer.words} {ending}",
                    f"{outer.words} {ending}", f"What are the {shown[0]} of {outer.words} {ending}?", f"Find {outer.words} {ending}."), with_tables(view, there, Query(shown[1], where=where))


@construct("ever", 3)
def make_ever(ask: Ask, view: View, t: int) -> Made:
    link = linked(ask, view, t)
    if not link or view.via(link[0]):
        return None
    key, there = link
    noun = noun_phrase(ask, view, t, chances=(1.0, 0.2))
    shown = what(ask, view, there)
    if not noun.condition:
        return None
    many, cue = view.noun(ask, there), ask.rng.random() < 0.6
    ending = ask.pick(f"that have ever had {noun.words}", f"with any {noun.words}", f"with at least one of the {noun.words}") if cue else ask.pick(f"with {noun.words}", f"that have {noun.words}", f"having {noun.words}")
    if ask.rng.random() < 0.3:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([aggregate("COUNT", column(key), True)], where=noun.condition))
    return ask.pick(f"Which {many} {ending.removeprefix('that ') if ending.startswith('that') else 'are there ' + ending}?", f"List the {shown[0]} of {many} {ending}", f"What are the {shown[0]} of {many} {ending}?"), \
        with_tables(view, there, Query(shown[1], distinct=cue, tables=[t], where=noun.condition))


@construct("both", 3)
def make_both(ask: Ask, view: View, t: int) -> Made:
    link = linked(ask, view, t)
    if not link or not view.cats[t] or view.via(link[0]):
        return None
    key, there = link
    c = ask.rng.choice(view.cats[t])
    values = [v for v in view.values[c] if isinstance(v, str)]
    if len(values) < 2:
        return None
    first, second = (ask.say(v) for v in ask.rng.sample(values, 2))
    shown, many, noun, name = what(ask, view, there), view.noun(ask, there), view.noun(ask, t), view.name(ask, c)
    op = ask.rng.choice(("INTERSECT", "EXCEPT", "INTERSECT"))
    left = with_tables(view, t, Query(shown[1], where=test(column(c), "=", value(first))))
    left.set = (op, with_tables(view, t, Query(list(shown[1]), where=test(column(c), "=", value(second)))))
    if op == "INTERSECT":
        ending = ask.pick(f"with both {first} and {second} {noun}", f"that have {noun} with {name} {first} as well as {noun} with {name} {second}", f"having {noun} of both {name} {first} and {name} {second}")
    else:
        ending = ask.pick(f"with {first} {noun} but no {second} {noun}", f"that have {noun} with {name} {first} but not with {name} {second}")
    return listing(ask, shown[0], f"{many} {ending}"), left


@construct("above average", 4)
def make_above_average(ask: Ask, view: View, t: int) -> Made:
    shown = what(ask, view, t)
    if not view.measures[t] or not shown:
        return None
    c, noun = ask.rng.choice(view.measures[t]), noun_phrase(ask, view, t, chances=(0.3,))
    name, up = view.name(ask, c), ask.rng.random() < 0.65
    inner = with_tables(view, t, Query([aggregate("AVG", column(c))]))
    compare = test(column(c), ">" if up else "<", ("sub", inner))
    where = ("and", [noun.condition, compare]) if noun.condition else compare
    ending = ask.pick(f"with {'above' if up else 'below'} average {name}", f"whose {name} is {'higher' if up else 'lower'} than the average", f"with a {name} {'above' if up else 'below'} the average",
                      f"whose {name} is {'above' if up else 'below'} average", f"with {'more' if up else 'less'} {name} than average")
    if ask.rng.random() < 0.4:
        return how_many(ask, f"{noun.words} {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return listing(ask, shown[0], f"{noun.words} {ending}"), with_tables(view, t, Query(shown[1], where=where))


@construct("own group average", 2)
def make_own_group(ask: Ask, view: View, t: int) -> Made:
    shown, groups = what(ask, view, t), [c for c in view.cats[t] if len(view.values[c]) < 20] + [k for k in view.keys[t] if not view.twins(k)]
    if not view.measures[t] or not shown or not groups:
        return None
    c, group = ask.rng.choice(view.measures[t]), ask.rng.choice(groups)
    name = view.name(ask, group) if group not in view.target else view.noun(ask, view.schema.table_of(view.target[group]), False)
    up = ask.rng.random() < 0.7
    inner = with_tables(view, t, Query([aggregate("AVG", column(c))], where=test(column(group), "=", ("outer", group))))
    measure, many = view.name(ask, c), view.noun(ask, t)
    ending = ask.pick(f"whose {measure} is {'above' if up else 'below'} the average of their {name}", f"with a {measure} {'higher' if up else 'lower'} than the average in their own {name}",
                      f"with {'more' if up else 'less'} {measure} than the average for their {name}")
    return listing(ask, shown[0], f"{many} {ending}"), with_tables(view, t, Query(shown[1], where=test(column(c), ">" if up else "<", ("sub", inner))))


@construct("extreme by subquery", 2)
def make_extreme(ask: Ask, view: View, t: int) -> Made:
    shown = what(ask, view, t)
    if not view.measures[t] or not shown:
        return None
    c, up, many = ask.rng.choice(view.measures[t]), ask.rng.random() < 0.6, view.noun(ask, t)
    inner = with_tables(view, t, Query([aggregate("MAX" if up else "MIN", column(c))]))
    word = ask.pick(*(MOSTS if up else LEASTS))
    question = ask.pick(f"List all {many} that share the {word} {view.name(ask, c)}", f"Which {many} have the {word} {view.name(ask, c)} of all?",
                        f"What are the {shown[0]} of all {many} whose {view.name(ask, c)} equals the {word}?")
    return question, with_tables(view, t, Query(shown[1], where=test(column(c), "=", ("sub", inner))))


@construct("than named", 3)
def make_than_named(ask: Ask, view: View, t: int) -> Made:
    if len(view.labels[t]) != 1 or not view.measures[t] + view.years[t]:
        return None
    c, label = ask.rng.choice(view.measures[t] + view.years[t]), view.labels[t][0]
    said, many, name, up = ask.say(ask.rng.choice(view.values[label])), view.noun(ask, t), view.name(ask, c), ask.rng.random() < 0.6
    inner = Query([column(c)], where=test(column(label), "=", value(said)))
    compare = test(column(c), ">" if up else "<", ("sub", inner))
    verb = participle(view, c) if c in view.years[t] else ""
    if verb:
        shown = what(ask, view, t)
        return listing(ask, shown[0], f"{many} {verb} {ask.pick('later than', 'after') if up else ask.pick('earlier than', 'before')} {said}"), with_tables(view, t, Query(shown[1], where=compare))
    ending = ask.pick(f"with a {'higher' if up else 'lower'} {name} than {said}", f"whose {name} is {'greater' if up else 'smaller'} than that of {said}", f"with {'more' if up else 'less'} {name} than {said}")
    if ask.rng.random() < 0.35:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=compare))
    shown = what(ask, view, t)
    return ask.pick(f"Which {many} have a {'higher' if up else 'lower'} {name} than {said}?", listing(ask, shown[0], f"{many} {ending}")), with_tables(view, t, Query(shown[1], where=compare))


@construct("ratio", 4)
def make_ratio(ask: Ask, view: View, t: int) -> Made:
    if len(view.measures[t]) < 2:
        return None
    a, b = ask.rng.sample(view.measures[t], 2)
    x, y = view.name(ask, a), view.name(ask, b)
    noun = noun_phrase(ask, view, t, chances=(0.4,))
    ratio = ("arithmetic", "/", aggregate("SUM", column(a)), aggregate("SUM", column(b)))
    draw = ask.rng.random()
    if draw < 0.45:
        return asked(ask, ask.pick(f"ratio of total {x} to total {y} for {noun.words}", f"total {x} per {y} of {noun.words}", f"overall {x} divided by overall {y} of {noun.words}")), \
            with_tables(view, t, Query([ratio], where=noun.condition))
    group, shown = group_of(ask, view, t), what(ask, view, t, False)
    if draw < 0.7 and group:
        words, columns, by = group
        return ask.pick(f"{x} per {y} by {words}", f"For each {words}, what is the ratio of total {x} to total {y}?", f"Show the total {x} per {y} for each {words}"), \
            with_tables(view, t, Query(columns + [ratio], group=by))
    if not shown:
        return None
    row = ("arithmetic", "/", column(a), column(b))
    up = ask.rng.random() < 0.75
    single = view.noun(ask, t, False)
    return ask.pick(f"Which {single} has the {'highest' if up else 'lowest'} {x} per {y}?", f"{single} with the {'most' if up else 'least'} {x} per {y}",
                    f"What is the {shown[0]} of the {single} with the {'best' if up else 'worst'} ratio of {x} to {y}?"), \
        with_tables(view, t, Query(shown[1], order=[(row, "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))


@construct("per", 4)
def make_per(ask: Ask, view: View, t: int) -> Made:
    """Rows, or a sum, per row of another table."""
    keys = [k for k in view.keys[t] if not view.twins(k)]
    if not keys:
        return None
    key, noun = ask.rng.choice(keys), noun_phrase(ask, view, t, chances=(0.4,))
    single = view.noun(ask, view.schema.table_of(view.target[key]), False)
    top, words = COUNT, f"number of {noun.words}"
    if view.measures[t] and ask.rng.random() < 0.4:
        c = ask.rng.choice(view.measures[t])
        top, words = aggregate("SUM", column(c)), f"{view.name(ask, c)} of {noun.words}"
    query = with_tables(view, t, Query([("arithmetic", "/", top, aggregate("COUNT", column(key), True))], where=noun.condition))
    if top is COUNT:
        return ask.pick(f"How many {noun.words} are there per {single} on average?", f"What is the average {words} per {single}?", f"average {words} per {single}", f"On average, how many {noun.words} does a {single} have?"), query
    return ask.pick(f"What is the average total {words} per {single}?", f"On average, how much {words} is there per {single}?"), query


@construct("percentage", 5)
def make_percentage(ask: Ask, view: View, t: int) -> Made:
    outer = noun_phrase(ask, view, t, chances=(0.3,))
    part = any_filter(ask, view, t)
    if not part or part.column in outer.columns:
        return None
    share = ("arithmetic", "PCT", aggregate("COUNT", STAR, condition=part.condition), COUNT)
    rest = part.after.removeprefix("that are ").removeprefix("which were ") or part.before
    words = "percentage", "share", "proportion", "percent"
    question = ask.pick(f"What {ask.pick(*words)} of {outer.words} {'are ' if not rest.startswith(('have', 'that', 'whose', 'with', 'of', 'where', 'marked')) else ''}{rest.removeprefix('that ')}?",
                        f"What is the {ask.pick('percentage', 'share', 'proportion')} of {part.before + ' ' if part.before else ''}{view.noun(ask, t)} {part.after} among all {outer.words}?",
                        f"share of {outer.words} {part.after or 'that are ' + part.before}", f"percentage of {outer.words} {part.after or 'that are ' + part.before}")
    group = group_of(ask, view, t) if ask.rng.random() < 0.3 else None
    if group and not outer.condition:
        return f"For each {group[0]}, what {ask.pick('percentage', 'share')} of {view.noun(ask, t)} are {rest}?", with_tables(view, t, Query(group[1] + [share], group=group[2]))
    return question.replace("  ", " "), with_tables(view, t, Query([share], where=outer.condition))


@construct("share of total", 4)
def make_share_of_total(ask: Ask, view: View, t: int) -> Made:
    group = group_of(ask, view, t)
    if not group:
        return None
    words, shown, by = group
    top, name = COUNT, view.noun(ask, t)
    if view.measures[t] and ask.rng.random() < 0.7:
        c = ask.rng.choice(view.measures[t])
        top, name = aggregate("SUM", column(c)), f"total {view.name(ask, c)}"
    share = ("arithmetic", "PCT", top, ("sub", with_tables(view, t, Query([top]))))
    return ask.pick(f"What share of the {name.removeprefix('total ')} does each {words} have?", f"Share of {name} by {words}", f"What percentage of {name} comes from each {words}?",
                    f"For each {words}, show its percentage of the {name}", f"percentage of all {name.removeprefix('total ')} per {words}"), with_tables(view, t, Query(shown + [share], group=by))


def two_groups(ask: Ask, view: View, t: int) -> tuple[str, str, tuple, tuple] | None:
    """Two values of one category, or two years of a date: words and conditions."""
    choices = [c for c in view.cats[t] if len(view.values[c]) >= 2] + view.dates[t] * 2
    if not choices:
        return None
    c = ask.rng.choice(choices)
    if c in view.dates[t]:
        years = sorted({str(v)[:4] for v in view.values[c]})
        if len(years) < 2:
            return None
        a, b = ask.rng.sample(years, 2)
        if ask.rng.random() < 0.25:
            month = ask.rng.choice(MONTH_NAMES)
            a, b = f"{month} {a}", f"{month} {b}"
        x, y = ask.say(a), ask.say(b)
        lead = participle(view, c) + " in" if participle(view, c) else "in" if len(view.dates[t]) == 1 and not view.is_person(t) else f"with {view.name(ask, c)} in"
        return f"{lead} {x}", f"{lead} {y}", test(column(c), "=", value(x)), test(column(c), "=", value(y))
    x, y = (ask.say(v) for v in ask.rng.sample([v for v in view.values[c] if isinstance(v, str)], 2))
    place = view.d.kinds[c].shape in ("city", "country", "region")
    lead = "in " if place else f"with {view.name(ask, c)} "
    return lead + x, lead + y, test(column(c), "=", value(x)), test(column(c), "=", value(y))


@construct("difference", 5)
def make_difference(ask: Ask, view: View, t: int) -> Made:
    groups = two_groups(ask, view, t)
    if not groups:
        return None
    a, b, first, second = groups
    many = view.noun(ask, t)
    if view.measures[t] and ask.rng.random() < 0.55:
        c = ask.rng.choice(view.measures[t])
        kind, words = aggregate_words(ask, view, c)
        left, right = aggregate(kind, column(c), condition=first), aggregate(kind, column(c), condition=second)
        question = ask.pick(f"What is the difference in {words} between {many} {a} and {many} {b}?", f"difference in {words} of {many} {a} and {b}", f"How much higher is the {words} of {many} {a} than {b}?",
                            f"By how much does the {words} of {many} differ {a} versus {b}?")
        if ask.rng.random() < 0.25 and kind in ("SUM", "AVG"):
            return ask.pick(f"Compare the {words} of {many} {a} and {b}", f"{words} of {many} {a} vs {b}"), with_tables(view, t, Query([left, right]))
        return question, with_tables(view, t, Query([("arithmetic", "-", left, right)]))
    left, right = aggregate("COUNT", STAR, condition=first), aggregate("COUNT", STAR, condition=second)
    if ask.rng.random() < 0.25:
        return ask.pick(f"Ratio of {many} {a} to {many} {b}", f"What is the ratio of {many} {a} to those {b}?"), with_tables(view, t, Query([("arithmetic", "/", left, right)]))
    return ask.pick(f"How many more {many} are there {a} than {b}?", f"How many more {many} {a} than {b}?", f"difference in the number of {many} {a} and {b}", f"What is the difference between the number of {many} {a} and {b}?"), \
        with_tables(view, t, Query([("arithmetic", "-", left, right)]))


@construct("date part group", 5)
def make_date_group(ask: Ask, view: View, t: int) -> Made:
    if not view.dates[t]:
        return None
    c, noun = ask.rng.choice(view.dates[t]), noun_phrase(ask, view, t, chances=(0.3,))
    part, words = ask.rng.choice((("YEAR", "year"), ("YEAR", "year"), ("MONTH", "month"), ("MONTH", "calendar month"), ("QUARTER", "quarter"), ("WEEKDAY", "day of the week"), ("WEEKDAY", "weekday")))
    if c in noun.columns:
        return None
    by = ("part", part, column(c))
    verb = participle(view, c)
    if len(view.dates[t]) > 1:
        words = f"{words} of {view.name(ask, c)}" if not verb or ask.rng.random() < 0.4 else words
    many = f"{noun.words} {verb}" if verb and not noun.condition and (len(view.dates[t]) > 1 or ask.rng.random() < 0.3) else noun.words
    measure, name = COUNT, f"number of {many}"
    if view.measures[t] and ask.rng.random() < 0.5:
        m = ask.rng.choice(view.measures[t])
        kind, phrase = aggregate_words(ask, view, m)
        measure, name = aggregate(kind, column(m)), f"{phrase} of {many}"
    draw = ask.rng.random()
    if draw < 0.2 and measure[1] != "MIN":
        return ask.pick(f"Which {words} had the {'most ' + many if measure is COUNT else 'highest ' + name.removeprefix('highest ').removeprefix('largest ')}?", f"In which {words} was the {name} highest?"), \
            with_tables(view, t, Query([by], where=noun.condition, group=[by], order=[(measure, "DESC")], limit=("LIMIT", value("1"))))
    query = with_tables(view, t, Query([by, measure], where=noun.condition, group=[by]))
    question = ask.pick(f"What is the {name} per {words}?", f"{name} by {words}", f"Show the {name} for each {words}", f"How did the {name} develop by {words}?" if part == "YEAR" else f"{name} per {words}",
                        f"monthly {name}" if words == "month" else f"yearly {name}" if words == "year" else f"quarterly {name}" if words == "quarter" else f"the {name} for every {words}")
    if ask.rng.random() < 0.3:
        query.order, question = [(by, "ASC")], question.rstrip("?") + ask.pick(", in order", ", in chronological order", ", sorted by time")
    return question, query


@construct("days between", 2)
def make_days(ask: Ask, view: View, t: int) -> Made:
    pairs = [(a, b) for a in view.dates[t] for b in view.dates[t] if a < b]
    if not pairs:
        return None
    a, b = ask.rng.choice(pairs)
    noun = noun_phrase(ask, view, t, chances=(0.3,))
    span = ("arithmetic", "-", column(b), column(a))
    x, y = view.name(ask, a), view.name(ask, b)
    if ask.rng.random() < 0.7:
        kind, word = ask.rng.choice((("AVG", "average"), ("MAX", "longest"), ("MIN", "shortest")))
        return asked(ask, ask.pick(f"{word} number of days between {x} and {y} of {noun.words}", f"{word} time from {x} to {y} for {noun.words}", f"{word} time between {x} and {y} of {noun.words}")), \
            with_tables(view, t, Query([aggregate(kind, span)], where=noun.condition))
    said = ask.say(number_words(ask, ask.rng.choice((5, 7, 10, 14, 30, 60, 90, 100))))
    compare = test(span, ">", value(said))
    where = ("and", [noun.condition, compare]) if noun.condition else compare
    return how_many(ask, f"{noun.words} with more than {said} days between {x} and {y}"), with_tables(view, t, Query([COUNT], where=where))


@construct("product of columns", 2)
def make_product(ask: Ask, view: View, t: int) -> Made:
    counts = [c for c in view.measures[t] if any(w in view.d.column_phrases[c][0] for w in ("quantity", "hours", "units", "tons", "copies", "shares", "cups", "seats", "tickets", "amount", "people"))]
    prices = [c for c in view.measures[t] if any(w in view.d.column_phrases[c][0] for w in ("price", "rate", "cost", "wage", "fee")) and c not in counts]
    if not counts or not prices:
        return None
    product = ("arithmetic", "MUL", column(ask.rng.choice(counts)), column(ask.rng.choice(prices)))
    noun, group = noun_phrase(ask, view, t, chances=(0.4,)), group_of(ask, view, t)
    x, y = view.name(ask, product[2][1]), view.name(ask, product[3][1])
    name = ask.pick("total revenue", "revenue", f"total of {x} times {y}", f"sum of {x} multiplied by {y}")
    if group and ask.rng.random() < 0.5:
        return ask.pick(f"What is the {name} per {group[0]}?", f"{name} by {group[0]}", f"Show the {name} for each {group[0]}"), with_tables(view, t, Query(group[1] + [aggregate("SUM", product)], group=group[2]))
    return asked(ask, f"{name} of {noun.words}"), with_tables(view, t, Query([aggregate("SUM", product)], where=noun.condition))


@construct("two keys", 8)
def make_two_keys(ask: Ask, view: View, t: int) -> Made:
    twins = [k for k in view.keys[t] if view.twins(k) and view.schema.table_of(view.target[k]) != t]
    if len(twins) < 2:
        return None
    a, b = ask.rng.sample(twins, 2)
    there = view.schema.table_of(view.target[a])
    if view.schema.table_of(view.target[b]) != there:
        return None
    x, y = (ask.rng.choice(view.d.column_phrases[k]) for k in (a, b))
    many = view.noun(ask, t)
    columns = view.labels[there][:1] * 2 + [c for c in view.cats[there] if view.d.kinds[c].shape in ("city", "country", "region")]
    if not columns:
        return None
    c = ask.rng.choice(columns)
    values = [v for v in view.values[c] if isinstance(v, str)]
    draw = ask.rng.random()
    label = [column(view.labels[there][0], k) for k in (a, b)] if view.labels[there] else []
    if draw < 0.25 and label:
        extra = ask.rng.choice(view.dates[t] + view.measures[t]) if view.dates[t] + view.measures[t] else 0
        noun = noun_phrase(ask, view, t, chances=(0.4,)) if extra else Noun(many, None)
        return ask.pick(f"List the {x} and {y} of all {noun.words}", f"Show {x} and {y} for each of the {noun.words}", f"{x}, {y} of {noun.words}", f"Which {x} and {y} belong to the {noun.words}?"), \
            with_tables(view, t, Query(label, where=noun.condition))
    first = ask.say(ask.rng.choice(values))
    one = test(column(c, a), "=", value(first))
    attribute = "" if c in view.labels[there] else ask.pick("in ", "from ")
    if draw < 0.5:
        second = ask.say(ask.rng.choice(values))
        both = ("and", [one, test(column(c, b), "=", value(second))])
        words = ask.pick(f"with {x} {attribute}{first} and {y} {attribute}{second}", f"whose {x} is {attribute}{first} and whose {y} is {attribute}{second}", f"where the {x} is {attribute}{first} and the {y} is {attribute}{second}")
        return how_many(ask, f"{many} {words}"), with_tables(view, t, Query([COUNT], where=both))
    words = f"with {x} {attribute}{first}" if ask.rng.random() < 0.5 else f"whose {x} is {attribute}{first}"
    if view.measures[t] and draw < 0.75:
        m = ask.rng.choice(view.measures[t])
        kind, phrase = aggregate_words(ask, view, m)
        return asked(ask, f"{phrase} of {many} {words}"), with_tables(view, t, Query([aggregate(kind, column(m))], where=one))
    if label and ask.rng.random() < 0.6:
        return ask.pick(f"What are the {plural(y)} of {many} {words}?", f"List the {y} of all {many} {words}"), with_tables(view, t, Query([label[1]], where=one))
    return how_many(ask, f"{many} {words}"), with_tables(view, t, Query([COUNT], where=one))


@construct("self reference", 8)
def make_self(ask: Ask, view: View, t: int) -> Made:
    keys = [k for k in view.keys[t] if view.schema.table_of(view.target[k]) == t]
    if not keys or not view.labels[t]:
        return None
    key, labels = ask.rng.choice(keys), view.labels[t]
    role, many = ask.rng.choice(view.d.column_phrases[key]), view.noun(ask, t)
    mine, theirs = [column(c) for c in labels], [column(c, key) for c in labels]
    draw = ask.rng.random()
    if draw < 0.3:
        return ask.pick(f"List each {view.noun(ask, t, False)} with their {role}", f"Show the names of all {many} and their {plural(role)}", f"{many} and their {plural(role)}"), with_tables(view, t, Query(mine + theirs))
    if draw < 0.55 and view.measures[t] and not role.endswith("by"):
        c = ask.rng.choice(view.measures[t])
        name = view.name(ask, c)
        return ask.pick(f"Which {many} have a higher {name} than their {role}?", f"Find the {many} whose {name} is greater than that of their {role}"), with_tables(view, t, Query(mine, where=test(column(c), ">", column(c, key))))
    if draw < 0.75 and not role.endswith(" by"):
        up = ask.rng.random() < 0.8
        return ask.pick(f"Which {role} has the {'most' if up else 'fewest'} {many}?", f"Who is the {role} of the {'most' if up else 'fewest'} {many}?"), \
            with_tables(view, t, Query(theirs, group=[column(view.target[key], key)], order=[(COUNT, "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))
    if len(labels) == 2:
        first, last = (ask.say(ask.rng.choice(view.values[c])) for c in labels)
        where, said = ("and", [test(column(c, key), "=", value(v)) for c, v in zip(labels, (first, last))]), f"{first} {last}"
    else:
        said = ask.say(ask.rng.choice(view.values[labels[0]]))
        where = test(column(labels[0], key), "=", value(said))
    ending = f"{role} {said}" if role.endswith("by") else ask.pick(f"whose {role} is {said}", f"with {said} as {role}")
    if ask.rng.random() < 0.4:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return listing(ask, "names", f"{many} {ending}"), with_tables(view, t, Query(mine, where=where))


@construct("compare columns", 2)
def make_compare_columns(ask: Ask, view: View, t: int) -> Made:
    shown = what(ask, view, t)
    same = [(a, b) for a in view.measures[t] for b in view.measures[t] if a != b and set(view.d.column_phrases[a][0].split()) & set(view.d.column_phrases[b][0].split())]
    if not shown or not same:
        return None
    a, b = ask.rng.choice(same)
    x, y, up = view.d.column_phrases[a][0], view.d.column_phrases[b][0], ask.rng.random() < 0.6
    compare = test(column(a), ">" if up else "<", column(b))
    ending = ask.pick(f"where the {x} is {'higher' if up else 'lower'} than the {y}", f"whose {x} {'exceeds' if up else 'is below'} the {y}", f"with {'more' if up else 'less'} {x} than {y}")
    many = view.noun(ask, t)
    if ask.rng.random() < 0.5:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=compare))
    return listing(ask, shown[0], f"{many} {ending}"), with_tables(view, t, Query(shown[1], where=compare))


@construct("groups of tests", 3)
def make_groups(ask: Ask, view: View, t: int) -> Made:
    """(a or b) and c; not (a and b)."""
    filters = [f for f in (own_filter(ask, view, t) for _ in range(3)) if f and f.after]
    if len(filters) < 3 or len({f.column for f in filters}) < 3:
        return None
    a, b, c = filters
    many = view.noun(ask, t)
    if ask.rng.random() < 0.7:
        where = ("and", [("or", [a.condition, b.condition]), c.condition])
        words = ask.pick(f"{many} {c.after} that are either {a.after} or {b.after}", f"{many} either {a.after} or {b.after}, and in any case {c.after}", f"{many} {c.after}, {a.after} or {b.after}")
    else:
        where = ("not", ("or", [a.condition, b.condition]))
        words = ask.pick(f"{many} that are neither {a.after} nor {b.after}", f"all {many} except those {a.after} or {b.after}")
    if ask.rng.random() < 0.5:
        return how_many(ask, words.removeprefix("all ")), with_tables(view, t, Query([COUNT], where=where))
    shown = what(ask, view, t)
    return (listing(ask, shown[0], words), with_tables(view, t, Query(shown[1], where=where))) if shown else None


@construct("telegraphic", 5)
def make_telegraphic(ask: Ask, view: View, t: int) -> Made:
    """Keywords without grammar: "customers 2023 top 5 revenue"."""
    many, labels = view.noun(ask, t), view.labels[t]
    extra, where = "", None
    if view.dates[t] and len(view.dates[t]) == 1 and ask.rng.random() < 0.5:
        said = ask.say(date_text(ask, str(ask.rng.choice(view.values[view.dates[t][0]])))[0])
        extra, where = f" {said}", test(column(view.dates[t][0]), "=", value(said))
    elif view.cats[t]:
        found = category_filter(ask, view, ask.rng.choice(view.cats[t]), negative=False)
        if found.condition[2] == "=":
            extra, where = " " + found.condition[3][0][1], found.condition
    draw = ask.rng.random()
    if draw < 0.35 and view.measures[t] and labels:
        c, said = ask.rng.choice(view.measures[t]), ask.say(str(ask.rng.choice((3, 5, 10))))
        return ask.pick(f"{many}{extra} top {said} {view.name(ask, c)}", f"top {said} {many}{extra} {view.name(ask, c)}"), \
            with_tables(view, t, Query([column(c) for c in labels], where=where, order=[(column(c), "DESC")], limit=("LIMIT", value(said))))
    if draw < 0.6 and view.measures[t]:
        c = ask.rng.choice(view.measures[t])
        kind, word = ask.rng.choice((("AVG", "avg"), ("AVG", "average"), ("SUM", "total"), ("SUM", "sum"), ("MAX", "max"), ("MIN", "min")))
        return ask.pick(f"{word} {view.name(ask, c)} {many}{extra}", f"{many}{extra} {word} {view.name(ask, c)}"), with_tables(view, t, Query([aggregate(kind, column(c))], where=where))
    group = group_of(ask, view, t)
    if draw < 0.8 and group:
        return ask.pick(f"{many}{extra} count by {group[0]}", f"count {many}{extra} per {group[0]}", f"# {many}{extra} by {group[0]}"), with_tables(view, t, Query(group[1] + [COUNT], where=where, group=group[2]))
    return ask.pick(f"{many}{extra} count", f"number {many}{extra}", f"count {many}{extra}", f"how many {many}{extra}"), with_tables(view, t, Query([COUNT], where=where))


@construct("like", 2)
def make_like(ask: Ask, view: View, t: int) -> Made:
    if len(view.labels[t]) != 1:
        return None
    label, many = view.labels[t][0], view.noun(ask, t)
    word = ask.rng.choice(str(ask.rng.choice(view.values[label])).split())
    kind = ask.rng.choice(("LIKE_C", "LIKE_S", "LIKE_E", "NLIKE_C"))
    piece = word if kind.endswith("C") else word[:ask.rng.randint(1, 3)] if kind == "LIKE_S" else word[-ask.rng.randint(1, 3):]
    said, name = ask.say(piece), view.name(ask, label)
    quoted = ask.pick(f'"{said}"', f"'{said}'", said)
    ending = {"LIKE_C": ask.pick(f"whose {name} contains {quoted}", f"with {quoted} in their {name}", f"whose {name} includes the word {quoted}", f"whose {name} has the substring {quoted}",
                                 f"containing {quoted} in the {name}", f"that have {quoted} as part of the {name}", f"with a {name} like {quoted}"),
              "NLIKE_C": ask.pick(f"whose {name} does not contain {quoted}", f"without {quoted} in the {name}"),
              "LIKE_S": ask.pick(f"whose {name} starts with {quoted}", f"with a {name} beginning with {quoted}", f"whose {name} begins with the letters {quoted}", f"with the prefix {quoted} in the {name}"),
              "LIKE_E": ask.pick(f"whose {name} ends with {quoted}", f"with a {name} ending in {quoted}")}[kind]
    where = test(column(label), kind, value(said))
    if ask.rng.random() < 0.4:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return listing(ask, plural(name), f"{many} {ending}"), with_tables(view, t, Query([column(label)], where=where))
