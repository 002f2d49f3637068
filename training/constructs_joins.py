"""More constructs of the synthetic questions: over several tables, through tables that only link others, best of each group, set operations."""
from __future__ import annotations

import dataclasses

from training.constructs import CONSTRUCTS, COUNT, LEASTS, MOSTS, Made, construct, group_of, how_many, is_many, linked, with_tables
from training.constructs_show import some_columns, sort_by
from training.described import plural
from training.logical_form import Query, aggregate, column, test, value
from training.phrases import Ask, Filter, View, full_name, nice_number, noun_phrase, number_filter, number_words, own_filter

__all__ = ["CONSTRUCTS"]
# What the rows of two linked tables may have to do with each other: the words carry no meaning that the schema does not.
PERSON_VERBS = ("took", "attended", "used", "ordered", "visited", "played in", "participated in", "worked on", "are registered for", "own", "are involved in", "bought", "saw",
                "belong to", "have", "are enrolled in", "chose", "were assigned to", "are linked to", "joined", "wrote", "received", "signed up for", "have been to", "teach", "manage")
THING_VERBS = ("have", "contain", "are linked to", "include", "are associated with", "belong to", "are used by", "come with", "offer", "were given to", "involve", "are part of", "serve",
               "are related to", "were made for", "appear in", "are owned by", "feature")


@dataclasses.dataclass
class Bridge:
    """Table a reaches table b through a table that holds a key to each."""
    link: int
    key_a: int
    key_b: int
    a: int
    b: int


def bridge(ask: Ask, view: View, t: int) -> Bridge | None:
    """Two tables that a table links, in either direction; both have names."""
    keys = [k for k in view.keys[t] if not view.twins(k) and view.labels[view.schema.table_of(view.target[k])]]
    if len(keys) < 2:
        return None
    x, y = ask.rng.sample(keys, 2)
    return Bridge(t, x, y, view.schema.table_of(view.target[x]), view.schema.table_of(view.target[y]))


def far_filter(ask: Ask, view: View, t: int) -> Filter | None:
    """A filter on the other side of a bridge: one row by its name, or rows by an attribute."""
    labels = view.labels[t]
    if ask.rng.random() < 0.55:
        if len(labels) == 2:
            words, condition = full_name(ask, view, t)
            return Filter("", words, condition, labels[0])
        values = [v for v in view.values[labels[0]] if isinstance(v, str)]
        if not values:
            return None
        said = ask.say(ask.rng.choice(values))
        single = view.noun(ask, t, False)
        name = view.name(ask, labels[0])
        return Filter("", ask.pick(said, said, f"the {single} {said}", f"{single} {said}", f"the {single} named {said}", f'the {single} with {name} "{said}"', f"{said} {single}"),
                      test(column(labels[0]), "=", value(said)), labels[0])
    found = own_filter(ask, view, t)
    if not found:
        return None
    noun = view.noun(ask, t)
    words = " ".join(w for w in (ask.pick("", "any", "some", ""), found.before, noun, found.after) if w)
    return Filter("", words, found.condition, found.column)


def verb(ask: Ask, view: View, t: int) -> str:
    return f"who {ask.pick(*PERSON_VERBS)}" if view.is_person(t) and ask.rng.random() < 0.9 else f"{ask.pick('that', 'which')} {ask.pick(*THING_VERBS)}"


