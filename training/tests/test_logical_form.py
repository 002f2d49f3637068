"""The logical form: SQL to tokens and back, the automaton, joins, and the SQL written from it."""
import sqlite3
import unittest

from training import grammar
from training.execution import run, same
from training.linking import Contents, read_contents
from training.logical_form import linearise, read
from training.schema import Schema, from_sqlite
from training.sql_reader import read_sql
from training.sql_writer import write_sql
from training.text import split_words

SCRIPT = """
CREATE TABLE team (team_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE game (game_id INTEGER PRIMARY KEY, home_id INTEGER REFERENCES team(team_id), away_id INTEGER REFERENCES team(team_id), day DATE, points INTEGER);
CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES person(person_id), team_id INTEGER REFERENCES team(team_id), pay REAL);
INSERT INTO team VALUES (1, 'Lions', 'Oslo'), (2, 'Bears', 'Rome'), (3, 'Wolves', 'Oslo');
INSERT INTO game VALUES (1, 1, 2, '2023-05-01', 9), (2, 2, 1, '2023-06-30', 4), (3, 1, 3, '2022-01-01', 7), (4, 3, 2, '2023-07-31', 2);
INSERT INTO person VALUES (1, 'Ann', NULL, 1, 90), (2, 'Bob', 1, 1, 60), (3, 'Cy', 1, 2, 95), (4, 'Di', 2, NULL, 50);
"""

QUERIES = (
    "SELECT name FROM team WHERE city = 'Oslo'",
    "SELECT count(*) FROM game AS g JOIN team AS t ON g.home_id = t.team_id WHERE t.city = 'Oslo'",
    "SELECT count(*) FROM game AS g JOIN team AS t ON g.away_id = t.team_id WHERE t.city = 'Oslo'",
    "SELECT h.name, a.name FROM game AS g JOIN team AS h ON g.home_id = h.team_id JOIN team AS a ON g.away_id = a.team_id WHERE g.points > 3",
    "SELECT p.name FROM person AS p JOIN person AS b ON p.boss_id = b.person_id WHERE b.name = 'Ann'",
    "SELECT t.name, count(*) FROM person AS p JOIN team AS t ON p.team_id = t.team_id GROUP BY t.team_id HAVING count(*) >= 2",
    "SELECT name FROM person WHERE pay > (SELECT avg(pay) FROM person) AND (name LIKE 'A%' OR name LIKE '%y')",
    "SELECT name FROM team WHERE team_id NOT IN (SELECT team_id FROM person WHERE team_id IS NOT NULL)",
    "SELECT city FROM team INTERSECT SELECT city FROM team WHERE name = 'Wolves'",
    "SELECT name FROM person WHERE name IN ('Ann', 'Bob') ORDER BY pay DESC, name ASC LIMIT 1",
    "SELECT max(pay) - min(pay) FROM person WHERE pay BETWEEN 50 AND 90",
    "SELECT count(DISTINCT city) FROM team",
    "SELECT name FROM person WHERE NOT (pay > 60 OR name = 'Di')")


def database() -> tuple[sqlite3.Connection, Schema, Contents]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)
    schema = from_sqlite(connection, "league")
    return connection, schema, read_contents(connection, schema)


def constants(tokens: list) -> list:
    """Literals as a constant, for the automaton."""
    return [("k", "V:1") if kind == "v" else (kind, what) for kind, what in tokens]