@construct("through link", 7)
def make_through_link(ask: Ask, view: View, t: int) -> Made:
    """Rows that a link table joins to a row of another table: "students who take Databases"."""
    found = bridge(ask, view, t)
    if not found:
        return None
    b, shown = found, some_columns(ask, view, found.a, 2)
    far = far_filter(ask, view, b.b)
    if not far or not shown:
        return None
    many = view.noun(ask, b.a)
    ending = f"{verb(ask, view, b.a)} {far.after}" if ask.rng.random() < 0.75 else f"{ask.pick('of', 'with', 'for', 'from', 'in')} {far.after}"
    draw = ask.rng.random()
    if draw < 0.2:
        counted = COUNT if len(view.plain[t]) < 2 else aggregate("COUNT", column(b.key_a), True)
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([counted], where=far.condition))
    if draw < 0.35 and view.measures[b.a]:
        c = ask.rng.choice(view.measures[b.a])
        kind, word = ask.rng.choice((("AVG", "average"), ("MAX", "maximum"), ("MIN", "minimum"), ("SUM", "total")))
        return ask.pick(f"What is the {word} {view.name(ask, c)} of {many} {ending}?", f"{word} {view.name(ask, c)} of the {many} {ending}", f"Find the {word} {view.name(ask, c)} among {many} {ending}."), \
            with_tables(view, t, Query([aggregate(kind, column(c))], where=far.condition))
    distinct = ask.rng.random() < 0.25
    word = ask.pick("distinct ", "different ", "unique ") if distinct else ""
    where = far.condition
    own = own_filter(ask, view, b.a) if ask.rng.random() < 0.2 else None
    if own and own.after:
        where, ending = ("and", [own.condition, where]), f"{own.after} {ask.pick('and ', '')}{ending}"
    return ask.pick(f"What are the {word}{shown[0]} of {many} {ending}?", f"Find the {word}{shown[0]} of {many} {ending}.", f"List the {word}{shown[0]} of all {many} {ending}", f"Show the {word}{shown[0]} for the {many} {ending}.",
                    f"Which {many} {ending.removeprefix('who ').removeprefix('that ').removeprefix('which ')}? Give me the {word}{shown[0]}."), \
        with_tables(view, t, Query(shown[1], distinct=distinct, where=where))


@construct("link counts", 5)
def make_link_counts(ask: Ask, view: View, t: int) -> Made:
    """How many rows of one side each row of the other has, the most of them, or at least so many."""
    b = bridge(ask, view, t)
    if not b:
        return None
    many, single, others = view.noun(ask, b.a), view.noun(ask, b.a, False), view.noun(ask, b.b)
    labels = [column(c) for c in view.labels[b.a]]
    name = "full name" if len(labels) == 2 else view.name(ask, view.labels[b.a][0])
    by = [column(ask.rng.choice((b.key_a, view.target[b.key_a])))]
    query = with_tables(view, t, Query(labels, group=by))
    act = verb(ask, view, b.a).split(" ", 1)[1]
    draw = ask.rng.random()
    if draw < 0.35:
        query.select = labels + [COUNT]
        return ask.pick(f"How many {others} does each {single} have?", f"For each {single}, show the {name} and the number of {others}.", f"Show the {name} of each {single} and the number of {others} they {act}",
                        f"number of {others} per {single}", f"Count the {others} of every {single}."), query
    if draw < 0.7:
        up = ask.rng.random() < 0.75
        query.order, query.limit = [(COUNT, "DESC" if up else "ASC")], ("LIMIT", value("1"))
        most = ask.pick("the most", "the largest number of", "the highest number of") if up else ask.pick("the fewest", "the smallest number of", "the least number of")
        return ask.pick(f"Which {single} has {most} {others}?", f"What is the {name} of the {single} with {most} {others}?", f"Find the {name} of the {single} that {act} {most} {others}.", f"{single} with {most} {others}"), query
    op, how = ask.rng.choice(((">", "more than"), (">=", "at least"), ("<", "fewer than"), ("=", "exactly"), ("<=", "at most"), (">=", "no fewer than")))
    said = ask.say(number_words(ask, ask.rng.randint(1, 5)))
    query.having = test(COUNT, op, value(said))
    return ask.pick(f"Which {many} {act} {how} {said} {others}?", f"Find the {name} of {many} {verb(ask, view, b.a)} {how} {said} {others}.", f"List the {plural(name)} of {many} with {how} {said} {others}",
                    f"What are the {plural(name)} of the {many} that have {how} {said} {others}?"), query


@construct("link never", 4)
def make_link_never(ask: Ask, view: View, t: int) -> Made:
    """Rows that the link table joins to nothing, or not to a given row; as a membership or as a difference of sets."""
    b = bridge(ask, view, t)
    if not b:
        return None
    far = far_filter(ask, view, b.b) if ask.rng.random() < 0.6 else None
    many, labels = view.noun(ask, b.a), [column(c) for c in view.labels[b.a]]
    what = far.after if far else ask.pick(f"any {view.noun(ask, b.b)}", f"a {view.noun(ask, b.b, False)}", view.noun(ask, b.b))
    act = ask.pick("never had", "do not have", "did not take", "have not used", "are not linked to", "have never been to", "are not in", "did not attend", "do not own", "have nothing to do with", "never chose")
    name = "full names" if len(labels) == 2 else plural(view.name(ask, view.labels[b.a][0]))
    inner = with_tables(view, t, Query([column(b.key_a)], where=far.condition if far else None))
    never = test(column(view.target[b.key_a]), "NOT_IN", ("sub", inner))
    if ask.rng.random() < 0.3:
        return how_many(ask, f"{many} that {act} {what}"), with_tables(view, b.a, Query([COUNT], where=never))
    question = ask.pick(f"Which {many} {act} {what}?", f"What are the {name} of {many} that {act} {what}?", f"List the {name} of all {many} {'who' if view.is_person(b.a) else 'which'} {act} {what}.", f"Find {many} that {act} {what}")
    if ask.rng.random() < 0.4:
        query = with_tables(view, b.a, Query(labels))
        query.set = ("EXCEPT", with_tables(view, t, Query(list(labels), where=far.condition if far else None)))
        return question, query
    return question, with_tables(view, b.a, Query(labels, where=never))


@construct("pair", 6)
def make_pair(ask: Ask, view: View, t: int) -> Made:
    """Columns of rows and of what they belong to, perhaps across a link table, perhaps sorted: "names of players and of their coaches"."""
    found = bridge(ask, view, t) if ask.rng.random() < 0.35 else None
    if found:
        near, there, via = found.a, found.b, 0
        role = view.noun(ask, there, False)
    else:
        link = linked(ask, view, t)
        if not link:
            return None
        near, (key, there) = t, link
        via = view.via(key)
        role = ask.rng.choice(view.d.column_phrases[key]) if via else view.noun(ask, there, False)
    noun, mine, theirs = noun_phrase(ask, view, near, chances=(0.35,)), some_columns(ask, view, near, 2), some_columns(ask, view, there, 1, via, role)
    if not mine or not theirs:
        return None
    order, tail = [], ""
    sortable = view.measures[near] + view.dates[near] + view.labels[near][:1]
    if sortable and ask.rng.random() < 0.3:
        c = ask.rng.choice(sortable)
        direction, words = sort_by(ask, view, near, c)
        order, tail = [(column(c), direction)], ask.pick(" ", ", ") + words
    question = ask.pick(f"Show the {mine[0]} of {noun.words} and the {theirs[0]} of their {plural(role)}{tail}.", f"What are the {mine[0]} of each of the {noun.words} and the {theirs[0]} of the {role}{tail}?",
                        f"List the {mine[0]} of all {noun.words} along with the {theirs[0]} of the {role} they belong to{tail}", f"For each {view.noun(ask, near, False)}, show the {mine[0]} and the {role} {theirs[0]}{tail}."
                        if not noun.condition else f"For {noun.words}, show the {mine[0]} and the {role} {theirs[0]}{tail}.", f"{mine[0]} of {noun.words} with {role} {theirs[0]}{tail}",
                        f"Find the {mine[0]} of the {noun.words} and the corresponding {role} {theirs[0]}{tail}")
    return question, with_tables(view, t, Query(mine[1] + theirs[1], where=noun.condition, order=order))