class LogicalForm(unittest.TestCase):
    def setUp(self):
        self.connection, self.schema, self.contents = database()
        self.keys = [a for a, _ in self.schema.foreign]

    def test_grammar_is_ll1(self):
        for symbol in grammar.RULES:
            grammar.expansions(symbol)
        self.assertLess(len(grammar.KEYWORDS), 110)

    def test_a_column_is_not_set_against_itself(self):
        first, second = len(grammar.KEYWORDS) + 3, len(grammar.KEYWORDS) + 4

        def is_idle(*tokens):
            numbers = [grammar.KEYWORD_ID[t] if isinstance(t, str) else t for t in tokens]
            return grammar.is_idle(numbers[:-1], numbers[-1])
        self.assertTrue(is_idle("WHERE", first, ">", first))
        self.assertTrue(is_idle("SELECT", "SUM", "OPEN", first, "MUL", first))
        self.assertTrue(is_idle("SELECT", "SUM", first, "/", "SUM", first))
        self.assertFalse(is_idle("WHERE", first, ">", second))
        self.assertFalse(is_idle("SELECT", "MAX", first, "-", "MIN", first))
        self.assertFalse(is_idle("SELECT", "SUM", first, "FILTER", second, "=", "V:1", "CLOSE", "/", "SUM", first))
        self.assertFalse(is_idle("WHERE", "VIA", second, first, "=", first), "another row of the same table")

    def test_round_trip_gives_the_same_rows(self):
        for sql in QUERIES:
            with self.subTest(sql=sql):
                tokens = linearise(read_sql(sql, self.schema), self.schema)
                self.assertTrue(grammar.accepts(constants(tokens), self.keys))
                self.assertEqual(linearise(read(tokens), self.schema), tokens)
                again = write_sql(read(tokens), self.schema, contents=self.contents)
                self.assertTrue(same(run(self.connection, sql), run(self.connection, again), "ORDER BY" in sql), again)

    def answer(self, question: str, line: str) -> list:
        """The rows of a line of tokens; w3-4 is a span of words, other names are columns or keywords."""
        tokens = []
        for word in line.split():
            if word in grammar.KEYWORD_ID:
                tokens.append(("k", word))
            elif word[0] == "w" and "-" in word:
                first, last = word[1:].split("-")
                tokens += [("w", int(first)), ("w", int(last))]
            else:
                table, name = word.split(".") if "." in word else ("", word)
                tokens.append(("c", next(c for c, (t, n) in enumerate(self.schema.columns) if n == name and (not table or self.schema.tables[t] == table))))
        self.assertTrue(grammar.accepts(tokens, self.keys))
        return run(self.connection, write_sql(read(tokens), self.schema, question, split_words(question), self.contents))

    def test_periods_of_time(self):
        question = "points between May and July 2023"
        self.assertEqual(self.answer(question, "SELECT SUM points WHERE day BETWEEN w2-2 w4-5 END"), [(15,)])
        self.assertEqual(self.answer("games in 2023", "SELECT COUNT * WHERE day = w2-2 END FROM".replace("END FROM", "END")), [(3,)])
        self.assertEqual(self.answer("games after May 2023", "SELECT COUNT * WHERE day > w2-3 END"), [(2,)])

    def test_shares_and_filters(self):
        self.assertEqual(self.answer("share in Oslo", "SELECT COUNT team.team_id FILTER city = w2-2 CLOSE PCT COUNT team.team_id END")[0][0].__round__(3), 66.667)

    def test_ties_and_nth(self):
        self.assertEqual(self.answer("x", "SELECT team.name ORDER city ASC TIES V:1 END"), [("Lions",), ("Wolves",)])
        self.assertEqual(self.answer("x", "SELECT person.name ORDER pay DESC NTH V:2 END"), [("Ann",)])

    def test_group_of_the_outer_row(self):
        self.assertEqual(self.answer("x", "SELECT person.name WHERE pay > SUB SELECT AVG pay WHERE person.team_id = OUTER person.team_id END END"), [("Ann",)])

    def test_date_parts(self):
        self.assertEqual(self.answer("x", "SELECT QUARTER day COUNT * GROUP QUARTER day ORDER QUARTER day ASC END"), [(1, 1), (2, 2), (3, 1)])

    def test_values_in_stored_spelling(self):
        self.assertEqual(self.contents.spelling(2, "lion"), "Lions")
        self.assertEqual(self.contents.spelling(2, "wolvse"), "wolvse")
        self.assertEqual(self.contents.spelling(2, "Tigers"), "Tigers")


if __name__ == "__main__":
    unittest.main()