@construct("best of each", 5)
def make_best_of_each(ask: Ask, view: View, t: int) -> Made:
    """For each group the row at one end of a measure, with the group and the measure."""
    group = group_of(ask, view, t)
    if not group or not view.measures[t] or not view.labels[t]:
        return None
    words, shown, by = group
    c, up, noun = ask.rng.choice(view.measures[t]), ask.rng.random() < 0.7, noun_phrase(ask, view, t, False, chances=(0.2,))
    name, label = view.name(ask, c), "full name" if len(view.labels[t]) == 2 else view.name(ask, view.labels[t][0])
    most = ("most" if up else "fewest") if is_many(name) else ask.pick(*(MOSTS if up else LEASTS))
    top = aggregate("MAX" if up else "MIN", column(c))
    question = ask.pick(f"For each {words}, which {noun.words} has the {most} {name}?", f"Find the {label} and {name} of the {noun.words} with the {most} {name} in each {words}.",
                        f"What is the {noun.words} with the {most} {name} for each {words}?", f"Show the {words}, and the {label} and {name} of its {noun.words} with the {most} {name}", f"{noun.words} with the {most} {name} per {words}",
                        f"List each {words} along with the {label} and {name} of the {noun.words} having the {most} {name}", f"Who has the {most} {name} in each {words}?" if view.is_person(t) and not noun.condition else
                        f"In each {words}, what are the {label} and the {name} of the {noun.words} with the {most} {name}?")
    return question, with_tables(view, t, Query(shown + [column(x) for x in view.labels[t]] + [top], where=noun.condition, group=by))


@construct("shared values", 4)
def make_shared_values(ask: Ask, view: View, t: int) -> Made:
    """Values of a column that rows of two kinds have: both, only one, or either of them."""
    columns = [c for c in view.cats[t] + view.years[t] if 1 < len(view.values[c]) < 40]
    if not columns:
        return None
    c, many = ask.rng.choice(columns), view.noun(ask, t)
    if view.measures[t] and ask.rng.random() < 0.55:
        m = ask.rng.choice(view.measures[t])
        low, high = sorted((nice_number(ask, view.values[m]), nice_number(ask, view.values[m])))
        x, y, name = ask.say(number_words(ask, high)), ask.say(number_words(ask, low)), view.name(ask, m)
        first, second = test(column(m), ">", value(x)), test(column(m), "<", value(y))
        a, b = f"{many} with {name} {ask.pick('above', 'over', 'higher than')} {x}", f"{many} with {name} {ask.pick('below', 'under', 'lower than')} {y}"
    else:
        filters = [own_filter(ask, view, t) for _ in range(2)]
        if not all(f and f.after and f.column != c for f in filters):
            return None
        first, second = (f.condition for f in filters)
        a, b = (f"{many} {f.after}" for f in filters)
    name, op = view.name(ask, c), ask.rng.choice(("INTERSECT", "INTERSECT", "EXCEPT", "UNION"))
    left = with_tables(view, t, Query([column(c)], where=first))
    left.set = (op, with_tables(view, t, Query([column(c)], where=second)))
    if op == "INTERSECT":
        return ask.pick(f"Which {plural(name)} have both {a} and {b}?", f"Show the {plural(name)} shared by {a} and {b}.", f"What are the {plural(name)} of both {a} and {b}?", f"Find the {name} that {a} and {b} have in common"), left
    if op == "EXCEPT":
        return ask.pick(f"Which {plural(name)} have {a} but no {b}?", f"Show the {plural(name)} of {a} that are not {plural(name)} of {b}.", f"Find the {plural(name)} with {a} and without {b}"), left
    return ask.pick(f"Which {plural(name)} have either {a} or {b}?", f"List the {plural(name)} of {a} together with those of {b}", f"What are the {plural(name)} of {a} or of {b}?"), left


@construct("two lists", 3)
def make_two_lists(ask: Ask, view: View, t: int) -> Made:
    """One list out of like columns of two tables: all, the common ones, or those of one alone."""
    shape = view.d.kinds
    mine = [c for c in view.cats[t] + view.labels[t] if shape[c].shape not in ("category", "word", "status")]
    pairs = [(c, x) for c in mine for other in view.plain if other != t for x in view.cats[other] + view.labels[other] if shape[x].shape == shape[c].shape]
    if not pairs:
        return None
    c, x = ask.rng.choice(pairs)
    there = view.schema.table_of(x)
    name, a, b = plural(view.name(ask, c)), view.noun(ask, t), view.noun(ask, there)
    op = ask.rng.choice(("UNION", "INTERSECT", "EXCEPT"))
    left = with_tables(view, t, Query([column(c)]))
    left.set = (op, with_tables(view, there, Query([column(x)])))
    words = {"UNION": (f"What are all the {name} of {a} and {b}?", f"List the {name} of {a} or {b}", f"Show every one of the {name} of either {a} or {b}."),
             "INTERSECT": (f"Which {name} are shared by {a} and {b}?", f"What {name} do both {a} and {b} have?", f"Find the {name} that have {a} as well as {b}."),
             "EXCEPT": (f"Which {name} of {a} are not {name} of any {b}?", f"Show the {name} that have {a} but no {b}", f"{name} of {a} without {b}")}[op]
    return ask.pick(*words), left


@construct("than some", 3)
def make_than_some(ask: Ask, view: View, t: int) -> Made:
    """Compared with all, or with some, of a group: more than all is more than the highest."""
    if not view.measures[t]:
        return None
    c, found, shown, up = ask.rng.choice(view.measures[t]), own_filter(ask, view, t), some_columns(ask, view, t, 2), ask.rng.random() < 0.6
    if not found or not found.after or found.column == c or not shown:
        return None
    every = ask.rng.random() < 0.55
    inner = with_tables(view, t, Query([aggregate("MAX" if up == every else "MIN", column(c))], where=found.condition))
    who = f"{ask.pick('all', 'every one of the', 'all of the') if every else ask.pick('some', 'at least one of the', 'some of the')} {view.noun(ask, t)} {found.after}"
    name, many, how = view.name(ask, c), view.noun(ask, t), ask.pick("higher", "larger", "greater") if up else ask.pick("lower", "smaller")
    ending = ask.pick(f"whose {name} is {how} than that of {who}", f"with a {how} {name} than {who}", f"whose {name} is {how} than the {name} of {who}", f"with {'more' if up else 'less'} {name} than {who}")
    where = test(column(c), ">" if up else "<", ("sub", inner))
    if ask.rng.random() < 0.3:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return ask.pick(f"Find the {shown[0]} of {many} {ending}.", f"What are the {shown[0]} of {many} {ending}?", f"Which {many} are there {ending}? Show the {shown[0]}."), with_tables(view, t, Query(shown[1], where=where))


@construct("distinct per group", 3)
def make_distinct_per_group(ask: Ask, view: View, t: int) -> Made:
    """How many different values, or different parents, each group has."""
    group = group_of(ask, view, t)
    options = [(c, plural(view.name(ask, c))) for c in view.cats[t]] + [(k, view.noun(ask, view.schema.table_of(view.target[k]))) for k in view.keys[t] if not view.twins(k)]
    if not group or not options:
        return None
    (words, shown, by), (c, names) = group, ask.rng.choice(options)
    if column(c) in shown or by[0][1] == view.target.get(c):
        return None
    word, many = ask.pick("different", "distinct", "unique"), view.noun(ask, t)
    return ask.pick(f"How many {word} {names} does each {words} have?", f"For each {words}, count the {word} {names} of its {many}.", f"Show each {words} and the number of {word} {names}", f"number of {word} {names} of {many} per {words}",
                    f"What are the {plural(words)}, and how many {word} {names} of {many} are there for each?"), with_tables(view, t, Query(shown + [aggregate("COUNT", column(c), True)], group=by))


@construct("parents with rows", 4)
def make_parents_with_rows(ask: Ask, view: View, t: int) -> Made:
    """An aggregate or a list over parents that have, or lack, rows: counted once each."""
    link = linked(ask, view, t)
    if not link or view.via(link[0]):
        return None
    key, there = link
    noun, many = noun_phrase(ask, view, t, chances=(0.5,)), view.noun(ask, there)
    has = ask.rng.random() < 0.6
    inner = with_tables(view, t, Query([column(key)], where=noun.condition))
    where = test(column(view.target[key]), "IN" if has else "NOT_IN", ("sub", inner))
    who = "who" if view.is_person(there) else "that"
    ending = ask.pick(f"{who} have some {noun.words}", f"{who} have any {noun.words}", f"with some {noun.words}") if has else ask.pick(f"{who} have no {noun.words}", f"without any {noun.words}", f"{who} do not have {noun.words}")
    if view.measures[there] and ask.rng.random() < 0.5:
        c = ask.rng.choice(view.measures[there])
        kind, word = ask.rng.choice((("AVG", "average"), ("SUM", "total"), ("MAX", "highest"), ("MIN", "lowest")))
        return ask.pick(f"What is the {word} {view.name(ask, c)} of {many} {ending}?", f"Find the {word} {view.name(ask, c)} of the {many} {ending}.", f"{word} {view.name(ask, c)} of {many} {ending}"), \
            with_tables(view, there, Query([aggregate(kind, column(c))], where=where))
    if ask.rng.random() < 0.3:
        return how_many(ask, f"{many} {ending}"), with_tables(view, there, Query([COUNT], where=where))
    shown = some_columns(ask, view, there, 2)
    if not shown:
        return None
    if has and ask.rng.random() < 0.6:
        return ask.pick(f"What are the different {shown[0]} of {many} {ending}?", f"List the distinct {shown[0]} of {many} {ending}."), with_tables(view, t, Query(shown[1], distinct=True, where=noun.condition))
    return ask.pick(f"What are the {shown[0]} of {many} {ending}?", f"Find the {shown[0]} of all {many} {ending}", f"Show {shown[0]} for {many} {ending}."), with_tables(view, there, Query(shown[1], where=where))


@construct("sums having", 3)
def make_sums_having(ask: Ask, view: View, t: int) -> Made:
    """Parents by the sum or average of their rows, with that number shown if asked for."""
    link = linked(ask, view, t)
    if not link or view.via(link[0]) or not view.measures[t]:
        return None
    key, there = link
    c, many, labels = ask.rng.choice(view.measures[t]), view.noun(ask, there), [column(x) for x in view.labels[there]]
    kind, word = ask.rng.choice((("SUM", "total"), ("AVG", "average"), ("MAX", "maximum"), ("MIN", "minimum")))
    op, how = ask.rng.choice(((">", "more than"), (">", "above"), (">=", "at least"), ("<", "less than"), ("<", "below"), (">=", "greater than or equal to"), ("<=", "less than or equal to")))
    said = ask.say(number_words(ask, nice_number(ask, view.values[c]) * (3 if kind == "SUM" else 1)))
    measure, name, rows = aggregate(kind, column(c)), view.name(ask, c), view.noun(ask, t)
    label = "full name" if len(labels) == 2 else view.name(ask, view.labels[there][0])
    query = with_tables(view, t, Query(labels, group=[column(view.target[key])], having=test(measure, op, value(said))))
    ending = ask.pick(f"whose {rows} have a {word} {name} {how} {said}", f"with {rows} of a {word} {name} {how} {said}", f"with a {word} {name} of {rows} {how} {said}", f"whose {word} {name} of {rows} is {how} {said}")
    if ask.rng.random() < 0.4:
        query.select = labels + [measure]
        return ask.pick(f"Show the {label} and {word} {name} of {many} {ending}.", f"What are the {plural(label)} and the {word} {name} for {many} {ending}?"), query
    return ask.pick(f"Which {many} are there {ending}?", f"What are the {plural(label)} of {many} {ending}?", f"Find the {label} of {many} {ending}.", f"{many} {ending}"), query


@construct("nested extreme", 3)
def make_nested_extreme(ask: Ask, view: View, t: int) -> Made:
    """Rows of the parent that is at one end: "orders of the customer with the most orders"."""
    link = linked(ask, view, t)
    if not link or view.via(link[0]):
        return None
    key, there = link
    role, up, shown = view.noun(ask, there, False), ask.rng.random() < 0.75, some_columns(ask, view, t, 2)
    if not shown:
        return None
    if view.measures[there] and ask.rng.random() < 0.5:
        c = ask.rng.choice(view.measures[there])
        inner = with_tables(view, there, Query([column(view.target[key])], order=[(column(c), "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))
        ending = f"the {role} with the {ask.pick(*(MOSTS if up else LEASTS))} {view.name(ask, c)}"
    else:
        inner = with_tables(view, t, Query([column(key)], group=[column(key)], order=[(COUNT, "DESC" if up else "ASC")], limit=("LIMIT", value("1"))))
        ending = f"the {role} with the {'most' if up else 'fewest'} {view.noun(ask, t)}"
    where, many = test(column(key), "=", ("sub", inner)), view.noun(ask, t)
    if ask.rng.random() < 0.3:
        return how_many(ask, f"{many} of {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return ask.pick(f"What are the {shown[0]} of the {many} of {ending}?", f"List the {shown[0]} of {many} that belong to {ending}.", f"Show {shown[0]} of all {many} of {ending}"), with_tables(view, t, Query(shown[1], where=where))


@construct("difference of columns", 2)
def make_columns_across(ask: Ask, view: View, t: int) -> Made:
    """A column of a row compared with one of what it belongs to: "paid more than the room's base price"."""
    link = linked(ask, view, t)
    if not link or view.via(link[0]) or not view.measures[t] or not view.measures[link[1]]:
        return None
    there = link[1]
    a, b, up = ask.rng.choice(view.measures[t]), ask.rng.choice(view.measures[there]), ask.rng.random() < 0.65
    shown, role, many = some_columns(ask, view, t, 2), view.noun(ask, there, False), view.noun(ask, t)
    if not shown:
        return None
    ending = ask.pick(f"whose {view.name(ask, a)} is {'higher' if up else 'lower'} than the {view.name(ask, b)} of the {role}", f"with {'more' if up else 'less'} {view.name(ask, a)} than the {role}'s {view.name(ask, b)}")
    where = test(column(a), ">" if up else "<", column(b))
    if ask.rng.random() < 0.4:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return ask.pick(f"List the {shown[0]} of {many} {ending}", f"What are the {shown[0]} of {many} {ending}?"), with_tables(view, t, Query(shown[1], where=where))


@construct("two numbers", 3)
def make_two_numbers(ask: Ask, view: View, t: int) -> Made:
    """Two number filters with either word between them: "cost more than 160 and hold at least 2"."""
    if len(view.measures[t]) < 2:
        return None
    filters = [number_filter(ask, view, c) for c in ask.rng.sample(view.measures[t], 2)]
    kind, word = ask.rng.choice((("and", "and"), ("and", "and"), ("and", "but"), ("or", "or")))
    many, shown = view.noun(ask, t), some_columns(ask, view, t, 2)
    if not shown:
        return None
    where, ending = (kind, [f.condition for f in filters]), f"{filters[0].after} {word} {filters[1].after}"
    if ask.rng.random() < 0.35:
        return how_many(ask, f"{many} {ending}"), with_tables(view, t, Query([COUNT], where=where))
    return ask.pick(f"Find the {shown[0]} of {many} {ending}.", f"What are the {shown[0]} of all {many} {ending}?", f"Show {shown[0]} of {many} {ending}"), with_tables(view, t, Query(shown[1], where=where))
